"""Sentences about the data on the stage and how its numbers were computed."""

from __future__ import annotations

from collections.abc import Sequence

from datasets.base.dataset import Dataset
from datasets.base.words import counted
from datasets.preparation import Prepared
from datasets.preparation_steps import MatrixStep, SelectStep, Step
from nca_core.accuracy.votes import QUERIES
from nca_core.snapshot import Snapshot, Trajectory
from stage import wording


def how_it_was_summed(snapshot: Snapshot) -> str:
    """The summation method of an iteration, in one line for *Advanced*."""
    return f"Summed at iteration {snapshot.iteration}: {wording.SUMMATIONS[snapshot.summation]}."


def remarks(trajectories: Sequence[Trajectory]) -> list[str]:
    """For each training from the best of several starts: which one won."""
    return list(dict.fromkeys(filter(None, map(which_start_won, trajectories))))


def which_start_won(trajectory: Trajectory) -> str:
    """Which of several starts won, and what the others reached; empty for a single start."""
    if not trajectory.starts:
        return ""
    tried = [f"{wording.start_title(start)} ({start.mean_p:.3f})" for start in trajectory.starts]
    rest = ", ".join(tried[1:])
    return f"Best of {len(tried)} short runs by f/n: the training continued from {tried[0]}. The others: {rest}."


def accuracy_sample(ready: Prepared) -> str:
    """That accuracies use a sample of many rows; empty where they use all."""
    n = int(ready.train.sum())
    if n <= QUERIES:
        return ""
    return f"Accuracies on training rows use a random {QUERIES:,} of the {n:,}."


def about(dataset: Dataset) -> str:
    """Where the data came from, in one line."""
    source = dataset.source
    parts = [
        f"{dataset.name}: {dataset.n_samples:,} rows, {dataset.n_features} features, {dataset.n_classes} classes",
        source.licence,
        f"Used in {source.paper}" if source.paper else "",
        source.url,
    ]
    return ". ".join(part for part in parts if part)


def data_line(ready: Prepared, n_rows: int) -> str:
    """As in "Wine: 178 rows (44 held out), 13 features, 3 classes"; fewer than `n_rows` are called a sample."""
    raw, held_out, n_test = ready.raw, int(ready.held_out.sum()), _n_test(ready)
    n = raw.n_samples + n_test
    rows = counted(n, "row") if n == n_rows else sample_of(n, n_rows)
    parts = [f"{held_out:,} {'for validation' if n_test else 'held out'}"] if held_out else []
    parts += [f"{n_test:,} for testing"] if n_test else []
    rows += f" ({', '.join(parts)})" if parts else ""
    classes = counted(raw.n_classes, "class", "classes") if raw.target is None else "a label of numbers"
    return f"{raw.name}: {rows}, {counted(raw.n_features, 'feature')}, {classes}"


def _n_test(ready: Prepared) -> int:
    return 0 if ready.test is None else ready.test.n_samples


def sample_of(n_sampled: int, n_rows: int) -> str:
    """As in "a sample of 100,000 of the 400,000 rows"."""
    return f"a sample of {n_sampled:,} of the {n_rows:,} rows"


_WORDS = {"none": "features as they are"}
_TO = {"pca": "PCA", "random projection": "random projection"}


def preparation_steps(ready: Prepared) -> str:
    """As in "1,437 rows, 360 held out: standardise → PCA to 30"."""
    held_out, train = int(ready.held_out.sum()), int(ready.train.sum())
    unlabelled = ready.raw.n_samples - train - held_out
    rows = [f"{train:,} rows"]
    if held_out:
        rows.append(f"{held_out:,} for validation" if ready.test is not None else f"{held_out:,} held out")
    if ready.test is not None:
        rows.append(f"{_n_test(ready):,} for testing")
    if unlabelled:
        rows.append(f"{unlabelled:,} unlabelled")
    return f"{', '.join(rows)}: {' → '.join(_step_words(step) for step in ready.steps)}"


def _step_words(step: Step) -> str:
    if step.name in _TO and isinstance(step, MatrixStep):
        return f"{_TO[step.name]} to {len(step.down)}"
    if isinstance(step, SelectStep):
        return f"the {len(step.kept):,} best of {step.n_in:,} by F-value"
    return _WORDS.get(step.name, step.name)

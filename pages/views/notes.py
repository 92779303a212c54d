"""Sentences about the data on the stage and how its numbers were computed."""

from collections.abc import Sequence

from datasets.base.dataset import Dataset
from datasets.base.words import counted
from datasets.preparation import Prepared
from datasets.preparation_steps import MatrixStep, SelectStep, Step
from nca_core.accuracy import QUERIES
from nca_core.snapshot import Trajectory
from stage import wording


def remarks(trajectories: Sequence[Trajectory]) -> list[str]:
    """For each training from the best of several starts: which one won, and what the others reached."""
    said = []
    for trajectory in trajectories:
        if tried := [f"{wording.start_title(start)} ({start.mean_p:.3f})" for start in trajectory.starts]:
            won = f"Best of {len(tried)} short runs by f/n: the training continued from {tried[0]}."
            said.append(f"{won} The others: {', '.join(tried[1:])}.")
    return list(dict.fromkeys(said))


def accuracy_sample(ready: Prepared) -> str:
    """That accuracies use a sample of many rows; empty where they use all."""
    n = int(ready.train.sum())
    return f"Accuracies on training rows use a random {QUERIES:,} of the {n:,}." if n > QUERIES else ""


def about(dataset: Dataset) -> str:
    """Where the data came from, in one line."""
    source, sizes = dataset.source, f"{dataset.n_samples:,} rows, {dataset.n_features} features"
    used = f"Paper: {source.paper}" if source.paper else ""
    first = f"{dataset.name}: {sizes}, {dataset.n_classes} classes"
    return ". ".join(filter(None, (first, source.licence, used, source.url)))


def data_line(ready: Prepared, n_rows: int) -> str:
    """As in "Wine: 178 rows (44 held out), 13 features, 3 classes"; fewer than `n_rows` are called a sample."""
    raw, parts = ready.raw, _held_back(ready)
    n = raw.n_samples + (0 if ready.test is None else ready.test.n_samples)
    rows = counted(n, "row") if n == n_rows else sample_of(n, n_rows)
    rows += f" ({', '.join(parts)})" if parts else ""
    classes = counted(raw.n_classes, "class", "classes") if raw.target is None else "a label of numbers"
    return f"{raw.name}: {rows}, {counted(raw.n_features, 'feature')}, {classes}"


def _held_back(ready: Prepared) -> list[str]:
    """As in ["44 held out"]; with test rows ["36 for validation", "18 for testing"]."""
    held_out, test = int(ready.held_out.sum()), ready.test
    said = [f"{held_out:,} {'held out' if test is None else 'for validation'}"] if held_out else []
    return said if test is None else [*said, f"{test.n_samples:,} for testing"]


def sample_of(n_sampled: int, n_rows: int) -> str:
    """As in "a sample of 100,000 of the 400,000 rows"."""
    return f"a sample of {n_sampled:,} of the {n_rows:,} rows"


_WORDS = {"none": "features as they are"}
_TO = {"pca": "PCA", "random projection": "random projection"}


def preparation_steps(ready: Prepared) -> str:
    """As in "1,437 rows, 360 held out: standardise → PCA to 30"."""
    train = int(ready.train.sum())
    unlabelled = ready.raw.n_samples - train - int(ready.held_out.sum())
    rows = [f"{train:,} rows", *_held_back(ready)]
    if unlabelled:
        rows.append(f"{unlabelled:,} unlabelled")
    return f"{', '.join(rows)}: {' → '.join(_step_words(step) for step in ready.steps)}"


def _step_words(step: Step) -> str:
    if step.name in _TO and isinstance(step, MatrixStep):
        return f"{_TO[step.name]} to {len(step.down)}"
    if isinstance(step, SelectStep):
        return f"the {len(step.kept):,} best of {step.n_in:,} by F-value"
    return _WORDS.get(step.name, step.name)

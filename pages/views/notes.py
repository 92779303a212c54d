"""The sentences below the stage: where the data came from, and how the numbers were got."""

from __future__ import annotations

from collections.abc import Sequence

from datasets.base.dataset import Dataset
from datasets.preparation import Prepared
from nca_core.accuracy.accuracies import QUERIES
from nca_core.snapshot import Snapshot, Trajectory
from pages.text import wording


def how_it_was_summed(snapshot: Snapshot) -> str:
    """The summation method of an iteration, in one line for *Advanced*."""
    return f"Summed at iteration {snapshot.iteration}: {wording.SUMMATIONS[snapshot.summation]}."


def remarks(trajectories: Sequence[Trajectory]) -> list[str]:
    """Of each training that began with the best of several starts: which one won."""
    return list(dict.fromkeys(filter(None, map(which_start_won, trajectories))))


def which_start_won(trajectory: Trajectory) -> str:
    """Of "best of several": which start won, and what the others reached; empty for any other start."""
    if not trajectory.starts:
        return ""
    tried = [f"{wording.start_title(start)} ({start.mean_p:.3f})" for start in trajectory.starts]
    rest = ", ".join(tried[1:])
    return f"Best of {len(tried)} short runs, by f/n: the training went on from {tried[0]}. The others: {rest}."


def how_accuracies_were_asked(ready: Prepared) -> str:
    """That of many rows a sample is asked; empty where all are."""
    n = int(ready.train.sum())
    if n <= QUERIES:
        return ""
    return f"Accuracies on training rows are counted on {QUERIES:,} of the {n:,}, drawn at random."


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

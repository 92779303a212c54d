"""The sentences below the stage: where the data came from, and how the numbers were got."""

from __future__ import annotations

from datasets.base.dataset import Dataset
from datasets.preparation import Prepared
from nca_core.accuracy.accuracies import QUERIES
from nca_core.snapshot import Snapshot
from pages.text import wording


def how_it_was_summed(snapshot: Snapshot | None) -> str:
    """The summation method of an iteration, in one line; empty before the first."""
    if snapshot is None:
        return ""
    return f"Sums over neighbours at iteration {snapshot.iteration}: {wording.SUMMATIONS[snapshot.summation]}."


def how_accuracies_were_asked(ready: Prepared) -> str:
    """That of many rows a sample is asked; empty where all are."""
    n = int(ready.train.sum())
    if n <= QUERIES:
        return ""
    return f"Of the {n:,} training rows, {QUERIES:,} drawn at random are asked for the leave-one-out accuracies."


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

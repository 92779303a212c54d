"""REDUCTIONS: what makes fewer features of many before anything is trained, learned on the training rows only."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from datasets.base.errors import DataError
from datasets.base.words import counted, numbered
from datasets.preparation_steps import MatrixStep, SelectStep, Step, pca


@dataclass(frozen=True)
class Training:
    """The training rows that a reduction is learned on."""

    X: np.ndarray  # scaled features, (n_samples, n_features)
    y: np.ndarray  # class codes, (n_samples,)
    target: np.ndarray | None  # labels that were kept as numbers, (n_samples,)
    random_state: int  # seed of what is drawn


@dataclass(frozen=True)
class Reduced:
    """A fitted reduction."""

    step: Step  # sends rows through
    names: tuple[str, ...]  # one for each feature that comes out
    notes: tuple[str, ...] = ()  # what a reader of the accuracies has to know


@dataclass(frozen=True)
class Reduction:
    """A choice of the page."""

    title: str  # shown as the choice
    one: str  # what comes out, as in "30 principal components"
    several: str  # what comes out, as in "30 principal components"
    # ``fit(training, n_components, names)``, the names those of the features that go in
    fit: Callable[[Training, int, tuple[str, ...]], Reduced]
    sees_labels: bool = False  # whether it looks at the labels of the training rows

    def to(self, n_components: int) -> str:
        """What is trained on, as in "30 principal components"."""
        return counted(n_components, self.one, self.several)


def _pca(training: Training, n_components: int, names: tuple[str, ...]) -> Reduced:
    step = pca(training.X, n_components)
    rank = len(step.down)
    notes: tuple[str, ...] = ()
    if rank < n_components:
        notes = (f"The training rows span {counted(rank, 'direction')} only, so PCA keeps {rank}.",)
    return Reduced(step, numbered("PC", rank), notes)


def _random_projection(training: Training, n_components: int, names: tuple[str, ...]) -> Reduced:
    """Gaussian entries of variance 1 / n_components: squared distances are kept in the mean.

    References
    ----------
    Johnson and Lindenstrauss (1984); Dasgupta and Gupta (2003), An elementary proof of a theorem of theirs.
    """
    from sklearn.random_projection import GaussianRandomProjection

    drawn = GaussianRandomProjection(n_components, random_state=training.random_state).fit(training.X[:1])
    words = f"Random projection to {counted(n_components, 'direction')}: distances stay about as they are."
    down = np.array(drawn.components_)
    return Reduced(
        MatrixStep("random projection", training.X.mean(axis=0), down, sentence=words), numbered("RP", n_components)
    )


def _best_by_f_value(training: Training, n_components: int, names: tuple[str, ...]) -> Reduced:
    """The features whose class means differ most beside their spread within classes: the F-value of an analysis of
    variance; of a label of numbers, that of a linear regression. The columns keep their order."""
    from sklearn.feature_selection import f_classif, f_regression

    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of constant columns, which have no F-value
        if training.target is None:
            values = f_classif(training.X, training.y)[0]
        else:
            values = f_regression(training.X, training.target, force_finite=False)[0]
    has_one = np.flatnonzero(~np.isnan(values))
    if not len(has_one):
        raise DataError(
            "No feature has an F-value on the training rows: it needs a class of two rows and a feature that varies. "
            "Choose another way to fewer features under 'Advanced'."
        )
    best = has_one[np.argsort(-values[has_one], kind="stable")[:n_components]]
    kept = np.sort(best)
    n = f"{len(kept):,} of {counted(len(values), 'feature')}"
    words = f"The {n} with the highest F-value on the training rows are kept."
    notes = [
        f"The {n} that tell the training rows' labels apart best were kept (F-value), so accuracies on the training "
        "rows flatter; those on held-out rows do not."
    ]
    if len(kept) < n_components:
        notes.append(f"Only {counted(len(kept), 'feature varies', 'features vary')} in the training rows.")
    return Reduced(SelectStep("selection", kept, len(values), words), tuple(names[k] for k in kept), tuple(notes))


REDUCTIONS: dict[str, Reduction] = {
    "pca": Reduction("PCA", "principal component", "principal components", _pca),
    "random_projection": Reduction("random projection", "random projection", "random projections", _random_projection),
    "feature_selection": Reduction(
        "best by F-value",
        "feature of the highest F-value",
        "features of the highest F-values",
        _best_by_f_value,
        sees_labels=True,
    ),
}

"""UMAP as a method, where `umap-learn` is installed: an embedding without a matrix."""

from __future__ import annotations

import warnings
from importlib.util import find_spec

import numpy as np

from nca_core.methods.method import DataFacts, Fitted, Method

INSTALLED = find_spec("umap") is not None
MOST_SAMPLES = 20_000
_NEIGHBOURS = 15
_FEWEST = 5  # rows that have neighbours to speak of


def fit(X: np.ndarray, y: np.ndarray, n_components: int, random_state: int) -> Fitted:
    """Coordinates of the rows of X; labels are not looked at.

    References
    ----------
    McInnes, Healy, Melville (2018), UMAP: Uniform manifold approximation and projection.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that TensorFlow is not there, for a variant that is not used
        from umap import UMAP  # type: ignore[import-not-found, unused-ignore]

    placed = UMAP(
        n_neighbors=min(_NEIGHBOURS, len(X) - 1),
        n_components=n_components,
        init="spectral" if len(X) > n_components + 2 else "random",
        random_state=random_state,
        n_jobs=1,
    )
    return Fitted(
        embedding=np.asarray(placed.fit_transform(X), dtype=np.float64),
        note="an embedding without a matrix: held-out rows were placed along with the others",
    )


def why_not(facts: DataFacts, n_components: int) -> str:
    if facts.n_samples < _FEWEST:
        return f"UMAP needs at least {_FEWEST} rows, and it is given {facts.n_samples}."
    if facts.n_samples > MOST_SAMPLES:
        return f"UMAP places all rows at once; it is made for at most {MOST_SAMPLES:,} rows here. Take a sample."
    return ""


UMAP_METHOD = Method(
    key="umap",
    title="UMAP",
    description="Places rows so that near ones stay near; an embedding without a matrix, labels are not looked at.",
    formula="min cross-entropy of two fuzzy neighbour graphs",
    kind="embedding",
    fit=fit,
    why_not=why_not,
)

"""Laplacianfaces (locality preserving projection) as a method: near rows stay near."""

from __future__ import annotations

import numpy as np

from nca_core.methods.method import DataFacts, Fitted, Method
from nca_core.methods.setting import Setting, Whole

MOST_SAMPLES = 50_000
_NOTHING = 1e-10  # of the greatest variance


def fit(X: np.ndarray, y: np.ndarray, n_components: int, random_state: int, n_neighbours: int = 7) -> Fitted:
    """The smallest solutions of Xᵀ L X a = λ Xᵀ D X a on the graph that joins each row with its nearest ones.

    A row is joined with another where either is among the other's nearest; D holds the degrees and L = D − W.
    Directions without spread are taken out by PCA first. Each axis is scaled to variance 1, rows weighted by degree.

    References
    ----------
    He, Niyogi (2003), Locality preserving projections; He et al. (2005), Face recognition using Laplacianfaces.
    """
    from scipy.linalg import eigh
    from scipy.sparse import diags_array
    from sklearn.neighbors import kneighbors_graph

    scale = float(np.abs(X - X.mean(axis=0)).max()) or 1.0
    scaled = (X - X.mean(axis=0)) / scale
    graph = kneighbors_graph(scaled, min(n_neighbours, len(X) - 1), include_self=False)
    W = graph.maximum(graph.T)  # (n_samples, n_samples), sparse
    degree = np.asarray(W.sum(axis=1)).ravel()
    scaled = scaled - degree @ scaled / degree.sum()  # without it, a constant would be a solution
    values, axes = np.linalg.eigh(scaled.T @ scaled)
    axes = axes[:, values > _NOTHING * max(values[-1], np.finfo(float).tiny)]  # (n_features, rank)
    A = np.zeros((n_components, X.shape[1]))
    found = min(n_components, axes.shape[1])
    if found:
        Z = scaled @ axes  # (n_samples, rank)
        laplacian = diags_array(degree) - W
        weighted = Z.T @ (degree[:, None] * Z)
        smallest = eigh(Z.T @ (laplacian @ Z), weighted, subset_by_index=[0, found - 1])[1]
        A[:found] = (axes @ smallest).T * np.sqrt(degree.sum()) / scale
    note = "" if found == n_components else f"the rows vary in {found} directions only; the rest stays 0"
    return Fitted(A, note=note)


def why_not(facts: DataFacts, n_components: int) -> str:
    if facts.n_samples > MOST_SAMPLES:
        return f"Laplacianfaces looks for the neighbours of every row; it is made for at most {MOST_SAMPLES:,} rows."
    return ""


LAPLACIANFACES = Method(
    key="laplacianfaces",
    title="Laplacianfaces",
    description="Locality preserving projection: rows that were near stay near; labels are not looked at.",
    formula="min Σ W_ij ‖A xᵢ − A xⱼ‖²,  A Xᵀ D X Aᵀ = I",
    kind="solved",
    fit=fit,
    settings=(
        Setting(
            "n_neighbours",
            "Neighbours in the graph",
            7,
            Whole(1, 200),
            "How many of its nearest rows each row is joined to.",
        ),
    ),
    why_not=why_not,
)

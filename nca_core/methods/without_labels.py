"""Matrices that are solved without labels: principal axes and their kin, a random projection, the features as is."""

import warnings
from typing import Any

import numpy as np

from nca_core.features.covariance import covariance, eigen, principal_axes, whitening_axes
from nca_core.features.rows import spreads
from nca_core.methods.method import Fitted, Method, Setting, Whole

_NOTHING = 1e-10  # of the greatest variance


def _pca(X: np.ndarray, y: np.ndarray, n_components: int, random_state: int) -> Fitted:
    """Orthonormal rows: the leading principal axes of X."""
    return Fitted(principal_axes(X - X.mean(axis=0), n_components))


def _whitening(X: np.ndarray, y: np.ndarray, n_components: int, random_state: int) -> Fitted:
    """The leading principal axes, each scaled to unit variance; in all dimensions Σ^(−1/2) up to a rotation."""
    A = whitening_axes(covariance(X), n_components, spreads(X))
    return Fitted(A, note=_directions(int(A.any(axis=1).sum()), n_components))


def _ica(X: np.ndarray, y: np.ndarray, n_components: int, random_state: int) -> Fitted:
    """The whitened leading principal axes, turned so that the coordinates are as independent as they can be.

    So it is whitening up to a rotation, and has the same neighbours.

    Hyvärinen, Oja (2000), Independent component analysis: algorithms and applications (FastICA).
    """
    from sklearn.decomposition import FastICA

    A = whitening_axes(covariance(X), n_components, spreads(X))
    alive = A.any(axis=1)
    notes = [_directions(int(alive.sum()), n_components)]
    if alive.sum() > 1:
        white = A[alive]
        turn = FastICA(whiten=False, random_state=random_state, max_iter=500)
        if not _settles(turn, (X - X.mean(axis=0)) @ white.T):
            notes.insert(0, "the search for independent directions did not settle")
        A[alive] = np.asarray(turn.components_) @ white
    return Fitted(A, note="; ".join(filter(None, notes)))


def _factor_analysis(X: np.ndarray, y: np.ndarray, n_components: int, random_state: int) -> Fitted:
    """A x is the posterior mean of the factors: A = (I + W Ψ⁻¹ Wᵀ)⁻¹ W Ψ⁻¹, W the loadings, Ψ each feature's noise.

    Fitted on standardised features, which changes nothing but the digits.

    Barber (2012), Bayesian reasoning and machine learning, section 21.1.
    """
    from sklearn.decomposition import FactorAnalysis

    centred = X - X.mean(axis=0)
    deviation = spreads(X)
    varies = deviation > 0
    A = np.zeros((n_components, X.shape[1]))
    if not varies.any():
        return Fitted(A, note="the rows are all equal; the rest stays 0")
    scaled = centred[:, varies] / deviation[varies]
    most = min(n_components, scaled.shape[1], len(X))
    model = FactorAnalysis(most, random_state=random_state, svd_method="lapack")
    settled = _settles(model, scaled)
    W, by_noise = model.components_, model.components_ / model.noise_variance_  # (most, n_varying)
    A[:most, varies] = np.linalg.solve(np.eye(most) + by_noise @ W.T, by_noise) / deviation[varies]
    return Fitted(A, note="" if settled else "the search for the factors did not settle")


def _laplacianfaces(
    X: np.ndarray, y: np.ndarray, n_components: int, random_state: int, n_neighbours: int = 7
) -> Fitted:
    """The smallest solutions of Xᵀ L X a = λ Xᵀ D X a on the graph that joins each row with its nearest ones.

    A row is joined with another where either is among the other's nearest; D holds the degrees and L = D − W.
    Directions without spread are taken out by PCA first. Each axis is scaled to variance 1, rows weighted by degree.

    He, Niyogi (2003), Locality preserving projections; He et al. (2005), Face recognition using Laplacianfaces.
    """
    from scipy.linalg import eigh
    from scipy.sparse import diags_array
    from sklearn.neighbors import kneighbors_graph

    centred, spread = X - X.mean(axis=0), spreads(X)
    scale = float(np.abs(centred).max()) or 1.0
    graph = kneighbors_graph(centred / scale, min(n_neighbours, len(X) - 1), include_self=False)
    W = graph.maximum(graph.T)  # (n_samples, n_samples), sparse
    degree = np.asarray(W.sum(axis=1)).ravel()
    # Given the graph, the units of the features do not matter.
    scaled = centred * np.divide(1.0, spread, out=np.zeros_like(spread), where=spread > 0)
    scaled = scaled - degree @ scaled / degree.sum()  # without it, a constant would be a solution
    values, axes = eigen(scaled if len(scaled) < scaled.shape[1] else scaled.T @ scaled)
    axes = axes[:, values > _NOTHING * values.max(initial=np.finfo(float).tiny)]  # (n_features, rank)
    A = np.zeros((n_components, X.shape[1]))
    found = min(n_components, axes.shape[1])
    if found:
        Z = scaled @ axes  # (n_samples, rank)
        laplacian = diags_array(degree) - W
        weighted = Z.T @ (degree[:, None] * Z)
        smallest = eigh(Z.T @ (laplacian @ Z), weighted, subset_by_index=[0, found - 1])[1]
        A[:found] = (axes @ smallest).T * np.sqrt(degree.sum()) / np.where(spread > 0, spread, 1.0)
    return Fitted(A, note=_directions(found, n_components))


def _random_projection(X: np.ndarray, y: np.ndarray, n_components: int, random_state: int) -> Fitted:
    """Gaussian entries with variance 1 / n_components, by scikit-learn; the data are not looked at."""
    from sklearn.random_projection import GaussianRandomProjection

    drawn = GaussianRandomProjection(n_components, random_state=random_state).fit(X)
    return Fitted(np.asarray(drawn.components_))


def _euclidean(X: np.ndarray, y: np.ndarray, n_components: int, random_state: int) -> Fitted:
    """A = the first rows of the identity, (n_components, n_features); neither rows nor labels are looked at."""
    hidden = X.shape[1] - n_components
    note = f"the first {n_components} of {X.shape[1]} features" if hidden else ""
    return Fitted(np.eye(n_components, X.shape[1]), note=note)


def _settles(model: Any, X: np.ndarray) -> bool:
    """Fit a model of scikit-learn; False where it warns that it did not converge."""
    from sklearn.exceptions import ConvergenceWarning

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", ConvergenceWarning)
        model.fit(X)
    return not any(issubclass(warning.category, ConvergenceWarning) for warning in caught)


def _directions(found: int, n_components: int) -> str:
    """The note where the rows vary in fewer directions than are shown; else empty."""
    plural = "" if found == 1 else "s"
    return f"the rows vary in {found} direction{plural} only; the rest stays 0" if found < n_components else ""


PCA = Method(
    key="pca",
    title="PCA",
    description="The directions in which the rows vary most; labels are not looked at.",
    formula="A = leading eigenvectors of Σ",
    fit=_pca,
)
WHITENING = Method(
    key="whitening",
    title="Whitening",
    description="The principal axes, each scaled to variance 1; labels are not looked at.",
    formula="A = Λ^(−1/2) Vᵀ, Σ = V Λ Vᵀ",
    fit=_whitening,
)
ICA = Method(
    key="ica",
    title="ICA",
    description="Independent component analysis: whitening, turned so that the coordinates are as independent as they "
    "can be; labels are not looked at.",
    formula="A = R Λ^(−1/2) Vᵀ, R by FastICA",
    fit=_ica,
)
FACTOR_ANALYSIS = Method(
    key="factor_analysis",
    title="Factor analysis",
    description="What the features share, apart from each one's own noise; labels are not looked at.",
    formula="x = Wᵀ z + μ + ε, ε ~ N(0, Ψ);  A x = E[z | x]",
    fit=_factor_analysis,
)
LAPLACIANFACES = Method(
    key="laplacianfaces",
    title="Laplacianfaces",
    description="Locality preserving projection: rows that were near stay near; labels are not looked at.",
    formula="min Σ W_ij ‖A xᵢ − A xⱼ‖²,  A Xᵀ D X Aᵀ = I",
    fit=_laplacianfaces,
    settings=(
        Setting(
            "n_neighbours",
            "Neighbours in the graph",
            7,
            Whole(1, 200),
            "How many of its nearest rows each row is joined to.",
        ),
    ),
    most_samples=50_000,
)
RANDOM_PROJECTION = Method(
    key="random_projection",
    title="Random",
    description="A random projection: what chance alone gives.",
    formula="A_kl ~ N(0, 1/d)",
    fit=_random_projection,
)
EUCLIDEAN = Method(
    key="euclidean",
    title="Euclidean",
    description="The first features as they are: what you had before.",
    formula="A = the first rows of I",
    fit=_euclidean,
)

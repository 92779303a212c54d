"""The methods that are solved in one go: matrices, without labels or from class labels, and embeddings.

t-SNE is scikit-learn's; UMAP is there where `umap-learn` is installed.
"""

import warnings
from importlib.util import find_spec
from typing import Any

import numpy as np

from nca_core.features.covariance import (
    class_statistics,
    completion,
    covariance,
    discriminant_axes,
    eigen,
    principal_axes,
    times,
    whitening_axes,
    whitening_within,
)
from nca_core.features.rows import spreads
from nca_core.methods.method import Fitted, Method, Setting, Whole

UMAP_INSTALLED = find_spec("umap") is not None
_NOTHING = 1e-10  # of the greatest variance
_TIED = 1e-9  # a variance this close to 1, the spread within classes, owes nothing to the class means


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


def _lda(X: np.ndarray, y: np.ndarray, n_components: int, random_state: int) -> Fitted:
    """The discriminant axes, completed by principal axes where the classes span too few."""
    transformation, note = discriminant_axes(X, y, n_components)
    return Fitted(transformation, note=note)


def _rca(X: np.ndarray, y: np.ndarray, n_components: int, random_state: int) -> Fitted:
    """Σ_w^(−1/2), then the leading axes of the total covariance of the rows that it gives.

    After RCA the total covariance is I plus the one between classes, so its leading axes are those that separate the
    class means. k classes give k − 1 of them; along all others the variance is 1. Of these, the ones with the most
    spread within classes in the given features come first.

    Bar-Hillel, Hertz, Shental, Weinshall (2003), Learning distance functions using equivalence relations.
    """
    X, y = X[y >= 0], y[y >= 0]
    centred = X - X.mean(axis=0)
    classes = class_statistics(centred, y)
    whiten, shrunk = whitening_within(classes, spreads(X))
    share = np.sqrt(classes.counts / len(X))[:, None]  # (n_classes, 1)
    between = share * classes.means @ whiten  # (n_classes, n_features), or fewer columns
    _, strength, axes = np.linalg.svd(between, full_matrices=True)
    n_axes = min(n_components, int(np.sum(strength**2 > _TIED * max(1.0, strength[0] ** 2))))
    rows, notes = axes[:n_axes], [shrunk]
    if n_axes < n_components:
        rest = axes[n_axes:]  # (n_rest, n_features), where all variances are 1
        within = times(rest @ whiten.T, classes.within)  # spread along the given features, pulled back
        order = principal_axes(within.T, n_components - n_axes) if within.any() else np.eye(len(rest))
        rows = np.vstack([rows, order[: n_components - n_axes] @ rest])
        notes.append(f"class means differ along {n_axes}; of the other directions, those of most spread within classes")
    A = np.zeros((n_components, X.shape[1]))  # fewer rows than components leave some 0
    A[: len(rows)] = rows @ whiten.T
    return Fitted(A, note="; ".join(note for note in notes if note))


def _lda_rca(X: np.ndarray, y: np.ndarray, n_components: int, random_state: int) -> Fitted:
    """A = Σ_w^(−1/2) A_lda, with Σ_w the covariance within classes of the rows projected by A_lda.

    The axes of LDA have unit spread within classes already, so this differs from LDA only where LDA was completed by
    other axes or shrunk. A direction without spread within classes stays as LDA scaled it.

    Goldberger, Roweis, Hinton, Salakhutdinov (2004), figure 1; RCA: Bar-Hillel et al. (2003).
    """
    A, note = discriminant_axes(X, y, n_components)
    labelled = y >= 0
    within = times(np.eye(len(A)), class_statistics(X[labelled] @ A.T, y[labelled]).within)
    values, vectors = np.linalg.eigh(within)
    spread = values > _NOTHING * max(values[-1], np.finfo(float).tiny)
    # Symmetric, so that it turns nothing: with the spread within classes the same already, A stays A.
    root = vectors / np.sqrt(np.where(spread, values, 1.0)) @ vectors.T
    return Fitted(root @ A, note=note)


def _dcv(X: np.ndarray, y: np.ndarray, n_components: int, random_state: int) -> Fitted:
    """The leading axes between classes within the null space of Σ_w, orthonormal.

    There the rows of a class fall on one point, its common vector. k classes give at most k − 1 axes; missing ones are
    completed with the leading principal axes of what is left.

    Raises ValueError where the rows vary within their classes in every direction in which they vary at all.

    Cevikalp, Neamtu, Wilkes, Barkana (2005), Discriminative common vectors for face recognition.
    """
    X, y = X[y >= 0], y[y >= 0]
    centred = X - X.mean(axis=0)
    unit = float(np.abs(centred).max()) or 1.0
    # The rows that are left when directions without any spread are taken out, (n_samples, rank).
    _, spread, axes = np.linalg.svd(centred / unit, full_matrices=False)
    axes = axes[spread**2 > _NOTHING * max(spread[0] ** 2, np.finfo(float).tiny)]
    classes = class_statistics(centred / unit @ axes.T, y)
    values, vectors = np.linalg.eigh(classes.within) if len(axes) else (np.zeros(0), np.zeros((0, 0)))
    empty = vectors[:, values <= _NOTHING * max(float(np.max(spread**2)) / len(X), np.finfo(float).tiny)]
    if not empty.shape[1]:
        raise ValueError(
            "the rows vary within their classes in every direction. That takes fewer rows than features and classes "
            "together, or features that are combinations of each other within the classes."
        )
    share = np.sqrt(classes.counts / len(X))[:, None]
    common = share * (classes.means - share.T**2 @ classes.means) @ empty  # (n_classes, n_empty)
    _, strength, turned = np.linalg.svd(common, full_matrices=False)
    n_axes = min(n_components, int(np.sum(strength > 1e-9 * max(strength[0], np.finfo(float).tiny))))
    A = turned[:n_axes] @ empty.T @ axes
    note = f"the classes coincide along {n_axes} {'axis' if n_axes == 1 else 'axes'}"
    if n_axes < n_components:
        A = np.vstack([A, completion(centred, A, n_components - n_axes)])
        note += "; completed with principal axes"
    return Fitted(A, note=note)


def _tsne(X: np.ndarray, y: np.ndarray, n_components: int, random_state: int) -> Fitted:
    """Coordinates of the rows of X (van der Maaten, Hinton 2008, Visualizing data using t-SNE)."""
    from sklearn.manifold import TSNE

    # PCA finds no start of so many dimensions in fewer features, and none at all in rows that are equal.
    init = "pca" if X.shape[1] >= n_components and np.ptp(X, axis=0).any() else "random"
    tsne = TSNE(
        n_components,
        perplexity=min(30.0, (len(X) - 1) / 3),
        init=init,
        method="barnes_hut" if n_components < 4 and len(X) > 500 else "exact",
        random_state=random_state,
    )
    return Fitted(
        embedding=np.asarray(tsne.fit_transform(X), dtype=np.float64),
        note="an embedding without a matrix: it has no place for new rows, so held-out rows were placed along",
    )


def _umap(X: np.ndarray, y: np.ndarray, n_components: int, random_state: int) -> Fitted:
    """Coordinates of the rows of X (McInnes, Healy, Melville 2018, UMAP: Uniform manifold approximation)."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that TensorFlow is not there, for a variant that is not used
        from umap import UMAP  # type: ignore[import-not-found, unused-ignore]

    umap = UMAP(
        n_neighbors=min(15, len(X) - 1),
        n_components=n_components,
        init="spectral" if len(X) > n_components + 2 else "random",
        random_state=random_state,
        n_jobs=1,
    )
    return Fitted(
        embedding=np.asarray(umap.fit_transform(X), dtype=np.float64),
        note="an embedding without a matrix: held-out rows were placed along with the others",
    )


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
LDA = Method(
    key="lda",
    title="LDA",
    description="The directions that separate class means best, relative to the spread within classes.",
    formula="A = leading solutions of S_b a = λ S_w a",
    fit=_lda,
    needs_labels=True,
)
RCA = Method(
    key="rca",
    title="RCA",
    description="Relevant component analysis: the same spread within classes in every direction, then the leading "
    "axes of what varies.",
    formula="A = Vᵀ Σ_w^(−1/2), V leading axes of the total covariance after RCA",
    fit=_rca,
    needs_labels=True,
)
LDA_RCA = Method(
    key="lda_rca",
    title="LDA + RCA",
    description="LDA, then the spread within classes made the same in every direction.",
    formula="A = Σ_w^(−1/2) A_LDA",
    fit=_lda_rca,
    needs_labels=True,
)
DCV = Method(
    key="dcv",
    title="DCV",
    description="Discriminant common vectors: where rows of a class fall on one point, the directions that separate "
    "these points best.",
    formula="max tr A S_b Aᵀ,  A S_w Aᵀ = 0, A Aᵀ = I",
    fit=_dcv,
    needs_labels=True,
)
TSNE_METHOD = Method(
    key="tsne",
    title="t-SNE",
    description="Places rows so that near ones stay near; an embedding without a matrix, labels are not looked at.",
    formula="min KL(P ‖ Q) over the places of the rows",
    kind="embedding",
    fit=_tsne,
    most_samples=5_000,  # which take minutes
)
UMAP_METHOD = Method(
    key="umap",
    title="UMAP",
    description="Places rows so that near ones stay near; an embedding without a matrix, labels are not looked at.",
    formula="min cross-entropy of two fuzzy neighbour graphs",
    kind="embedding",
    fit=_umap,
    fewest_samples=5,
    most_samples=20_000,
)

"""Embeddings, which have no matrix: t-SNE by scikit-learn, and UMAP where `umap-learn` is installed."""

import warnings
from importlib.util import find_spec

import numpy as np

from nca_core.methods.method import Fitted, Method

UMAP_INSTALLED = find_spec("umap") is not None


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

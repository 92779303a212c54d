"""t-SNE as a method: an embedding without a matrix, by scikit-learn."""

from __future__ import annotations

import numpy as np

from nca_core.methods.method import DataFacts, Fitted, Method

MOST_SAMPLES = 5_000
_PERPLEXITY = 30.0


def fit(X: np.ndarray, y: np.ndarray, n_components: int, random_state: int) -> Fitted:
    """Coordinates of the rows of X; labels are not looked at.

    References
    ----------
    van der Maaten, Hinton (2008), Visualizing data using t-SNE.
    """
    from sklearn.manifold import TSNE

    perplexity = min(_PERPLEXITY, (len(X) - 1) / 3)
    method = "barnes_hut" if n_components < 4 and len(X) > 500 else "exact"
    # PCA finds no start of so many dimensions in fewer features, and none at all in rows that are equal.
    init = "pca" if X.shape[1] >= n_components and np.ptp(X, axis=0).any() else "random"
    placed = TSNE(n_components, perplexity=perplexity, init=init, method=method, random_state=random_state)
    embedding = np.asarray(placed.fit_transform(X), dtype=np.float64)
    return Fitted(
        embedding=embedding,
        note="an embedding without a matrix: it has no place for new rows, so held-out rows were placed along",
    )


def why_not(facts: DataFacts, n_components: int) -> str:
    if facts.n_samples > MOST_SAMPLES:
        return (
            f"t-SNE moves all rows at once and would take minutes on {facts.n_samples:,}; it is made for at most "
            f"{MOST_SAMPLES:,}. Take a sample of the rows."
        )
    return ""


TSNE_METHOD = Method(
    key="tsne",
    title="t-SNE",
    description="Places rows so that near ones stay near; an embedding without a matrix, labels are not looked at.",
    formula="min KL(P ‖ Q) over the places of the rows",
    kind="embedding",
    fit=fit,
    why_not=why_not,
)

"""How far two views of the same rows are apart, whatever way they are turned and however large they are."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def spread_factor(X: np.ndarray) -> np.ndarray:
    """R of X − mean = QR, (min(n_samples, n_features), n_features): (A Rᵀ)(B Rᵀ)ᵀ is that of the places of all rows.

    What stands in A for features that do not vary, or do so only together, makes no difference to a view; in A Rᵀ
    it makes none either.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
    """
    return np.asarray(np.linalg.qr(X - X.mean(axis=0), mode="r"))


def procrustes_distances(matrices: Sequence[np.ndarray]) -> np.ndarray:
    """min over orthogonal R of ‖A/‖A‖ − R B/‖B‖‖ for each two, (n, n): 0 for rotated or scaled copies, √2 at most.

    Of places, one row's in each column, it is how far rows lie apart, as a share of the spread of a view, after one is
    turned onto the other: √(Σ_i ‖y_i − R z_i‖²).

    Parameters
    ----------
    matrices : sequence of ndarray of shape (n_components, n_columns)

    References
    ----------
    Schönemann (1966), A generalized solution of the orthogonal Procrustes problem, Psychometrika 31.
    """
    A = np.array([matrix / (np.linalg.norm(matrix) or 1.0) for matrix in matrices])  # (n, d, n_columns)
    n = len(A)
    distances = np.zeros((n, n))
    for i in range(n - 1):
        # The best rotation leaves 2 − 2 Σ σ, σ the singular values of A Bᵀ.
        overlap = np.linalg.svd(A[i] @ A[i + 1 :].transpose(0, 2, 1), compute_uv=False).sum(axis=1)
        distances[i, i + 1 :] = np.sqrt(np.maximum(0.0, 2.0 - 2.0 * overlap))
    return distances + distances.T


def turned_onto(A: np.ndarray, B: np.ndarray, factor: np.ndarray) -> np.ndarray:
    """B rotated and reflected so that its view lies as near to A's as it can, which changes no distance in it.

    Parameters
    ----------
    A, B : ndarray of shape (n_components, n_features)
    factor : ndarray of shape (n_rows, n_features)
        `spread_factor` of the rows that are viewed.
    """
    u, _, vt = np.linalg.svd((A @ factor.T) @ (B @ factor.T).T)
    return np.asarray(u @ vt @ B)

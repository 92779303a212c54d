"""Eigen-truncation: the matrix of few rows that comes nearest to a metric Q."""

from __future__ import annotations

import numpy as np


def truncated(Q: np.ndarray, n_components: int) -> tuple[np.ndarray, np.ndarray]:
    """The leading eigenvectors of Q times the roots of their eigenvalues, and all eigenvalues.

    No A of so many rows comes nearer: ‖AᵀA − Q‖ is least (Eckart, Young 1936). Rows are signed so that the largest
    entry of each is positive.

    Parameters
    ----------
    Q : ndarray of shape (n_features, n_features)
        Positive semidefinite.
    n_components : int
        Rows of A.

    Returns
    -------
    A : ndarray of shape (n_components, n_features)
    spectrum : ndarray of shape (n_features,)
        Eigenvalues, the greatest first.
    """
    values, vectors = np.linalg.eigh((Q + Q.T) / 2.0)
    values, vectors = np.maximum(values[::-1], 0.0), vectors[:, ::-1]
    A = (vectors[:, :n_components] * np.sqrt(values[:n_components])).T
    largest = A[np.arange(len(A)), np.abs(A).argmax(axis=1)]
    return A * np.where(largest < 0, -1.0, 1.0)[:, None], values


def turned_towards(A: np.ndarray, before: np.ndarray, X: np.ndarray) -> np.ndarray:
    """A rotated (or reflected) so that it puts the centred rows X as near as it can to where `before` put them.

    Eigenvectors change their sign and their order from one iteration to the next; on the screen that would be a jump,
    and no distance depends on it.
    """
    left, _, right = np.linalg.svd((X @ before.T).T @ (X @ A.T))
    return left @ right @ A

"""The variable-kernel rule: neighbours vote by a Gaussian whose width follows the density around each point."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

_SMALLEST = 1e-12  # of the mean squared distance: the least squared width, for points with duplicates


@dataclass(frozen=True)
class Votes:
    """What the K nearest neighbours of some points say.

    Attributes
    ----------
    squares : ndarray of shape (n_queries, K)
        d², the nearest first.
    width : ndarray of shape (n_queries,)
        σ = (r/M) Σ_{m≤M} d_m.
    weights : ndarray of shape (n_queries, K)
        n_k / Σ n_k, n_k = exp(−d_k² / 2σ²).
    """

    squares: np.ndarray
    width: np.ndarray
    weights: np.ndarray


def nearest(Y: np.ndarray, n_neighbours: int, queries: np.ndarray | None = None) -> np.ndarray:
    """Row numbers of the neighbours in Y, (n_samples, n_components), the nearest first, (n_queries, K).

    Without queries, of each row of Y itself, which is not its own neighbour.
    """
    from sklearn.neighbors import NearestNeighbors

    search = NearestNeighbors(n_neighbors=n_neighbours).fit(Y)
    return np.asarray(search.kneighbors(queries, return_distance=False))


def within_kernel(n_neighbours: int) -> int:
    """M = K/2, at least 1: the neighbours whose mean distance is the width."""
    return max(1, n_neighbours // 2)


def votes(Y: np.ndarray, neighbours: np.ndarray, r: float, queries: np.ndarray | None = None) -> Votes:
    """The weights of the neighbours of each query; without queries, of each row of Y."""
    steps = (Y if queries is None else queries)[:, None] - Y[neighbours]  # (n_queries, K, n_components)
    squares = np.einsum("tkd,tkd->tk", steps, steps)
    M = within_kernel(neighbours.shape[1])
    width = r * np.sqrt(squares[:, :M]).mean(axis=1)
    least = max(_SMALLEST * float(squares.mean()), np.finfo(float).tiny)
    exponents = -squares / (2.0 * np.maximum(width**2, least))[:, None]
    weights = np.exp(exponents - exponents.max(axis=1, keepdims=True))
    return Votes(squares, width, weights / weights.sum(axis=1, keepdims=True))


def class_shares(weights: np.ndarray, codes: np.ndarray, n_classes: int) -> np.ndarray:
    """p_i = Σ_k n_k s_ki / Σ_k n_k, (n_queries, n_classes); `codes`, (n_queries, K), of the neighbours."""
    shares = np.zeros((len(weights), n_classes))
    np.add.at(shares, (np.arange(len(weights))[:, None], codes), weights)
    return shares


def error_and_gradient(
    X: np.ndarray, y: np.ndarray, neighbours: np.ndarray, L: np.ndarray, r: float
) -> tuple[float, np.ndarray, float]:
    """E = Σ_t Σ_i (s_ti − p_ti)², leave one out, at fixed neighbour lists, with its derivatives.

    With the weights P_k = n_k/Σn, e_k = ∂E/∂P_k = 2 (p_{c_k} − [c_k = y_t]) and h_k = P_k (e_k − Σ_l P_l e_l),

        ∂E/∂d_k² = −h_k/2σ² + [k ≤ M] (r/M) Σ_l h_l d_l²/σ³ / 2 d_k,   ∂E/∂log r = Σ_k h_k d_k²/σ²,
        ∂E/∂L = 2 L Σ_tk ∂E/∂d_tk² (x_t − c_k)(x_t − c_k)ᵀ.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        Rows.
    y : ndarray of shape (n_samples,)
        Their class codes, from 0.
    neighbours : ndarray of shape (n_samples, K)
        Of each row, the nearest first.
    L : ndarray of shape (n_features, n_features)
        d² = (x − c)ᵀ LᵀL (x − c).
    r : float
        Width of the kernel, in mean distances to the M nearest neighbours.

    Returns
    -------
    float, ndarray of shape (n_features, n_features), float
        E, ∂E/∂L with respect to every entry, and ∂E/∂log r.

    References
    ----------
    Naudé, van Wyk, van Wyk: Generalized variable-kernel similarity metric learning, SSPR 2004, section 4.
    """
    from scipy.sparse import csr_array

    n, K = neighbours.shape
    found = votes(X @ L.T, neighbours, r)
    P, squares = found.weights, found.squares
    codes = y[neighbours]  # (n_samples, K)
    right = codes == y[:, None]
    of_its_class = np.einsum("tkl,tl->tk", codes[:, :, None] == codes[:, None, :], P)  # p of each neighbour's class
    error = float(np.sum(1.0 - 2.0 * (P * right).sum(axis=1) + (P * of_its_class).sum(axis=1)))
    e = 2.0 * (of_its_class - right)
    h = P * (e - (P * e).sum(axis=1, keepdims=True))
    M = within_kernel(K)
    least = max(_SMALLEST * float(squares.mean()), np.finfo(float).tiny)
    moves = found.width**2 > least  # at its floor the width follows nothing, and the nearest ones alone vote
    variance = np.maximum(found.width**2, least)[:, None]
    d_log_width = np.where(moves[:, None], (h * squares / variance), 0.0).sum(axis=1, keepdims=True)
    d_squares = np.where(moves[:, None], -h / (2.0 * variance), 0.0)
    distances = np.sqrt(squares[:, :M])
    slope = np.divide(0.5, distances, out=np.zeros_like(distances), where=distances > 0)
    d_squares[:, :M] += d_log_width / np.sqrt(variance) * (r / M) * slope
    W = csr_array((d_squares.ravel(), neighbours.ravel(), np.arange(0, n * K + 1, K)), shape=(n, n))
    seen = d_squares.sum(axis=1) + np.asarray(W.sum(axis=0)).ravel()
    cross = X.T @ (W @ X)
    scatter = (X * seen[:, None]).T @ X - cross - cross.T
    return error, 2.0 * L @ scatter, float(d_log_width.sum())

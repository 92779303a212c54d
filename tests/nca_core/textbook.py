"""NCA as a textbook writes it: over all pairs of points, no tricks; the oracle for everything faster."""

import numpy as np
from scipy.spatial.distance import cdist
from scipy.special import entr, softmax


def p_ij(Y):
    """p_ij of eq. 1 for points that lie at Y, (n, n)."""
    squares = cdist(Y, Y, "sqeuclidean")
    np.fill_diagonal(squares, np.inf)
    return softmax(-squares, axis=1)


def probabilities(A, X):
    return p_ij(X @ A.T)


def mates(y):
    """(n, n): whether two different points are of one class."""
    return (y[:, None] == y) & (y >= 0) & ~np.eye(len(y), dtype=bool)


def correct(A, X, y):
    """p_i of eq. 2, (n,)."""
    return (probabilities(A, X) * mates(y)).sum(axis=1)


def f(A, X, y, weights=None):
    return float(np.sum(correct(A, X, y) * (1.0 if weights is None else weights)))


def g(A, X, y, weights=None):
    """Of the points that have mates."""
    weights = np.ones(len(X)) if weights is None else weights
    some = mates(y).any(axis=1)
    return float(weights[some] @ np.log(correct(A, X, y)[some]))


def pairs(A, X, y):
    return float(np.log(probabilities(A, X)[mates(y)]).sum())


def pair_weights(A, X, w):
    """Eq. 8 with its sign turned, over ordered pairs: one softmax over all of them; w is (n, n)."""
    squares = cdist(X @ A.T, X @ A.T, "sqeuclidean")
    apart = ~np.eye(len(X), dtype=bool)
    return float((w * (-squares - np.log(np.exp(-squares[apart]).sum())))[apart].sum())


def regression_error(A, X, T, weights=None):
    """Σ_i ω_i ‖t_i − Σ_j p_ij t_j‖² (Weinberger, Tesauro 2007)."""
    told = probabilities(A, X) @ T
    return float(np.sum(np.sum((T - told) ** 2, axis=1) * (1.0 if weights is None else weights)))


def mcml_of_q(Q, X, y, weights=None):
    """Σ_i ω_i Σ_j p⁰(j|i) log p_Q(j|i) and its gradient in Q, by loops over pairs (Globerson, Roweis 2005)."""
    n = len(X)
    value, gradient = 0.0, np.zeros_like(Q)
    for i in range(n):
        mates = [j for j in range(n) if j != i and y[j] == y[i] and y[i] >= 0]
        if not mates:
            continue
        weight = 1.0 if weights is None else weights[i]
        v = X - X[i]
        d = np.einsum("ja,ab,jb->j", v, Q, v)
        d[i] = np.inf
        p = np.exp(d.min() - d)
        log_p = -d - (np.log(p.sum()) - d.min())
        p /= p.sum()
        for j in range(n):
            p0 = 1.0 / len(mates) if j in mates else 0.0
            value += weight * p0 * log_p[j] if p0 else 0.0
            gradient -= weight * (p0 - p[j]) * np.outer(v[j], v[j])
    return value, gradient


def slopes(value, A, step=1e-6):
    """∂value/∂A by central differences, shaped as A."""
    found = np.empty_like(A)
    for place in np.ndindex(*A.shape):
        there, back = A.copy(), A.copy()
        there[place] += step
        back[place] -= step
        found[place] = (value(there) - value(back)) / (2 * step)
    return found


def entropies(A, X):
    return entr(probabilities(A, X)).sum(axis=1)


def blobs(n=40, D=5, classes=3, seed=0):
    """Overlapping classes of unequal size."""
    rng = np.random.default_rng(seed)
    y = np.sort(rng.integers(0, classes, n) ** 2 % classes)
    rng.shuffle(y)
    return rng.normal(size=(n, D)) + y[:, None] * 0.4, y


def rounding(A, X, y):
    """(n,): what two right ways of computing log p_i may differ by, the last bits of its nearest mate's squared
    distance; and the same for the objective of all pairs."""
    squares = (((X @ A.T)[:, None] - (X @ A.T)[None]) ** 2).sum(axis=2)
    mates = np.where((y[:, None] == y[None]) & ~np.eye(len(X), dtype=bool), squares, np.inf).min(axis=1)
    return 1e-15 * np.where(np.isfinite(mates), mates, 0.0), 1e-15 * float(squares.sum())


def rounding_of(objective, A, X, y, p):
    """What two right ways of computing the objective may differ by."""
    of_points, of_pairs = rounding(A, X, y)
    if objective == "f":
        return float(of_points @ p) + 1e-300
    # A logarithm near 0 is known to the last bit of 1.
    return float(of_points.sum()) + 1e-13 + (of_pairs if objective in ("pairs", "mcml", "pair_weights") else 0.0)


def size_of_terms(X, y, A):
    """Σ_ij (p_ij + q_ij) ‖y_i − y_j‖ ‖x_i − x_j‖: what the gradient's terms are before they cancel."""
    squares = cdist(X @ A.T, X @ A.T, "sqeuclidean")
    reach = np.sqrt(squares) * cdist(X, X)
    np.fill_diagonal(squares, np.inf)
    total = 1e-200
    for distances in (squares, np.where(y[:, None] == y[None], squares, np.inf)):
        nearest = distances.min(axis=1)
        live = np.isfinite(nearest)
        w = np.exp(nearest[live, None] - distances[live])
        total += float((w * reach[live]).sum(axis=1) @ (1.0 / w.sum(axis=1)))
    return total

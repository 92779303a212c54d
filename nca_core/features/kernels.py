"""KERNELS: features of the similarities between rows, in which every linear method becomes a kernel method.

With K_ij = k(x_i, x_j) = Φ_i · Φ_j, a method that finds a matrix over Φ finds a projection that is linear in the
similarities and curved in the features (Schölkopf, Smola, Müller 1998). Of many rows some serve as landmarks
(Nyström: Williams, Seeger 2001).
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

_NEGLIGIBLE = 1e-12  # of the greatest eigenvalue


@dataclass(frozen=True)
class Kernel:
    """An entry of KERNELS."""

    title: str  # shown on the screen
    # ``between(X, Z, width)`` gives k(x_i, z_j), (n, m), of rows that were centred; `width` is the median distance
    # between training rows
    between: Callable[[np.ndarray, np.ndarray, float], np.ndarray]


def _rbf(X: np.ndarray, Z: np.ndarray, width: float) -> np.ndarray:
    """exp(−‖x − z‖² / 2 width²)."""
    from scipy.spatial.distance import cdist  # takes long to import, and few panels are fed kernels

    return np.exp(-cdist(X, Z, "sqeuclidean") / (2.0 * width**2))


KERNELS: dict[str, Kernel] = {
    "rbf": Kernel("RBF kernel, median width", _rbf),
    "polynomial": Kernel("polynomial kernel, degree 3", lambda X, Z, width: (1.0 + X @ Z.T / width**2) ** 3),
    "linear": Kernel("linear kernel", lambda X, Z, width: X @ Z.T),
}


@dataclass(frozen=True)
class KernelFeatures:
    """Fitted features: x -> k(x, landmarks) M."""

    kernel: str  # key of KERNELS
    centre: np.ndarray  # what is taken off a row first, (n_features,)
    landmarks: np.ndarray  # centred training rows that the others are compared with, (n_landmarks, n_features)
    width: float  # median distance between landmarks
    mapping: np.ndarray  # M = U Λ^(−1/2) of the landmarks' kernel matrix U Λ Uᵀ, (n_landmarks, n_kernel_features)

    def apply(self, X: np.ndarray) -> np.ndarray:
        """Kernel features, (n_samples, n_kernel_features), of rows X, (n_samples, n_features)."""
        return KERNELS[self.kernel].between(X - self.centre, self.landmarks, self.width) @ self.mapping


def fit_kernel_features(X: np.ndarray, kernel: str, *, landmarks: int = 300, random_state: int = 0) -> KernelFeatures:
    """Features Φ with Φ Φᵀ = K on the landmarks, the leading directions first.

    X: training rows, (n_samples, n_features).
    landmarks: most rows that serve as landmarks; with as many as rows, Φ Φᵀ = K for all of them.

    Williams, Seeger (2001), Using the Nyström method to speed up kernel machines, eq. 8.
    """
    if kernel not in KERNELS:
        raise ValueError(f"kernel is {kernel!r}; it must be one of {', '.join(KERNELS)}.")
    from scipy.spatial.distance import pdist

    centre = X.mean(axis=0)
    rows = np.arange(len(X))
    if len(X) > landmarks:
        rows = np.sort(np.random.default_rng(random_state).choice(len(X), landmarks, replace=False))
    chosen = X[rows] - centre
    distances = pdist(chosen)
    apart = distances[distances > 0]
    width = float(np.median(apart)) if apart.size else 1.0
    values, vectors = np.linalg.eigh(KERNELS[kernel].between(chosen, chosen, width))
    values, vectors = values[::-1], vectors[:, ::-1]
    kept = values > _NEGLIGIBLE * max(float(values[0]), np.finfo(float).tiny)
    return KernelFeatures(kernel, centre, chosen, width, vectors[:, kept] / np.sqrt(values[kept]))

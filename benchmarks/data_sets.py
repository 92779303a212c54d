"""The data of the engine's benchmarks, each (X, y)."""

from __future__ import annotations

import numpy as np


def digits() -> tuple[np.ndarray, np.ndarray]:
    """scikit-learn's digits, standardised: n = 1,797, D = 64."""
    from sklearn.datasets import load_digits
    from sklearn.preprocessing import StandardScaler

    X, y = load_digits(return_X_y=True)
    return StandardScaler().fit_transform(X), y


def rings(n: int) -> tuple[np.ndarray, np.ndarray]:
    """Five concentric rings in two dimensions and eight dimensions of noise (D = 10)."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 5, n)
    angle = rng.uniform(0, 2 * np.pi, n)
    radius = 1.0 + y + rng.normal(0, 0.1, n)
    plane = np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1)  # (n_samples, 2)
    return np.hstack([plane, rng.normal(0, 2.0, (n, 8))]), y


def classes(n: int) -> tuple[np.ndarray, np.ndarray]:
    """Ten overlapping classes in D = 64, each a Gaussian whose spread has ten main directions of its own."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 10, n)
    X = rng.normal(0, 1.0, (n, 64))
    for code in range(10):
        members = np.flatnonzero(y == code)
        directions = rng.normal(0, 0.25, (10, 64))
        X[members] += rng.normal(size=(len(members), 10)) @ directions + rng.normal(0, 0.5, 64)
    return X, y


def heavy(n: int) -> tuple[np.ndarray, np.ndarray]:
    """Five overlapping classes with heavy tails, Student's t with three degrees of freedom, in D = 20."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 5, n)
    centres = rng.normal(size=(5, 20))
    X = rng.standard_t(3, (n, 20))
    X += centres[y]
    return X, y

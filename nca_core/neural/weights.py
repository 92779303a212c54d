"""Weights: what an optimiser changes of a network, as one array, and the gradient in it by backpropagation."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nca_core.covariance import units_of
from nca_core.network import UNITS, Network
from nca_core.simple_starts import scale_to_sensible_k
from nca_core.snapshot import frozen

_GAIN = {"logistic": 2.0, "linear": 1.0}  # of what goes into a unit; much more, and a unit only says 0 or 1
# Of the mean square of a unit's output: how little the start minds being near the matrix it follows.
_RIDGE = {"logistic": 1e-3, "linear": 1e-12}


@dataclass(frozen=True)
class Weights:
    """The network of given rows, whose weights may change.

    Attributes
    ----------
    Z : ndarray of shape (n_samples, n_features)
        The rows, centred, in units of each feature's spread.
    units : str
        Key of UNITS.
    centre, spread : ndarray of shape (n_features,)
        What was taken off the rows, and what they were divided by.
    n_hidden, n_components : int
        Hidden units, and outputs.
    """

    Z: np.ndarray
    units: str
    centre: np.ndarray
    spread: np.ndarray
    n_hidden: int
    n_components: int

    @classmethod
    def of(cls, X: np.ndarray, units: str, n_hidden: int, n_components: int) -> Weights:
        """For rows X, (n_samples, n_features)."""
        centre, spread = X.mean(axis=0), units_of(X)
        return cls((X - centre) / spread, units, frozen(centre), frozen(spread), n_hidden, n_components)

    def packed(self, W: np.ndarray, b: np.ndarray, V: np.ndarray) -> np.ndarray:
        """(n_hidden (n_features + 1 + n_components),)."""
        return np.concatenate([W.ravel(), b, V.ravel()])

    def unpacked(self, packed: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """W, b, V."""
        h, D = self.n_hidden, self.Z.shape[1]
        W, b, V = np.split(packed, [h * D, h * D + h])
        return W.reshape(h, D), b, V.reshape(self.n_components, h)

    def of_network(self, network: Network) -> np.ndarray:
        """The weights of a network of the same rows, packed.

        Raises
        ------
        ValueError
            For one of other features, units, hidden units or outputs.
        """
        shapes = (self.n_hidden, self.Z.shape[1]), (self.n_components, self.n_hidden)
        if (network.W.shape, network.V.shape, network.units) != (*shapes, self.units):
            raise ValueError(f"The network has weights {network.W.shape} and {network.V.shape}; needed are {shapes}.")
        return self.packed(network.W, network.b, network.V)

    def network(self, packed: np.ndarray) -> Network:
        W, b, V = (frozen(part.copy()) for part in self.unpacked(packed))
        return Network(self.units, self.centre, self.spread, W, b, V)

    def hidden(self, packed: np.ndarray) -> np.ndarray:
        """What the hidden units make of the rows, (n_samples, n_hidden)."""
        W, b, _ = self.unpacked(packed)
        return UNITS[self.units].value(self.Z @ W.T + b)

    def gradient(self, packed: np.ndarray, hidden: np.ndarray, d_Y: np.ndarray) -> np.ndarray:
        """∂F/∂weights, as packed, of ∂F/∂Y, (n_samples, n_components):

        ∂F/∂V = (∂F/∂Y)ᵀ H,   δ = (∂F/∂Y V) ∘ s'(H),   ∂F/∂W = δᵀ Z,   ∂F/∂b = Σ_i δ_i.
        """
        delta = d_Y @ self.unpacked(packed)[2] * UNITS[self.units].slope(hidden)
        return self.packed(delta.T @ self.Z, delta.sum(axis=0), d_Y.T @ hidden)

    def start(self, A: np.ndarray, y: np.ndarray, random_state: int) -> np.ndarray:
        """Hidden units at random, and the V that puts the rows as near as it can to where A, (n_components,
        n_features), puts them, in a size with a sensible K̂; so a training begins at a picture that one knows."""
        rng = np.random.default_rng(random_state)
        D, gain = self.Z.shape[1], _GAIN[self.units]
        W = gain * rng.standard_normal((self.n_hidden, D)) / np.sqrt(D)
        b = gain * rng.uniform(-1.0, 1.0, self.n_hidden)
        hidden = UNITS[self.units].value(self.Z @ W.T + b)
        hidden = hidden - hidden.mean(axis=0)
        followed = A * self.spread
        size = float(np.linalg.norm(followed))
        wanted = self.Z @ (followed / size).T if 0.0 < size < np.inf else np.zeros((len(self.Z), len(A)))
        square = hidden.T @ hidden
        ridge = _RIDGE[self.units] * max(float(np.trace(square)) / self.n_hidden, np.finfo(float).tiny)
        V = np.linalg.solve(square + ridge * np.eye(self.n_hidden), hidden.T @ wanted).T
        return self.packed(W, b, scale_to_sensible_k(V, hidden, y) if np.any(V) else V)

"""Network: y = V s(W (x − c) / σ + b), one hidden layer (section 5 of the NCA paper)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Units:
    """A kind of hidden unit: what it makes of its input, and its slope told from that."""

    value: Callable[[np.ndarray], np.ndarray]
    slope: Callable[[np.ndarray], np.ndarray]


def logistic(z: np.ndarray) -> np.ndarray:
    """1 / (1 + exp(−z)), which overflows nowhere in this form."""
    return 0.5 * (1.0 + np.tanh(0.5 * z))


UNITS: dict[str, Units] = {
    "logistic": Units(logistic, lambda h: h * (1.0 - h)),
    "linear": Units(lambda z: z, np.ones_like),
}


@dataclass(frozen=True)
class Network:
    """A projection that is not linear; arrays are read-only.

    Attributes
    ----------
    units : str
        Key of UNITS.
    centre, spread : ndarray of shape (n_features,)
        c and σ: features are taken in these units first.
    W : ndarray of shape (n_hidden, n_features)
        Weights into the hidden units.
    b : ndarray of shape (n_hidden,)
        Their biases.
    V : ndarray of shape (n_components, n_hidden)
        Weights out of them. There is no bias: distances do not depend on one.
    """

    units: str
    centre: np.ndarray
    spread: np.ndarray
    W: np.ndarray
    b: np.ndarray
    V: np.ndarray

    def hidden(self, X: np.ndarray) -> np.ndarray:
        """What the hidden units make of rows X, (n_samples, n_hidden)."""
        return UNITS[self.units].value((X - self.centre) / self.spread @ self.W.T + self.b)

    def apply(self, X: np.ndarray) -> np.ndarray:
        """The places of rows X, (n_samples, n_components)."""
        return self.hidden(X) @ self.V.T

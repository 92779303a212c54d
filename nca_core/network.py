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
    """A projection that is not linear; arrays are read-only."""

    units: str  # key of UNITS
    centre: np.ndarray  # c and σ: features are taken in these units first, (n_features,)
    spread: np.ndarray
    W: np.ndarray  # weights into the hidden units, (n_hidden, n_features)
    b: np.ndarray  # their biases, (n_hidden,)
    V: np.ndarray  # weights out of them, (n_components, n_hidden); no bias, as distances do not depend on one

    def hidden(self, X: np.ndarray) -> np.ndarray:
        """What the hidden units make of rows X, (n_samples, n_hidden)."""
        return UNITS[self.units].value((X - self.centre) / self.spread @ self.W.T + self.b)

    def apply(self, X: np.ndarray) -> np.ndarray:
        """The places of rows X, (n_samples, n_components)."""
        return self.hidden(X) @ self.V.T

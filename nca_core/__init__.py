"""Neighbourhood Components Analysis: the engine.

Public names load on first use, so that a program that only trains does not import scikit-learn.

Examples
--------
A row labelled `UNLABELLED` has no class. It is a neighbour to the others and counts as correct for none.

>>> from sklearn.datasets import load_iris
>>> from nca_core import UNLABELLED, NCAClassifier
>>> X, y = load_iris(return_X_y=True)
>>> y[::5] = UNLABELLED
>>> classifier = NCAClassifier(n_components=2, n_neighbors=3, random_state=0).fit(X, y)
>>> classifier.classes_
array([0, 1, 2])
"""

from importlib import import_module
from typing import Any

__version__ = "0.1.0"
# Beside this file, `__init__.pyi` tells type checkers the same.
_MODULES = {
    "MCML": "nca_core.estimators.mcml",
    "NCAClassifier": "nca_core.estimators.classifier",
    "NeighborhoodComponentsAnalysis": "nca_core.estimators.nca",
    "NeuralNCA": "nca_core.estimators.network",
    "Projection": "nca_core.estimators.projection",
    "PrecomputedSimilarity": "nca_core.neighbours.similarity",
    "UNLABELLED": "nca_core.features.validation",
    "VariableKernelClassifier": "nca_core.estimators.variable_kernel",
    "parts_of_arrays": "nca_core.parts.features_in_parts",
    "parts_of_folder": "nca_core.parts.features_in_parts",
}
__all__ = sorted(_MODULES)


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return getattr(import_module(_MODULES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*__all__, *(name for name in globals() if name.startswith("__"))]

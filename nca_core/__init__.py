"""Neighbourhood Components Analysis: the engine. The estimators load lazily,
so that a program that only trains does not import scikit-learn."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from nca_core.validation import UNLABELLED

if TYPE_CHECKING:
    from nca_core.classifier import NCAClassifier
    from nca_core.estimator import NeighborhoodComponentsAnalysis
    from nca_core.features_in_parts import parts_of_arrays, parts_of_folder
    from nca_core.neighbours.target_similarity import PrecomputedSimilarity

__all__ = [
    "MCML",
    "UNLABELLED",
    "NCAClassifier",
    "NeighborhoodComponentsAnalysis",
    "NeuralNCA",
    "PrecomputedSimilarity",
    "VariableKernelClassifier",
    "parts_of_arrays",
    "parts_of_folder",
]

# By name, as these packages build upon the modules here.
_MODULES = {
    "MCML": "nca_core.mcml.estimator",
    "NCAClassifier": "nca_core.classifier",
    "NeighborhoodComponentsAnalysis": "nca_core.estimator",
    "NeuralNCA": "nca_core.neural.estimator",
    "PrecomputedSimilarity": "nca_core.neighbours.target_similarity",
    "VariableKernelClassifier": "nca_core.variable_kernel.estimator",
    "parts_of_arrays": "nca_core.features_in_parts",
    "parts_of_folder": "nca_core.features_in_parts",
}


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return getattr(import_module(_MODULES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

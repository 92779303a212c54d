"""Neighbourhood Components Analysis: the engine. `NeighborhoodComponentsAnalysis` and `NCAClassifier` load lazily,
so that a program that only trains does not import scikit-learn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from nca_core.classifier import NCAClassifier
    from nca_core.estimator import NeighborhoodComponentsAnalysis
    from nca_core.neighbours.target_similarity import PrecomputedSimilarity

__all__ = ["NCAClassifier", "NeighborhoodComponentsAnalysis", "PrecomputedSimilarity"]


def __getattr__(name: str) -> Any:
    if name == "NeighborhoodComponentsAnalysis":
        from nca_core.estimator import NeighborhoodComponentsAnalysis

        return NeighborhoodComponentsAnalysis
    if name == "NCAClassifier":
        from nca_core.classifier import NCAClassifier

        return NCAClassifier
    if name == "PrecomputedSimilarity":
        from nca_core.neighbours.target_similarity import PrecomputedSimilarity

        return PrecomputedSimilarity
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

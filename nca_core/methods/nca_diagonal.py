"""Diagonal NCA as a method: one weight for each feature."""

from __future__ import annotations

from nca_core.diagonal import train_diagonal
from nca_core.methods.method import DataFacts, Method
from nca_core.methods.nca import NCA, config
from nca_core.simple_starts import SIMPLE_STARTS

MOST_FEATURES = 500


def why_not(facts: DataFacts, n_components: int) -> str:
    if facts.n_features > MOST_FEATURES:
        return (
            f"Diagonal NCA measures distances in all {facts.n_features:,} features; it is made for at most "
            f"{MOST_FEATURES}. Take PCA first."
        )
    return ""


NCA_DIAGONAL = Method(
    key="nca_diagonal",
    title="Diagonal NCA",
    description="NCA that only weighs the features; the weighted rows are shown along their principal axes.",
    formula="max Σ pᵢ,  A = diag(a)",
    kind="trained",
    train=train_diagonal,
    config=config,
    settings=NCA.settings,
    needs_labels=True,
    starts=("whitening", *(name for name in SIMPLE_STARTS if name != "whitening")),
    why_not=why_not,
)

"""MCML over all Q ⪰ 0 as a method; what is shown is the eigen-truncation of Q."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from nca_core.initialisation import INITIALISATIONS
from nca_core.mcml.train import train_mcml
from nca_core.methods.method import DataFacts, Method
from nca_core.methods.setting import Real, Setting, Whole
from nca_core.objectives import OBJECTIVES
from nca_core.training_config import TrainingConfig

MOST_SAMPLES = 10_000
MOST_FEATURES = 500


def config(n_components: int, start: str, random_state: int, settings: Mapping[str, Any]) -> TrainingConfig:
    """How to train with these settings."""
    return TrainingConfig(n_components=n_components, initialisation=start, random_state=random_state, **settings)


def objective(config: TrainingConfig) -> str:
    """The formula of what is climbed in Q; s is the mean variance of a feature."""
    penalty = f" − {config.regularisation:g} s tr Q" if config.regularisation else ""
    return OBJECTIVES["mcml"].formula + penalty


def why_not(facts: DataFacts, n_components: int) -> str:
    if facts.n_samples > MOST_SAMPLES:
        return (
            f"MCML over all Q looks at every pair of {facts.n_samples:,} rows; it is made for at most "
            f"{MOST_SAMPLES:,}. Take a sample, or the low-rank MCML."
        )
    if facts.n_features > MOST_FEATURES:
        return (
            f"MCML over all Q learns {facts.n_features:,} times as many numbers as there are features; it is made for "
            f"at most {MOST_FEATURES} features. Take PCA first, or the low-rank MCML."
        )
    return ""


MCML_METHOD = Method(
    key="mcml",
    title="MCML",
    description="Maximally collapsing metric learning: the one metric Q that brings each class nearest to a point; "
    "its leading axes are shown.",
    formula="min Σ KL[p⁰ᵢ ‖ p_Q,ᵢ] + λ tr Q,  Q ⪰ 0",
    kind="trained",
    train=train_mcml,
    config=config,
    settings=(
        Setting(
            "max_iter",
            "Maximal iterations",
            200,
            Whole(1, 2_000, 5),
            "The training ends here, or earlier where the duality gap proves that Q is all but the optimum.",
            advanced=False,
        ),
        Setting(
            "regularisation",
            "Penalty λ on tr Q",
            1.0,
            Real(0.0, 1e6, 0.1),
            "Holds Q back. At 0 no duality gap proves the optimum, and Q runs away on data whose classes can "
            "be brought to points.",
            advanced=False,
        ),
    ),
    needs_labels=True,
    starts=("pca", *(name for name in INITIALISATIONS if name != "pca")),
    why_not=why_not,
    objective=objective,
)

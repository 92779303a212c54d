"""Neural NCA as a method: a projection that is not linear, by a network with one hidden layer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from nca_core.initialisation import INITIALISATIONS
from nca_core.methods.method import DataFacts, Method
from nca_core.methods.nca import NCA, choice
from nca_core.methods.setting import Choice, Setting, Whole
from nca_core.neural.train import NetworkConfig, first_places, train_network
from nca_core.objectives import OBJECTIVES
from nca_core.optimisers import FULL_BATCH
from nca_core.training_config import TrainingConfig

MOST_FEATURES = 5_000
_OF_NCA = {setting.key: setting for setting in NCA.settings}


def config(n_components: int, start: str, random_state: int, settings: Mapping[str, Any]) -> NetworkConfig:
    """How to train with these settings."""
    return NetworkConfig(n_components=n_components, initialisation=start, random_state=random_state, **settings)


def objective(config: TrainingConfig) -> str:
    """The formula of what is climbed in the weights, its penalty included."""
    penalty = f" − {config.regularisation:g} (‖W‖² + ‖V‖²)" if config.regularisation else ""
    return OBJECTIVES[config.objective].formula + penalty


def why_not(facts: DataFacts, n_components: int) -> str:
    if facts.n_features > MOST_FEATURES:
        return f"Neural NCA is made for at most {MOST_FEATURES:,} features; take PCA first."
    return ""


NEURAL_NCA = Method(
    key="neural_nca",
    title="Neural NCA",
    description="NCA through a network with one hidden layer: the projection is curved, and new rows have places too.",
    formula="max Σ pᵢ,  y = V s(W x + b)",
    kind="trained",
    train=train_network,
    config=config,
    places=first_places,
    linear=False,
    settings=(
        _OF_NCA["max_iter"],
        _OF_NCA["target_similarity"],
        Setting(
            "n_hidden",
            "Hidden units",
            100,
            Whole(1, 500, 10),
            "More of them bend the projection more, and fit noise more easily; the NCA paper took 100.",
            advanced=False,
        ),
        replace(
            _OF_NCA["regularisation"],
            title="Penalty λ on the weights",
            help="Holds the weights of the network back, and with them how sharply the projection may bend.",
            advanced=False,
        ),
        Setting(
            "units",
            "Hidden units are",
            "logistic",
            Choice(("logistic", "linear"), ("logistic", "linear (as NCA)")),
            "Linear units make the network a matrix: then it finds what NCA finds.",
        ),
        replace(_OF_NCA["objective"], domain=choice(tuple(OBJECTIVES))),
        replace(_OF_NCA["optimiser"], domain=choice(FULL_BATCH), help="How the weights are improved."),
        _OF_NCA["summation"],
    ),
    needs_labels=True,
    starts=("pca", *(name for name in INITIALISATIONS if name != "pca")),
    why_not=why_not,
    objective=objective,
)

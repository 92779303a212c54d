"""Low-rank MCML as a method: its objective climbed in A itself, which no longer has one optimum only."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from nca_core.initialisation import INITIALISATIONS
from nca_core.methods.method import Method
from nca_core.methods.nca import NCA
from nca_core.training import TrainingConfig, train

_TAKEN_OVER = ("max_iter", "target_similarity", "optimiser", "regularisation", "summation")


def config(n_components: int, start: str, random_state: int, settings: Mapping[str, Any]) -> TrainingConfig:
    """How to train with these settings.

    References
    ----------
    Globerson, Roweis (2005), Metric learning by collapsing classes, section 4.
    """
    return TrainingConfig(
        objective="mcml", n_components=n_components, initialisation=start, random_state=random_state, **settings
    )


MCML_LOW_RANK = Method(
    key="mcml_low_rank",
    title="MCML, low rank",
    description="Maximally collapsing metric learning in as many dimensions as are shown: each class comes to a point.",
    formula="max Σᵢ Σⱼ p⁰(j|i) log p_ij over A",
    kind="trained",
    train=train,
    config=config,
    settings=tuple(setting for setting in NCA.settings if setting.key in _TAKEN_OVER),
    needs_labels=True,
    starts=("lda", *(name for name in INITIALISATIONS if name != "lda")),
)

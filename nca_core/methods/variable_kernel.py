"""VSM and GVSM as methods: metrics learnt for the variable-kernel rule."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from nca_core.initialisation import INITIALISATIONS
from nca_core.methods.method import DataFacts, Method
from nca_core.methods.setting import Setting, Whole
from nca_core.variable_kernel.train import VariableKernelConfig, train_variable_kernel

MOST_SAMPLES = 20_000
MOST_FEATURES = 300

_SETTINGS = (
    Setting(
        "max_iter",
        "Maximal iterations",
        60,
        Whole(1, 2_000, 5),
        "The training ends here, or earlier where nothing lowers the error any more.",
        advanced=False,
    ),
    Setting(
        "n_neighbours",
        "Neighbours that vote (K)",
        10,
        Whole(2, 50),
        "Their weights fall off with distance; the nearer half of them sets the width of the kernel.",
        advanced=False,
    ),
)


def config(
    metric: str, n_components: int, start: str, random_state: int, settings: Mapping[str, Any]
) -> VariableKernelConfig:
    """How to train with these settings."""
    return VariableKernelConfig(
        n_components=n_components, initialisation=start, random_state=random_state, metric=metric, **settings
    )


def _why_not(title: str) -> Callable[[DataFacts, int], str]:
    def why_not(facts: DataFacts, n_components: int) -> str:
        if facts.n_samples > MOST_SAMPLES:
            return f"{title} is made for at most {MOST_SAMPLES:,} rows, and there are {facts.n_samples:,}."
        if facts.n_features > MOST_FEATURES:
            return f"{title} is made for at most {MOST_FEATURES} features; take PCA first."
        return ""

    return why_not


def _method(key: str, title: str, metric: str, description: str, formula: str) -> Method:
    return Method(
        key=key,
        title=title,
        description=description,
        formula=formula,
        kind="trained",
        train=train_variable_kernel,
        config=partial(config, metric),
        settings=_SETTINGS,
        needs_labels=True,
        starts=("pca", *(name for name in INITIALISATIONS if name != "pca")),
        why_not=_why_not(title),
        objective=lambda config: "−Σ (s − p)², leave one out",
    )


VSM = _method(
    "vsm",
    "VSM",
    "diagonal",
    "Variable-kernel similarity metric: a weight for each feature, learnt for a vote whose width follows the density.",
    "min Σ (s − p)², d² = Σ w² (x − c)²",
)
GVSM = _method(
    "gvsm",
    "GVSM",
    "full",
    "VSM with a metric that may lie askew: L is upper triangular.",
    "min Σ (s − p)², d² = ‖L (x − c)‖²",
)

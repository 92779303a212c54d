"""MLKR as a method: the metric for kernel regression on a label of numbers."""

from __future__ import annotations

from nca_core.initialisation import INITIALISATIONS
from nca_core.kernel_regression import train_mlkr
from nca_core.methods.method import DataFacts, Method
from nca_core.methods.nca import NCA, config
from nca_core.training_config import TrainingConfig

MOST_SAMPLES = 10_000


def objective(config: TrainingConfig) -> str:
    """The formula of what is climbed, its penalty included."""
    penalty = f" − {config.regularisation:g} ‖A‖²" if config.regularisation else ""
    return f"−Σ (t − t̂)²{penalty}"


def why_not(facts: DataFacts, n_components: int) -> str:
    if facts.n_samples > MOST_SAMPLES:
        return f"MLKR looks at every pair of rows; it is made for at most {MOST_SAMPLES:,}. Take a sample of the rows."
    return ""


MLKR = Method(
    key="mlkr",
    title="MLKR",
    description="Metric learning for kernel regression: a row's number is told best by the mean of its neighbours'. "
    "Classes are told by their shares.",
    formula="min Σ (tᵢ − Σⱼ p_ij tⱼ)²",
    kind="trained",
    train=train_mlkr,
    config=config,
    settings=tuple(setting for setting in NCA.settings if setting.key in ("max_iter", "regularisation")),
    numbers=True,
    needs_labels=True,
    starts=("pca", *(name for name in INITIALISATIONS if name != "pca")),
    why_not=why_not,
    objective=objective,
)

"""Neighbourhood Components Analysis as a method that trains."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from nca_core.evaluator import SUMMATIONS
from nca_core.initialisation import INITIALISATIONS
from nca_core.methods.method import Method
from nca_core.methods.setting import Choice, Real, Setting, Whole
from nca_core.neighbours.target_similarity import TARGET_SIMILARITIES
from nca_core.objectives import OBJECTIVES
from nca_core.optimisers import OPTIMISERS
from nca_core.training import TrainingConfig, train

SUMMATION_TITLES = {
    "auto": "the quickest",
    "dense": "dense: every pair",
    "truncated": "truncated: near pairs",
    "spectral": "spectral: over a grid",
}
# Words for select boxes, where there is room for about 22 letters; a key without an entry shows as it is.
TITLES = {
    "f": "f: expected correct",
    "g": "g: log-probability",
    "log_f": "log f",
    "pairs": "all same-class pairs",
    "pair_weights": "pairs, one softmax",
    "l-bfgs": "L-BFGS",
    "bfgs": "BFGS",
    "cg": "conjugate gradients",
    "gradient-ascent": "delta-bar-delta ascent",
    "stochastic": "stochastic (Adam)",
    **SUMMATION_TITLES,
    "gaussian": "closeness of numbers",
    "ranks": "closeness of ranks",
    "same": "equal numbers only",
}


def choice(registry: Mapping[str, Any] | tuple[str, ...]) -> Choice:
    """A choice of the keys of a registry, with words for people."""
    return Choice(tuple(registry), tuple(TITLES.get(key, key) for key in registry))


def config(n_components: int, start: str, random_state: int, settings: Mapping[str, Any]) -> TrainingConfig:
    """How to train with these settings."""
    return TrainingConfig(n_components=n_components, initialisation=start, random_state=random_state, **settings)


NCA = Method(
    key="nca",
    title="NCA",
    description="Neighbourhood Components Analysis: a point's nearest neighbours come to share its class.",
    formula="max Σ pᵢ,  p_ij ∝ exp(−‖A xᵢ − A xⱼ‖²)",
    kind="trained",
    train=train,
    config=config,
    settings=(
        Setting(
            "max_iter",
            "Maximal iterations",
            100,
            Whole(1, 2_000, 5),
            "The training ends here, or earlier where nothing improves any more.",
            advanced=False,
        ),
        Setting(
            "target_similarity",
            "Rows match by",
            "gaussian",
            choice(TARGET_SIMILARITIES),
            "Where the label holds numbers, NCA draws together the rows whose numbers are close.",
            advanced=False,
        ),
        Setting(
            "objective",
            "Objective",
            "f",
            choice(tuple(key for key in OBJECTIVES if key != "mcml")),  # which is a method of its own
            "What NCA makes as large as it can. f: the expected number of points that choose a neighbour of their "
            "class (eq. 3 of the paper); log f has the same optimum. g: the log-probability that all points do so "
            "(eq. 6), which minds single points far off. Those of pairs add up "
            "the log-probabilities of all pairs of one class, by a softmax for each point or by one for all (eq. 8).",
        ),
        Setting(
            "optimiser",
            "Optimiser",
            "l-bfgs",
            choice(OPTIMISERS),
            "How A is improved. L-BFGS suits most data; an iteration of the stochastic one is up to 20 steps, each on "
            "a random batch of points.",
        ),
        Setting(
            "regularisation",
            "Penalty λ on ‖A‖²",
            0.0,
            Real(0.0, 1e6, 0.1),
            "Holds the scale of A back, so that K̂ does not run down to 1 on separable classes.",
        ),
        Setting(
            "summation",
            "Sums over neighbours",
            "auto",
            choice(SUMMATIONS),
            "All methods give the same answer; they differ in time. Of a label of numbers, every pair is summed.",
        ),
    ),
    needs_labels=True,
    starts=("pca", *(name for name in INITIALISATIONS if name != "pca")),
)

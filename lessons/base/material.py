"""Recipes and formulas of lessons, and the numbers that the engine measures for their answers."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from datasets.catalogue import load_dataset
from datasets.noise_lab import NoiseConfig
from datasets.preparation import PreparationConfig
from nca_core.objectives.evaluator import Evaluation
from nca_core.snapshot import Snapshot, Trajectory
from nca_core.training.gate import GATE
from study.compare import Comparison, compare
from study.measure import measure, panel_evaluator
from study.panel import PanelRecipe
from study.recipe import DataRecipe, Recipe


def recipe_of(
    data: str,
    *panels: PanelRecipe,
    parameters: Mapping[str, float] | None = None,
    n_components: int = 2,
    held_out: float = 0.3,
    pace: str = "calm",
    noise: NoiseConfig | None = None,
    **preparation: Any,
) -> Recipe:
    """A recipe on a data set of the catalogue; `held_out` is the share that is tested on."""
    return Recipe(
        data=DataRecipe(data, parameters or {}),
        noise=noise or NoiseConfig(),
        preparation=PreparationConfig(held_out_fraction=held_out, **preparation),
        n_components=n_components,
        panels=panels,
        pace=pace,
    )


class Measured:
    """A recipe on a data set of the catalogue; panels are fitted, and trained to their end, when first needed."""

    def __init__(self, recipe: Recipe) -> None:
        self.recipe = recipe

    @cached_property
    def comparison(self) -> Comparison:
        data = self.recipe.data
        return compare(self.recipe, load_dataset(data.key, **dict(data.parameters)))

    @cached_property
    def trajectories(self) -> dict[str, Trajectory]:
        """Of each panel that trains, by its key; a training waits its turn among the others."""
        keys = [panel.key for panel in self.comparison.panels if panel.trains]
        return {key: self.comparison.trained(key, GATE.step) for key in keys}

    @cached_property
    def panels(self) -> "dict[str, PanelFacts]":
        """The numbers of each panel, by its key."""
        found = {}
        for key in (panel.key for panel in self.recipe.panels):
            first, last = (measure(self.comparison, key, self.snapshot(key, at)) for at in (0, -1))
            climbed = first.mean_p, last.mean_p, first.k_mean_entropy, last.k_mean_entropy
            found[key] = PanelFacts(*climbed, last.accuracy_1nn, last.held_out_1nn, last.held_out_knn)
        return found

    def snapshot(self, key: str, iteration: int = -1) -> Snapshot | None:
        """A training at an iteration; None of a panel that was solved in one go."""
        return self.trajectories[key].snapshots[iteration] if key in self.trajectories else None

    def A(self, key: str, iteration: int = -1) -> np.ndarray:
        """The matrix at an iteration of the training, or as fitted."""
        at = self.snapshot(key, iteration) or self.comparison.panel(key)
        assert at.transformation is not None
        return at.transformation

    def evaluate(self, key: str, iteration: int, scale: float = 1.0) -> Evaluation:
        """p_i and entropies of the training rows at A of an iteration, times `scale`."""
        rows = self.comparison.prepared.train
        return panel_evaluator(self.comparison, key, rows).evaluate(scale * self.A(key, iteration))


measured = lru_cache(maxsize=32)(Measured)


@dataclass(frozen=True)
class PanelFacts:
    """The numbers of one panel that texts name by its key, as in "{nca.f:.2f}"."""

    f0: float  # f0, f: f/n = mean p_i (NCA paper, eq. 3, over n) at the start of the training and at its end
    f: float
    k0: float  # k0, k: K̂ = exp(mean entropy) at the start and at the end
    k: float
    right: float  # share of the training rows whose nearest other one is of their class
    new: float  # share of the held-out rows whose nearest training row is of their class
    vote: float  # share of the held-out rows that a vote of round(K̂) training rows classifies correctly


Facts = Callable[[Measured], Mapping[str, float]]
_PLACE = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True)
class Symbol:
    """A symbol, its meaning and its subscript."""

    base: str
    meaning: str
    below: str = ""


SYMBOLS = {
    "x": Symbol("x", "A row of the table: one number for each feature.", "i"),
    "A": Symbol(
        "A", "The matrix that projects. Each of its rows gives one axis of the picture. It is what is learned."
    ),
    "y": Symbol("y", "Where row i lies in the picture.", "i"),
    "y_j": Symbol("y", "Where row j lies in the picture.", "j"),
    "y_k": Symbol("y", "Where any other row k lies in the picture.", "k"),
    "p_ij": Symbol("p", "The chance that point i picks point j as its neighbour. Over all j these sum to 1.", "ij"),
    "p_ik": Symbol("p", "The chance that point i picks point k.", "ik"),
    "p_i": Symbol("p", "The chance that point i picks a neighbour of its own class.", "i"),
    "exp": Symbol("exp", "e to the power of what follows: 1 at distance 0, and soon almost 0."),
    "d2": Symbol("‖yᵢ − yⱼ‖²", "The squared distance of i and j in the picture."),
    "d2k": Symbol("‖yᵢ − yₖ‖²", "The squared distance of i and k in the picture."),
    "sum_k": Symbol("Σ", "The sum over all points k but i itself.", "k ≠ i"),
    "sum_same": Symbol("Σ", "The sum over the points j of i's own class.", "j of i's class"),
    "sum_i": Symbol("Σ", "The sum over all training points i.", "i"),
    "sum_j": Symbol("Σ", "The sum over all points j but i itself.", "j ≠ i"),
    "f": Symbol("f", "The number of points that NCA expects to be right; divided by n, their share."),
    "g": Symbol("g", "The logarithm of the chance that all points are right at once."),
    "n": Symbol("n", "The number of training points."),
    "log": Symbol("log", "The natural logarithm: 0 at 1, and without end towards minus at 0."),
    "K": Symbol("K̂", "How many neighbours influence a point, over all points."),
    "H": Symbol("H", "The entropy of i's choice: 0 if it always picks the same neighbour, log m among m alike.", "i"),
    "lambda": Symbol("λ", "How much a large A costs; 0 is nothing."),
    "norm": Symbol("‖A‖²", "The sum of all squared entries of A: its size."),
    "pull": Symbol("∂pᵢ", "How p_i grows when point j moves by a little: the arrow on point j."),
    "dy": Symbol("∂yⱼ", "A small move of point j in the picture."),
    "same": Symbol("s", "1 if j is of i's class, else 0.", "ij"),
    "toward": Symbol("(yᵢ − yⱼ)", "The direction from j to i."),
    "S_b": Symbol("S", "How far the class means lie apart.", "b"),
    "S_w": Symbol("S", "How far the points of a class spread around their mean.", "w"),
    "a": Symbol("a", "One direction: a row of A."),
}

FORMULAS = {
    "projection": "{y} = {A} {x}",
    "p_ij": "{p_ij} = {exp}(−{d2}) / {sum_k} {exp}(−{d2k})",
    "p_i": "{p_i} = {sum_same} {p_ij}",
    "f": "{f} = {sum_i} {p_i}",
    "f_whole": "{f} = {sum_i} {p_i},   {p_i} = {sum_same} {p_ij}",
    "g": "{g} = {sum_i} {log} {p_i}",
    "k": "{K} = {exp}( mean of {H} ),   {H} = −{sum_j} {p_ij} {log} {p_ij}",
    "penalty": "{f} − {lambda} {norm}",
    "pull": "{pull} / {dy} = 2 {p_ij} ({same} − {p_i}) {toward}",
    "lda": "greatest ratio of {a}ᵀ{S_b}{a} to {a}ᵀ{S_w}{a}",
}


def formula_parts(formula: str) -> list[str | Symbol]:
    """Split a formula into its symbols and the texts between them."""
    pieces = enumerate(_PLACE.split(FORMULAS[formula]))
    return [SYMBOLS[piece] if place % 2 else piece for place, piece in pieces if piece]

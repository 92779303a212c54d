"""PRESETS: comparisons that are worth making on any data; each replaces the panels of a recipe and leaves its rows."""

from __future__ import annotations

from dataclasses import dataclass, replace

from nca_core.methods import METHODS
from study.panel import PanelRecipe
from study.recipe import Recipe


@dataclass(frozen=True)
class Preset:
    """A comparison by name.

    Attributes
    ----------
    title : str
        What people choose.
    question : str
        What it answers, in a line.
    panels : tuple of PanelRecipe
        What stands side by side.
    """

    title: str
    question: str
    panels: tuple[PanelRecipe, ...]

    def on(self, recipe: Recipe) -> Recipe:
        """`recipe` with these panels on its own rows."""
        return replace(recipe, panels=self.panels)


def _present(*keys: str) -> tuple[PanelRecipe, ...]:
    """Panels of those of the methods that this version has."""
    return tuple(PanelRecipe(key) for key in keys if key in METHODS)


_ALL = {
    "objectives": Preset(
        "Objectives f and g",
        "Does it matter whether expected right answers or their log-probability is climbed?",
        (PanelRecipe("nca", title="NCA, f"), PanelRecipe("nca-2", {"objective": "g"}, title="NCA, g")),
    ),
    "starts": Preset(
        "Three starts",
        "Do climbs from PCA, from LDA and from a random A end in the same place?",
        (
            PanelRecipe("nca", title="NCA from PCA"),
            PanelRecipe("nca-2", start="lda", title="NCA from LDA"),
            PanelRecipe("nca-3", start="random", title="NCA from random"),
        ),
    ),
    "seeds": Preset(
        "Four random starts",
        "How much is luck?",
        tuple(
            PanelRecipe(key, start="random", random_state=seed, title=f"seed {seed}")
            for seed, key in enumerate(("nca", "nca-2", "nca-3", "nca-4"))
        ),
    ),
    "methods": Preset(
        "NCA, MCML, LDA, RCA",
        "Four ways to learn a metric from labels.",
        _present("nca", "mcml", "lda", "rca"),
    ),
    "twin": Preset(
        "NCA and its shuffled twin",
        "What does NCA find in labels that mean nothing?",
        (PanelRecipe("nca"), PanelRecipe("nca-2", labels="shuffled", title="NCA, shuffled labels")),
    ),
    "penalty": Preset(
        "Penalty λ",
        "What holds the scale of A back, and with it K̂?",
        (
            PanelRecipe("nca", title="λ = 0"),
            PanelRecipe("nca-2", {"regularisation": 0.1}, title="λ = 0.1"),
            PanelRecipe("nca-3", {"regularisation": 1.0}, title="λ = 1"),
        ),
    ),
    "diagonal": Preset("Full and diagonal A", "Is it enough to weigh the features?", _present("nca", "nca_diagonal")),
    "neural": Preset("Linear and neural", "Does a projection that bends find more?", _present("nca", "neural_nca")),
}
# Where a method is not in this version, there is nothing to compare.
PRESETS: dict[str, Preset] = {key: preset for key, preset in _ALL.items() if len(preset.panels) > 1}

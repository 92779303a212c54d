"""PRESETS: comparisons for any data; each replaces the panels of a recipe and keeps its rows.

The preset about noise adds noise columns for all panels and removes them from the features of some.
"""

from dataclasses import dataclass, replace

from study.panel import PanelRecipe
from study.recipe import Recipe

NOISE_COLUMNS = 20  # so many that PCA follows them


@dataclass(frozen=True)
class Preset:
    """A comparison by name."""

    title: str  # on the screen
    question: str  # what it answers, in a line
    panels: tuple[PanelRecipe, ...]  # what stands side by side
    needs_noise: bool = False  # adds columns of noise where there are none; those of the preset before always go

    def on(self, recipe: Recipe) -> Recipe:
        """`recipe` with these panels on its own rows."""
        noise = recipe.noise
        if noise.noise_columns == NOISE_COLUMNS and any(panel.features == "clean" for panel in recipe.panels):
            noise = replace(noise, noise_columns=0)
        if self.needs_noise and not noise.noise_columns:
            noise = replace(noise, noise_columns=NOISE_COLUMNS)
        return replace(recipe, noise=noise, panels=self.panels)


PRESETS: dict[str, Preset] = {
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
        tuple(map(PanelRecipe, ("nca", "mcml", "lda", "rca"))),
    ),
    "twin": Preset(
        "NCA and its shuffled twin",
        "What does NCA find in labels that mean nothing?",
        (PanelRecipe("nca"), PanelRecipe("nca-2", labels="shuffled", title="NCA, shuffled labels")),
    ),
    "noise": Preset(
        "With and without noise columns",
        "Do columns of noise mislead what looks at labels as much as what does not?",
        (
            PanelRecipe("pca", features="clean", title="PCA without noise"),
            PanelRecipe("pca-2", title="PCA with noise columns"),
            PanelRecipe("nca", features="clean", title="NCA without noise"),
            PanelRecipe("nca-2", title="NCA with noise columns"),
        ),
        needs_noise=True,
    ),
    "scaling": Preset(
        "Standardised or not",
        "Does the unit in which a feature is measured decide what is seen?",
        (
            PanelRecipe("pca", features="standardised", title="PCA, standardised"),
            PanelRecipe("pca-2", features="raw", title="PCA, as they came"),
            PanelRecipe("nca", features="standardised", title="NCA, standardised"),
            PanelRecipe("nca-2", features="raw", title="NCA, as they came"),
        ),
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
    "diagonal": Preset(
        "Full and diagonal A",
        "Is it enough to weigh the features?",
        (PanelRecipe("nca"), PanelRecipe("nca_diagonal")),
    ),
    "neural": Preset(
        "Linear and neural",
        "Does a projection that bends find more?",
        (PanelRecipe("nca"), PanelRecipe("neural_nca")),
    ),
}

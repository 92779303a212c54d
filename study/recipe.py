"""Recipe: everything that decides what a comparison shows; the whole truth of a session.

A page draws its widgets from a recipe and writes them into one; a link, a file and a lesson carry one.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from datasets.catalogue import DATASETS
from datasets.noise_lab import NoiseConfig
from datasets.preparation import PreparationConfig
from study.panel import PanelRecipe

MOST_PANELS = 9
OWN = "own"
PACES = {"calm": 0.25, "normal": 0.08, "full_speed": 0.0}  # least seconds between two iterations shown
DIMENSIONS = (2, 3)


@dataclass(frozen=True)
class DataRecipe:
    """Which data set.

    Attributes
    ----------
    key : str
        Key of the catalogue, of the local folder or of a download; "own" for a table brought along or drawn.
    parameters : tuple of (str, float)
        Of a generated set: those that differ from their defaults, by name.
    content : str
        Of one's own table: the fingerprint of its content. The table itself does not travel.
    name : str
        Of one's own table: what it is called.

    Raises
    ------
    ValueError
        For a parameter that the data set does not have, or a value outside its range.
    """

    key: str = "wine"
    parameters: tuple[tuple[str, float], ...] = ()
    content: str = ""
    name: str = ""

    def __post_init__(self) -> None:
        entry = DATASETS.get(self.key)
        known = {parameter.name: parameter for parameter in (entry.parameters if entry else ())}
        for name, value in self.parameters:
            if name not in known:
                raise ValueError(f"{self.key} has no parameter {name!r}; it has: {', '.join(known) or 'none'}.")
            known[name].check(value)
        chosen = tuple(sorted((name, value) for name, value in self.parameters if value != known[name].default))
        object.__setattr__(self, "parameters", chosen)


@dataclass(frozen=True)
class Recipe:
    """What is compared: the same rows, prepared and split in the same way, in up to nine panels.

    Attributes
    ----------
    data : DataRecipe
        The data set.
    noise : NoiseConfig
        What makes it harder.
    preparation : PreparationConfig
        Sample, split and preprocessing, with the seed of both draws.
    n_components : int
        Dimensions of every projection, 2 or 3.
    panels : tuple of PanelRecipe
        What stands side by side, 1 to 9, each with a key of its own.
    pace : str
        Key of PACES: how fast iterations follow one another on the stage.

    Raises
    ------
    ValueError
        With the field, its value and what is allowed.
    """

    data: DataRecipe = field(default_factory=DataRecipe)
    noise: NoiseConfig = field(default_factory=NoiseConfig)
    preparation: PreparationConfig = field(default_factory=PreparationConfig)
    n_components: int = 2
    panels: tuple[PanelRecipe, ...] = (PanelRecipe("pca"), PanelRecipe("lda"), PanelRecipe("nca"))
    pace: str = "normal"

    def __post_init__(self) -> None:
        if self.n_components not in DIMENSIONS:
            raise ValueError(f"dimensions is {self.n_components!r}; it must be 2 or 3.")
        if self.pace not in PACES:
            raise ValueError(f"pace is {self.pace!r}; it must be one of {', '.join(PACES)}.")
        if not 1 <= len(self.panels) <= MOST_PANELS:
            raise ValueError(f"panels: there are {len(self.panels)}; there must be 1 to {MOST_PANELS}.")
        before: dict[str, PanelRecipe] = {}
        for panel in self.panels:
            if panel.key in before:
                raise ValueError(f"panels: {panel.key} stands there twice; each panel needs a key of its own.")
            if panel.frame is not None:
                _check_frame(panel, before)
            before[panel.key] = panel

    def panel(self, key: str) -> PanelRecipe:
        """The panel of that key; KeyError where there is none."""
        return {panel.key: panel for panel in self.panels}[key]

    def with_panel(self, changed: PanelRecipe) -> Recipe:
        """The recipe with `changed` in the place of the panel of its key."""
        return replace(self, panels=tuple(changed if panel.key == changed.key else panel for panel in self.panels))


def with_data(recipe: Recipe, data: DataRecipe) -> Recipe:
    """The recipe on other data; what was said of one column of the data before goes, all else stays."""
    if (data.key, data.content) == (recipe.data.key, recipe.data.content):
        return replace(recipe, data=data)
    return replace(recipe, data=data, noise=replace(recipe.noise, rescaled_column=None))


def _check_frame(panel: PanelRecipe, before: dict[str, PanelRecipe]) -> None:
    """A frame comes from a trained panel that stands before this one and has a matrix over the same features."""
    frame = panel.frame
    source = before.get(frame.panel) if frame is not None else None
    if source is None or source.method.kind != "trained" or source.features != panel.features:
        trained = [key for key, p in before.items() if p.method.kind == "trained" and p.features == panel.features]
        allowed = ", ".join(trained) or "there is none"
        raise ValueError(
            f"{panel.key}.start is {panel.start!r}; a frame must come from a trained panel that stands before it and "
            f"sees the same features: {allowed}."
        )

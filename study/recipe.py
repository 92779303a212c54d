"""Recipe: everything that decides what a comparison shows; the whole truth of a session.

A page draws its widgets from a recipe and writes them into one; a link, a file and a lesson carry one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial

from datasets.catalogue import DATASETS, Parameter
from datasets.noise_lab import NoiseConfig
from datasets.preparation import PreparationConfig
from nca_core.methods.setting import Domain, Real, Whole
from study.fields import FIELDS
from study.panel import PanelRecipe, as_mapping, check, check_text, shown

MOST_PANELS = 9
OWN = "own"
ELSEWHERE = ("folder:", "openml:")  # how keys begin that one machine knows and another may not
LONGEST_KEY, LONGEST_CONTENT, LONGEST_NAME = 250, 64, 200


def parameter_domain(parameter: Parameter) -> Domain:
    """The values that a parameter of a generated data set may take."""
    if isinstance(parameter.default, int):
        return Whole(int(parameter.minimum), int(parameter.maximum), int(parameter.step))
    return Real(parameter.minimum, parameter.maximum, parameter.step)


@dataclass(frozen=True)
class DataRecipe:
    """Which data set.

    Attributes
    ----------
    key : str
        Key of the catalogue; "folder:..." or "openml:..." for what a catalogue elsewhere may hold; "own" for a table
        brought along or drawn.
    parameters : mapping of str to float
        Of a generated set: those that differ from their defaults; given as a mapping, kept as sorted pairs.
    content : str
        Of one's own table: the fingerprint of its content. The table itself does not travel.
    name : str
        Of one's own table: what it is called.

    Raises
    ------
    ValueError
        For a key that no list holds, a parameter that the data set does not have, a value outside its range, and a
        content or name of a table that is not one's own.
    """

    key: str = "rings"
    parameters: tuple[tuple[str, float], ...] | Mapping[str, float] = ()
    content: str = ""
    name: str = ""

    def __post_init__(self) -> None:
        check_text("data", self.key, LONGEST_KEY)
        entry = DATASETS.get(self.key)
        if entry is None and self.key != OWN and not self.key.startswith(ELSEWHERE):
            allowed = ", ".join([*DATASETS, OWN, *(f"{prefix}NAME" for prefix in ELSEWHERE)])
            raise ValueError(f"data is {shown(self.key)}; it must be one of {allowed}.")
        check_text("data.content", self.content, LONGEST_CONTENT)
        check_text("data.name", self.name, LONGEST_NAME)
        if self.key != OWN and (self.content or self.name):
            raise ValueError(f"data.content and data.name are of one's own tables; they must be empty with {self.key}.")
        given = as_mapping("data.parameters", self.parameters)
        known = {parameter.name: parameter for parameter in (entry.parameters if entry else ())}
        for name, value in given.items():
            if name not in known:
                raise ValueError(f"{self.key} has no parameter {shown(name)}; it has: {', '.join(known) or 'none'}.")
            check(f"data.{name}", value, parameter_domain(known[name]))
        chosen = tuple(sorted((name, value) for name, value in given.items() if value != known[name].default))
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
    preparation: PreparationConfig = field(default_factory=partial(PreparationConfig, held_out_fraction=None))
    n_components: int = 2
    panels: tuple[PanelRecipe, ...] = (PanelRecipe("pca"), PanelRecipe("lda"), PanelRecipe("nca"))
    pace: str = "normal"

    def __post_init__(self) -> None:
        parts = (("data", DataRecipe), ("noise", NoiseConfig), ("preparation", PreparationConfig))
        for name, kind in parts:
            if not isinstance(getattr(self, name), kind):
                raise ValueError(f"{name} is {shown(getattr(self, name))}; it must be a {kind.__name__}.")
        for setting in FIELDS.values():
            check(setting.name, setting.get(self), setting.domain)
        if not isinstance(self.panels, tuple) or not all(isinstance(panel, PanelRecipe) for panel in self.panels):
            raise ValueError(f"panels is {shown(self.panels)}; it must be a tuple of PanelRecipe.")
        if not 1 <= len(self.panels) <= MOST_PANELS:
            raise ValueError(f"panels: there are {len(self.panels)}; there must be 1 to {MOST_PANELS}.")
        before: dict[str, PanelRecipe] = {}
        for panel in self.panels:
            if panel.key in before:
                raise ValueError(f"panels: {panel.key} is listed twice; each panel needs a key of its own.")
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
    fit = [key for key, p in before.items() if p.gives_frames and p.features == panel.features]
    if source is None or source.key not in fit:
        allowed = ", ".join(fit) or "there is none"
        raise ValueError(
            f"{panel.key}.start is {panel.start!r}; a frame must come from a trained panel that stands before it, "
            f"has a matrix and sees the same features: {allowed}."
        )

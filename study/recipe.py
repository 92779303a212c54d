"""Recipe: everything that decides what a comparison shows; the whole truth of a session.

Pages draw their widgets from a recipe; links, files and lessons carry one.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial, reduce
from typing import Any, TypeVar

from datasets.catalogue import DATASETS, Parameter
from datasets.columns.splitting import SPLITS
from datasets.noise_lab import MOST_NOISE_COLUMNS, NoiseConfig
from datasets.preparation import PREPROCESSING, SAMPLING, PreparationConfig
from datasets.preparation_steps import REDUCTIONS
from nca_core.methods.method import Choice, Domain, Real, Whole
from study.panel import SEED, PanelRecipe, Text, check, difference_words, shown

MOST_COMPONENTS = 1_000
LARGEST_SAMPLE = 1_000_000
# Least seconds between two iterations shown; None: so that the picture moves calmly. "auto": none is chosen.
PACES: dict[str, float | None] = {"auto": None, "calm": None, "normal": 0.08, "full_speed": 0.0}
_Whole = TypeVar("_Whole")


@dataclass(frozen=True)
class Field:
    """A setting of a recipe."""

    name: str  # in links and files
    domain: Domain  # the values that it may take
    path: tuple[str, ...]  # path in a recipe: ("noise", "factor") is ``recipe.noise.factor``

    def get(self, recipe: Any) -> Any:
        """The value in `recipe`."""
        return reduce(getattr, self.path, recipe)

    def put(self, recipe: _Whole, value: Any) -> _Whole:
        """`recipe` with another value."""
        for depth in reversed(range(len(self.path))):
            part: Any = reduce(getattr, self.path[:depth], recipe)
            value = replace(part, **{self.path[depth]: value})
        return value


_ALL = (
    Field("noise.columns", Whole(0, MOST_NOISE_COLUMNS), ("noise", "noise_columns")),
    Field("noise.spread", Real(0.1, 10.0), ("noise", "noise_scale")),
    Field("noise.rescaled", Whole(0, 1_000_000, optional=True), ("noise", "rescaled_column")),
    Field("noise.factor", Real(-1e6, 1e6), ("noise", "factor")),
    Field("noise.flipped", Real(0.0, 1.0), ("noise", "flipped_share")),
    Field("noise.seed", SEED, ("noise", "random_state")),
    Field("scale", Choice(tuple(PREPROCESSING)), ("preparation", "step")),
    Field("reduction", Choice(tuple(REDUCTIONS)), ("preparation", "reduction")),
    Field("components", Whole(1, MOST_COMPONENTS, optional=True), ("preparation", "components")),
    Field("held_out", Real(0.0, 0.9, 0.05, optional=True), ("preparation", "held_out_fraction")),
    Field("test", Real(0.0, 0.5, 0.05), ("preparation", "test_fraction")),
    Field("rows", Whole(10, LARGEST_SAMPLE, optional=True), ("preparation", "max_rows")),
    Field("sampling", Choice(tuple(SAMPLING)), ("preparation", "sampling")),
    Field("split.by", Choice(tuple(SPLITS)), ("preparation", "split")),
    Field("split.column", Text(200), ("preparation", "split_column")),
    Field("split.seed", SEED, ("preparation", "random_state")),
    Field("dimensions", Whole(2, 3), ("n_components",)),
    Field("pace", Choice(tuple(PACES)), ("pace",)),
)
FIELDS: dict[str, Field] = {field.name: field for field in _ALL}


MOST_PANELS = 9
OWN = "own"
ELSEWHERE = ("folder:", "openml:")  # prefixes of keys that another machine may not know
LONGEST_KEY, LONGEST_CONTENT, LONGEST_NAME = 250, 64, 200


def parameter_domain(parameter: Parameter) -> Domain:
    """The values that a parameter of a generated data set may take."""
    if isinstance(parameter.default, int):
        return Whole(int(parameter.minimum), int(parameter.maximum), int(parameter.step))
    return Real(parameter.minimum, parameter.maximum, parameter.step)


@dataclass(frozen=True)
class DataRecipe:
    """Which data set.

    Raises ValueError for an unknown key or parameter, a value outside its range, and content, name or label without an
        own table.
    """

    # key of the catalogue; "folder:..." or "openml:..." for data that another machine may not have; "own" for an
    # uploaded or drawn table
    key: str = "rings"
    # of a generated set: those that differ from their defaults; given as a mapping, kept as sorted pairs
    parameters: tuple[tuple[str, float], ...] | Mapping[str, float] = ()
    content: str = ""  # fingerprint of an own table. The table itself is not part of the recipe.
    name: str = ""  # of an own table
    label: str = ""  # its label column, where that was chosen

    def __post_init__(self) -> None:
        check("data", self.key, Text(LONGEST_KEY))
        if not (self.key in DATASETS or self.key == OWN or self.key.startswith(ELSEWHERE)):
            allowed = ", ".join([*DATASETS, OWN, *(f"{prefix}NAME" for prefix in ELSEWHERE)])
            raise ValueError(f"data is {shown(self.key)}; it must be one of {allowed}.")
        check("data.content", self.content, Text(LONGEST_CONTENT))
        check("data.name", self.name, Text(LONGEST_NAME))
        check("data.label", self.label, Text(LONGEST_NAME))
        if self.key != OWN and (self.content or self.name or self.label):
            raise ValueError(
                f"data.content, data.name and data.label are of one's own tables; they must be empty with {self.key}."
            )
        given = dict(self.parameters)
        known = self.known_parameters
        for name, value in given.items():
            if name not in known:
                raise ValueError(f"{self.key} has no parameter {shown(name)}; it has: {', '.join(known) or 'none'}.")
            check(f"data.{name}", value, parameter_domain(known[name]))
        chosen = tuple(sorted((name, value) for name, value in given.items() if value != known[name].default))
        object.__setattr__(self, "parameters", chosen)

    @property
    def known_parameters(self) -> dict[str, Parameter]:
        """Those that a generated set has, by name; other data have none."""
        return {one.name: one for one in DATASETS[self.key].parameters} if self.key in DATASETS else {}


@dataclass(frozen=True)
class Recipe:
    """What is compared: the same rows, prepared and split in the same way, in up to nine panels.

    Raises ValueError with the field, its value and what is allowed.
    """

    data: DataRecipe = field(default_factory=DataRecipe)
    noise: NoiseConfig = field(default_factory=NoiseConfig)  # noise columns, a rescaled column, flipped labels
    # sample, split and preprocessing, with the seed of both draws
    preparation: PreparationConfig = field(default_factory=partial(PreparationConfig, held_out_fraction=None))
    n_components: int = 2  # dimensions of every projection, 2 or 3
    # 1 to 9, each with a key of its own
    panels: tuple[PanelRecipe, ...] = (PanelRecipe("pca"), PanelRecipe("lda"), PanelRecipe("nca"))
    pace: str = "auto"  # key of PACES: how fast iterations follow one another on the stage

    def __post_init__(self) -> None:
        for setting in FIELDS.values():
            check(setting.name, setting.get(self), setting.domain)
        if not 1 <= len(self.panels) <= MOST_PANELS:
            raise ValueError(f"Choose 1 to {MOST_PANELS} panels; {len(self.panels)} are chosen.")
        before: dict[str, PanelRecipe] = {}
        for panel in self.panels:
            if panel.key in before:
                raise ValueError(f"panels: {panel.key} is listed twice; each panel needs a key of its own.")
            if panel.frame is not None:
                # A frame comes from an earlier trained panel with a matrix over the same features.
                fit = [key for key, p in before.items() if p.gives_frames and p.features == panel.features]
                if panel.frame.panel not in fit:
                    raise ValueError(
                        f"{panel.key}.start is {panel.start!r}; a frame must come from a trained panel that stands "
                        f"before it, has a matrix and sees the same features: {', '.join(fit) or 'there is none'}."
                    )
            before[panel.key] = panel
        object.__setattr__(self, "panels", _distinguished(self.panels))

    def panel(self, key: str) -> PanelRecipe:
        """The panel of that key; KeyError where there is none."""
        return {panel.key: panel for panel in self.panels}[key]

    def with_panel(self, changed: PanelRecipe) -> "Recipe":
        """The recipe with `changed` in the place of the panel of its key."""
        return replace(self, panels=tuple(changed if panel.key == changed.key else panel for panel in self.panels))


def with_data(recipe: Recipe, data: DataRecipe) -> Recipe:
    """The recipe on other data; the choices of a rescaled column and of one to split by are dropped."""
    if (data.key, data.content) == (recipe.data.key, recipe.data.content):
        return replace(recipe, data=data)
    preparation = replace(recipe.preparation, split="stratified", split_column="")
    return replace(recipe, data=data, noise=replace(recipe.noise, rescaled_column=None), preparation=preparation)


def _distinguished(panels: tuple[PanelRecipe, ...]) -> tuple[PanelRecipe, ...]:
    """The panels with what sets each apart from the first of its method; two that differ alike keep their numbers."""
    first: dict[str, PanelRecipe] = {}
    found: list[PanelRecipe] = []
    for panel in panels:
        words = difference_words(first.setdefault(panel.method_key, panel), panel)
        known = {(other.method_key, other.distinction) for other in found}
        if words and (panel.method_key, words) in known:
            words += f" ({panel.key.partition('-')[2]})"
        found.append(replace(panel, distinction=words))
    return tuple(found)


DATA_SEED = "random_state"  # the parameter of a generated set that seeds it


def common_seed(recipe: Recipe) -> int | None:
    """The seed of noise, split, sample, starts and generated points; None where they have different ones."""
    seed = recipe.preparation.random_state
    return seed if with_seed(recipe, seed) == recipe else None


def with_seed(recipe: Recipe, seed: int) -> Recipe:
    """The recipe with `seed` for all draws, modulo the number of seeds that a generator has."""
    data = recipe.data
    if (seeds := data.known_parameters.get(DATA_SEED)) is not None:
        data = replace(data, parameters={**dict(data.parameters), DATA_SEED: seed % (int(seeds.maximum) + 1)})
    return replace(
        recipe,
        data=data,
        noise=replace(recipe.noise, random_state=seed),
        preparation=replace(recipe.preparation, random_state=seed),
        panels=tuple(replace(panel, random_state=seed) for panel in recipe.panels),
    )

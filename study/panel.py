"""PanelRecipe: one projection of a comparison: its method, labels, start and features."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import chain, count
from typing import Any

from nca_core.methods import METHODS
from nca_core.methods.method import Choice, Domain, Method, Whole
from study.features import PREPARED, TITLES


@dataclass(frozen=True)
class Text(Domain):
    """A text of at most `longest` letters that a file can hold: without halves of characters."""

    longest: int

    @property
    def allowed(self) -> str:
        return f"a text of at most {self.longest} letters"

    def accepts(self, value: Any) -> bool:
        return isinstance(value, str) and len(value) <= self.longest and not re.search("[\ud800-\udfff]", value)


LABELS = Choice(("true", "shuffled", "none"), ("as given", "shuffled", "none"))
FEATURES = Choice(tuple(TITLES), tuple(TITLES.values()))
SEED = Whole(0, 2**31 - 1)
KEY = re.compile(r"[a-z0-9_]+(-([2-9]|[1-9][0-9]))?")
FRAME = re.compile(r"(?P<panel>[a-z0-9_-]+)@(?P<iteration>[0-9]{1,6})")
LONGEST_TITLE = 60
TITLE = Text(LONGEST_TITLE)
# name in links and messages -> attribute of a panel, its domain
PANEL_FIELDS: dict[str, tuple[str, Domain]] = {
    "labels": ("labels", LABELS),
    "features": ("features", FEATURES),
    "seed": ("random_state", SEED),
    "title": ("title", TITLE),
}


@dataclass(frozen=True)
class BranchPoint:
    """An iteration of another panel, from whose A a training starts."""

    panel: str
    iteration: int


@dataclass(frozen=True)
class PanelRecipe:
    """One panel: four choices (method, labels, start, features) and a seed.

    Raises ValueError for a value outside its domain; the message names the field and what is allowed.
    """

    key: str  # unique in its recipe: the method's key, with "-2", "-3" ... for further panels of a method.
    # those that differ from the method's defaults; a mapping becomes sorted pairs
    settings: tuple[tuple[str, Any], ...] | Mapping[str, Any] = ()
    labels: str = "true"  # the labels that the method sees; a permutation keeps the number of members of each class
    # key of INITIALISATIONS, or "panel@iteration" for a frame of another panel; empty for the method's default
    start: str = ""
    features: str = PREPARED  # "prepared", a key of PREPARATIONS, or a key of KERNELS
    random_state: int = 0  # seed of random starts, of the method and of the permutation of labels
    title: str = ""  # empty for the method's title
    # what sets it apart from the first panel of its method, as in "λ = 0.1"; a Recipe finds it from all its panels
    distinction: str = field(default="", compare=False, repr=False)

    def __post_init__(self) -> None:
        if not isinstance(self.key, str) or not KEY.fullmatch(self.key) or self.method_key not in METHODS:
            raise ValueError(
                f"panel is {shown(self.key)}; it must be one of {', '.join(METHODS)}, alone or with -2, -3 ... behind."
            )
        given = dict(self.settings)
        known = {setting.key: setting for setting in self.method.settings}
        for name, value in given.items():
            if name not in known:
                raise ValueError(f"{self.key} has no setting {shown(name)}; it has: {', '.join(known) or 'none'}.")
            check(f"{self.key}.{name}", value, known[name].domain)
        chosen = tuple(sorted((name, value) for name, value in given.items() if value != known[name].default))
        object.__setattr__(self, "settings", chosen)
        for name, (attribute, domain) in PANEL_FIELDS.items():
            check(f"{self.key}.{name}", getattr(self, attribute), domain)
        check(f"{self.key}.start", self.start, TITLE)
        if self.start and self.frame is None and self.start not in self.method.starts:
            starts = ", ".join(self.method.starts)
            allowed = f"one of {starts}, or panel@iteration" if starts else f"empty: {self.method.title} has no start"
            raise ValueError(f"{self.key}.start is {shown(self.start)}; it must be {allowed}.")
        if self.method.starts and self.start == self.method.starts[0]:
            object.__setattr__(self, "start", "")

    @property
    def method_key(self) -> str:
        return self.key.partition("-")[0]

    @property
    def method(self) -> Method:
        return METHODS[self.method_key]

    @property
    def shown_title(self) -> str:
        """The title, by default the method's with the distinction of the panel, else with its number."""
        number = self.key.partition("-")[2]
        if self.title or not number:
            return self.title or self.method.title
        return f"{self.method.title}, {self.distinction}" if self.distinction else f"{self.method.title} {number}"

    @property
    def gives_frames(self) -> bool:
        """Whether another panel may start from its frames: it trains, and what it learns is a matrix."""
        return self.method.kind == "trained" and self.method.linear

    @property
    def frame(self) -> BranchPoint | None:
        """The frame of another panel that the training starts from; None for a named start."""
        found = FRAME.fullmatch(self.start) if self.method.starts else None
        return None if found is None else BranchPoint(found["panel"], int(found["iteration"]))

    @property
    def start_name(self) -> str:
        """Key of INITIALISATIONS, by default the method's; "" without starts."""
        return self.start or (self.method.starts[0] if self.method.starts else "")

    def all_settings(self) -> dict[str, Any]:
        """Every setting of the method with the value it has here."""
        return self.method.with_defaults(dict(self.settings))

    def with_setting(self, key: str, value: Any) -> "PanelRecipe":
        """The panel with `value` for the setting of its method that has this key."""
        return replace(self, settings={**dict(self.settings), key: value})


_MOST_DIFFERENCES = 2  # in a title
_SHORT = {"regularisation": "λ = {}", "objective": "objective {}", "optimiser": "{}", "max_iter": "{} iterations"}
_OF_LABELS = {"true": "labels as given", "shuffled": "shuffled labels", "none": "without labels"}


def difference_words(first: PanelRecipe, panel: PanelRecipe) -> str:
    """How `panel` differs from `first`, of the same method, as in "λ = 0.1, seed 3"; "" for a branch or a copy."""
    if panel.frame is not None:
        return ""
    there, here, said = first.all_settings(), panel.all_settings(), []
    for setting in panel.method.settings:
        if there[setting.key] != here[setting.key]:
            value = setting.domain.write(here[setting.key])
            title = f"{setting.title[:1].lower()}{setting.title[1:]} {{}}"
            said.append(_SHORT.get(setting.key, title).format(value))
    if panel.start != first.start:
        said.append(f"start {panel.start_name.replace('_', ' ')}")
    if panel.features != first.features:
        said.append(f"features {FEATURES.title(panel.features)}")
    if panel.labels != first.labels:
        said.append(_OF_LABELS[panel.labels])
    if panel.random_state != first.random_state:
        said.append(f"seed {panel.random_state}")
    return ", ".join([*said[:_MOST_DIFFERENCES], *["…"][: len(said) > _MOST_DIFFERENCES]])


def check(name: str, value: Any, domain: Domain) -> None:
    """Raise ValueError with the field, its value and what is allowed for a value outside the domain."""
    if not domain.accepts(value):
        raise ValueError(f"{name} is {shown(value)}; it must be {domain.allowed}.")


def shown(value: object) -> str:
    """The repr of `value` for a message, shortened."""
    try:
        return shortened(repr(value))
    except ValueError:  # a whole number of thousands of digits
        return "a number of thousands of digits"


def shortened(text: str) -> str:
    """The beginning of a text for a message."""
    return text if len(text) <= 60 else text[:59] + "…"


def free_key(method: str, taken: Mapping[str, Any] | set[str]) -> str:
    """A panel key for one more panel of `method`: "nca", "nca-2", "nca-3" ..."""
    keys = chain([method], (f"{method}-{number}" for number in count(2)))
    return next(key for key in keys if key not in taken)

"""PanelRecipe: one projection of a comparison: its method, the labels it sees, where it starts, what it is fed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from nca_core.kernel_features import KERNELS
from nca_core.methods import METHODS
from nca_core.methods.method import Method
from nca_core.methods.setting import Choice, Domain, Whole

PREPARED = "prepared"
LABELS = Choice(("true", "shuffled", "none"), ("as given", "shuffled", "none"))
FEATURES = Choice((PREPARED, *KERNELS), ("as prepared", *(kernel.title for kernel in KERNELS.values())))
SEED = Whole(0, 2**31 - 1)
KEY = re.compile(r"[a-z0-9_]+(-[0-9]+)?")
FRAME = re.compile(r"(?P<panel>[a-z0-9_-]+)@(?P<iteration>[0-9]{1,6})")
LONGEST_TITLE = 60


@dataclass(frozen=True)
class Frame:
    """An iteration of another panel, from whose A a training starts."""

    panel: str
    iteration: int


@dataclass(frozen=True)
class PanelRecipe:
    """One panel: four choices (method, labels, start, features) and the seed of whatever it draws.

    Attributes
    ----------
    key : str
        Names the panel within its recipe: the method's key, with "-2", "-3" ... where a method stands there again.
    settings : mapping of str to Any
        What was chosen otherwise than the method's defaults; given as a mapping, kept as sorted pairs.
    labels : {"true", "shuffled", "none"}
        The labels that the method sees; a permutation keeps the number of members of each class.
    start : str
        Key of INITIALISATIONS, or "panel@iteration" for a frame of another panel; empty for the method's default.
    features : str
        "prepared", or a key of KERNELS for features of the rows' similarities.
    random_state : int
        Seed of random starts, of the method and of the permutation of labels.
    title : str
        What the panel is called; empty for the method's title.

    Raises
    ------
    ValueError
        For a value that its domain does not hold; the message names the field and what is allowed.
    """

    key: str
    settings: tuple[tuple[str, Any], ...] | Mapping[str, Any] = ()
    labels: str = "true"
    start: str = ""
    features: str = PREPARED
    random_state: int = 0
    title: str = ""

    def __post_init__(self) -> None:
        if not KEY.fullmatch(self.key) or self.method_key not in METHODS:
            raise ValueError(f"panel is {self.key!r}; it must be one of {', '.join(METHODS)}, with -2, -3 ... behind.")
        given = dict(self.settings)
        known = {setting.key: setting for setting in self.method.settings}
        for name, value in given.items():
            if name not in known:
                raise ValueError(f"{self.key} has no setting {name!r}; it has: {', '.join(known) or 'none'}.")
            _check(f"{self.key}.{name}", value, known[name].domain)
        chosen = tuple(sorted((name, value) for name, value in given.items() if value != known[name].default))
        object.__setattr__(self, "settings", chosen)
        _check(f"{self.key}.labels", self.labels, LABELS)
        _check(f"{self.key}.features", self.features, FEATURES)
        _check(f"{self.key}.seed", self.random_state, SEED)
        if len(self.title) > LONGEST_TITLE:
            raise ValueError(f"{self.key}.title has {len(self.title)} letters; it must have at most {LONGEST_TITLE}.")
        if self.start and self.frame is None and self.start not in self.method.starts:
            starts = ", ".join(self.method.starts)
            allowed = f"one of {starts}, or panel@iteration" if starts else f"empty: {self.method.title} has no start"
            raise ValueError(f"{self.key}.start is {self.start!r}; it must be {allowed}.")
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
        """The title given, else the method's, with the panel's number where the method stands there again."""
        number = self.key.partition("-")[2]
        return self.title or (f"{self.method.title} {number}" if number else self.method.title)

    @property
    def frame(self) -> Frame | None:
        """The frame of another panel that the training starts from; None for a named start."""
        found = FRAME.fullmatch(self.start) if self.method.starts else None
        return None if found is None else Frame(found["panel"], int(found["iteration"]))

    @property
    def start_name(self) -> str:
        """Key of INITIALISATIONS; the method's default where nothing was chosen."""
        return self.start or (self.method.starts[0] if self.method.starts else "")

    def all_settings(self) -> dict[str, Any]:
        """Every setting of the method with the value it has here."""
        return self.method.with_defaults(dict(self.settings))


def _check(name: str, value: Any, domain: Domain) -> None:
    if not domain.accepts(value):
        raise ValueError(f"{name} is {value!r}; it must be {domain.allowed}.")


def free_key(method: str, taken: Mapping[str, Any] | set[str]) -> str:
    """A panel key for one more panel of `method`: "nca", "nca-2", "nca-3" ..."""
    number = 2
    key = method
    while key in taken:
        key, number = f"{method}-{number}", number + 1
    return key

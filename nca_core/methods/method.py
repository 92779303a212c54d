"""Method: everything that the product knows of a way to project labelled data, in one entry of METHODS."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

import numpy as np

from nca_core.objectives import OBJECTIVES
from nca_core.snapshot import Trajectory
from nca_core.training.config import TrainingConfig

# int() and float() also accept "1_000", "nan" and digits of other alphabets.
_WHOLE = re.compile(r"-?[0-9]{1,30}")
_REAL = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")


class Domain:
    """The values that a setting may take."""

    @property
    def allowed(self) -> str:
        """The allowed values, for a sentence that begins with 'it must be'."""
        raise NotImplementedError

    def accepts(self, value: Any) -> bool:
        """Whether `value`, a Python value, belongs to the domain."""
        raise NotImplementedError

    def read(self, text: str) -> Any:
        """Parse a value of the domain; ValueError for any other text."""
        if not self.accepts(text):
            raise ValueError(text)
        return text

    def write(self, value: Any) -> str:
        """The text from which `read` gives the same value again."""
        return str(value)


@dataclass(frozen=True)
class Choice(Domain):
    """One of several keys; `titles` are their display names, in the same order."""

    options: tuple[str, ...]
    titles: tuple[str, ...] = ()

    @property
    def allowed(self) -> str:
        return "one of " + ", ".join(option or "(nothing)" for option in self.options)

    def accepts(self, value: Any) -> bool:
        return isinstance(value, str) and value in self.options

    def title(self, option: str) -> str:
        """The words for `option`; the key itself where there are none."""
        return dict(zip(self.options, self.titles, strict=False)).get(option, option)


@dataclass(frozen=True)
class Real(Domain):
    """A finite number; with `optional`, also None, written as an empty text."""

    minimum: float
    maximum: float
    step: float = 0.1
    optional: bool = False

    _kind: ClassVar[type] = float
    _written = _REAL

    @property
    def allowed(self) -> str:
        return f"a number from {self.minimum:g} to {self.maximum:g}" + (" or empty" if self.optional else "")

    def accepts(self, value: Any) -> bool:
        if value is None:
            return self.optional
        return isinstance(value, (int, float)) and not isinstance(value, bool) and self.minimum <= value <= self.maximum

    def read(self, text: str) -> Any:
        if self.optional and text == "":
            return None
        if not (self._written.fullmatch(text) and self.accepts(self._kind(text))):
            raise ValueError(text)
        return self._kind(text)

    def write(self, value: Any) -> str:
        return "" if value is None else repr(float(value)).removesuffix(".0")


@dataclass(frozen=True)
class Whole(Real):
    """A whole number; with `optional`, also None, written as an empty text."""

    minimum: int
    maximum: int
    step: int = 1

    _kind, _written = int, _WHOLE

    @property
    def allowed(self) -> str:
        return f"a whole number from {self.minimum:,} to {self.maximum:,}" + (" or empty" if self.optional else "")

    def accepts(self, value: Any) -> bool:
        return not isinstance(value, float) and super().accepts(value)

    def write(self, value: Any) -> str:
        return "" if value is None else str(value)


@dataclass(frozen=True)
class Setting:
    """A setting of a method."""

    key: str  # its name in recipes, links and the method's keyword arguments
    title: str  # what a reader sees; at most about 28 letters
    default: Any  # the default; a member of `domain`
    domain: Domain  # the values that it may take
    help: str = ""  # help text, one or two sentences
    advanced: bool = True  # rarely changed: folded away


Kind = Literal["solved", "trained", "embedding"]


@dataclass(frozen=True)
class Fitted:
    """The fit of a closed-form method: a matrix, or coordinates where there is none."""

    transformation: np.ndarray | None = None  # A; new rows x are projected to A x, (n_components, n_features)
    # the places of the rows that were given, for a method without a matrix, (n_samples, n_components)
    embedding: np.ndarray | None = None
    note: str = ""  # a sentence for the panel; usually empty


@dataclass(frozen=True)
class Method:
    """An entry of METHODS."""

    key: str  # its name in recipes and links: small letters, digits and underscores
    title: str  # display name, one line of description, and the formula
    description: str
    formula: str
    # whether it is solved in one go, trained step by step, or gives coordinates instead of a matrix
    kind: Kind = "solved"
    # ``fit(X, y, n_components, random_state, **settings) -> Fitted``, for "solved" and "embedding". X is (n_samples,
    # n_features); y are class codes from 0, (n_samples,), negative for none.
    fit: Callable[..., Fitted] | None = None
    train: Callable[..., Trajectory] | None = None  # for "trained": as `nca_core.training.nca.train`
    # for "trained": what `train` takes for its config; the settings are fields of it
    config_class: type[TrainingConfig] = TrainingConfig
    fixed: Mapping[str, Any] = field(default_factory=dict)  # for "trained": fields of the config that are no settings
    settings: tuple[Setting, ...] = ()  # what may be chosen about it
    starts: tuple[str, ...] = ()  # for "trained": keys of INITIALISATIONS that it can start from, its default first
    needs_labels: bool = False  # it cannot do anything with unlabelled rows only
    fewest_samples: int = 0  # sizes of data that it is made for
    most_samples: int | None = None
    most_features: int | None = None
    instead: str = ""  # what to do with larger data, in the imperative, beside taking fewer rows or features
    # it trains on a label of numbers as it is, without a setting that says how two of them are compared
    numbers: bool = False
    # new rows x are projected to A x. Of a trained method that is not linear, snapshots hold coordinates.
    linear: bool = True
    # of a trained method that is not linear: ``initial_coordinates(X, y, config, initial, shown_rows)`` projects rows,
    # (n_shown, n_components), by the start of a training on X, y; `initial` is the A of the named start. Its `train`
    # takes `shown_rows` too.
    initial_coordinates: Callable[[np.ndarray, np.ndarray, Any, np.ndarray, np.ndarray], np.ndarray] | None = None
    climbed: str = ""  # for "trained": formula of the snapshots' objective; empty for that of the config
    penalised: str = "‖A‖²"  # for "trained": what its regularisation penalises

    @property
    def takes_numbers(self) -> bool:
        """Whether it trains on numeric labels as they are, in the place of classes."""
        return self.numbers or any(setting.key == "target_similarity" for setting in self.settings)

    def config(self, n_components: int, start: str, random_state: int, settings: Mapping[str, Any]) -> TrainingConfig:
        fields = {**self.fixed, **settings}
        return self.config_class(n_components=n_components, initialisation=start, random_state=random_state, **fields)

    def objective(self, config: TrainingConfig) -> str:
        """The formula of what the snapshots' objective is, its penalty included."""
        penalty = f" − {config.regularisation:g} {self.penalised}" if config.regularisation else ""
        return (self.climbed or OBJECTIVES[config.objective].formula) + penalty

    def problem(self, X: np.ndarray, y: np.ndarray, n_components: int) -> str:
        """Why it cannot run on training rows X, (n_samples, n_features), with class codes y, (n_samples,).

        One sentence; empty where it can.
        """
        n, n_features = X.shape
        n_classes = len(np.unique(y[y >= 0]))
        instead = f", or {self.instead}" if self.instead else ""
        if n_features == 0:
            return f"{self.title} needs features, and there are none."
        if self.kind != "embedding" and n_features < n_components:
            return f"{self.title} finds at most {n_features} directions in so many features; choose fewer."
        if self.needs_labels and n_classes < 2:
            seen = "one class" if n_classes else "no labels"
            return f"{self.title} compares classes, and it is given {seen}."
        if n < self.fewest_samples:
            return f"{self.title} needs at least {self.fewest_samples} rows, and there are {n}."
        if self.most_samples is not None and n > self.most_samples:
            return (
                f"{self.title} takes at most {self.most_samples:,} rows, and there are {n:,}: take a sample{instead}."
            )
        if self.most_features is not None and n_features > self.most_features:
            return (
                f"{self.title} takes at most {self.most_features:,} features, and there are {n_features:,}: "
                f"take PCA first{instead}."
            )
        return ""

    def with_defaults(self, settings: Mapping[str, Any]) -> dict[str, Any]:
        """`settings` completed by the defaults of those that it leaves open."""
        return {setting.key: settings.get(setting.key, setting.default) for setting in self.settings}

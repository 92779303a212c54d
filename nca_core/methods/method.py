"""Method: everything that the product knows of a way to project labelled data, in one entry of METHODS."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from nca_core.methods.setting import Setting
from nca_core.objectives import OBJECTIVES
from nca_core.snapshot import Trajectory
from nca_core.training_config import TrainingConfig

Kind = Literal["solved", "trained", "embedding"]


@dataclass(frozen=True)
class Fitted:
    """What a method gives that is solved in one go: a matrix, or coordinates where there is no matrix.

    Attributes
    ----------
    transformation : ndarray of shape (n_components, n_features) or None
        A; new rows x are projected to A x.
    embedding : ndarray of shape (n_samples, n_components) or None
        The places of the rows that were given, for a method without a matrix.
    note : str
        A sentence for the panel; empty where there is nothing to say.
    """

    transformation: np.ndarray | None = None
    embedding: np.ndarray | None = None
    note: str = ""


@dataclass(frozen=True)
class DataFacts:
    """What decides whether a method can run, known before it does.

    Attributes
    ----------
    n_samples, n_features : int
        Size of the training data.
    class_sizes : tuple of int
        Members of each class among the training rows; unlabelled rows are not counted.
    """

    n_samples: int
    n_features: int
    class_sizes: tuple[int, ...]

    @property
    def n_classes(self) -> int:
        return len(self.class_sizes)


def facts_of(X: np.ndarray, y: np.ndarray) -> DataFacts:
    """The facts of training rows X, (n_samples, n_features), with class codes y, (n_samples,)."""
    sizes = np.unique(y[y >= 0], return_counts=True)[1]
    return DataFacts(len(X), X.shape[1], tuple(int(size) for size in sizes))


def always_possible(facts: DataFacts, n_components: int) -> str:
    """The `why_not` of a method that needs nothing special."""
    return ""


def objective_over_a(config: TrainingConfig) -> str:
    """The formula of what is climbed in A, its penalty included."""
    penalty = f" − {config.regularisation:g} ‖A‖²" if config.regularisation else ""
    return OBJECTIVES[config.objective].formula + penalty


@dataclass(frozen=True)
class Method:
    """An entry of METHODS.

    Attributes
    ----------
    key : str
        Its name in recipes and links: small letters, digits and underscores.
    title, description, formula : str
        What people read: a name, one line, and the formula in a line.
    kind : {"solved", "trained", "embedding"}
        Whether it is solved in one go, trained step by step, or gives coordinates instead of a matrix.
    fit : callable or None
        ``fit(X, y, n_components, random_state, **settings) -> Fitted``, for "solved" and "embedding". X is
        (n_samples, n_features); y are class codes from 0, (n_samples,), UNLABELLED for none.
    train : callable or None
        For "trained": as `nca_core.training.train`.
    config : callable or None
        For "trained": ``config(n_components, start, random_state, settings) -> TrainingConfig``.
    settings : tuple of Setting
        What may be chosen about it.
    starts : tuple of str
        For "trained": keys of INITIALISATIONS that it can start from, its default first.
    needs_labels : bool
        It cannot do anything with unlabelled rows only.
    why_not : callable
        ``why_not(facts, n_components)`` gives the sentence why it cannot run on such data, empty where it can; asked
        after the needs that all methods share.
    numbers : bool
        It trains on a label of numbers as it is, without a setting that says how two of them are compared.
    linear : bool
        New rows x are projected to A x. Of a trained method that is not linear, snapshots hold coordinates.
    places : callable or None
        Of a trained method that is not linear: ``places(X, y, config, initial, placed)`` gives where the start of a
        training on X, y puts rows `placed`, (n_placed, n_components); `initial` is the A of the named start. Its
        `train` takes the rows that coordinates are of as `placed`.
    objective : callable
        For "trained": ``objective(config)`` gives the formula of what the snapshots' `objective` is.
    """

    key: str
    title: str
    description: str
    formula: str
    kind: Kind
    fit: Callable[..., Fitted] | None = None
    train: Callable[..., Trajectory] | None = None
    config: Callable[[int, str, int, Mapping[str, Any]], TrainingConfig] | None = None
    settings: tuple[Setting, ...] = ()
    starts: tuple[str, ...] = ()
    needs_labels: bool = False
    why_not: Callable[[DataFacts, int], str] = always_possible
    numbers: bool = False
    linear: bool = True
    places: Callable[[np.ndarray, np.ndarray, Any, np.ndarray, np.ndarray], np.ndarray] | None = None
    objective: Callable[[TrainingConfig], str] = objective_over_a

    @property
    def takes_numbers(self) -> bool:
        """Whether it trains on numeric labels as they are, in the place of classes."""
        return self.numbers or any(setting.key == "target_similarity" for setting in self.settings)

    def problem(self, facts: DataFacts, n_components: int) -> str:
        """Why it cannot run on such data, as one sentence; empty where it can."""
        if facts.n_features == 0:
            return f"{self.title} needs features, and there are none."
        if self.kind != "embedding" and facts.n_features < n_components:
            return f"{self.title} finds at most {facts.n_features} directions in so many features; choose fewer."
        if self.needs_labels and facts.n_classes < 2:
            seen = "one class" if facts.n_classes else "no labels"
            return f"{self.title} compares classes, and it is given {seen}."
        return self.why_not(facts, n_components)

    def with_defaults(self, settings: Mapping[str, Any]) -> dict[str, Any]:
        """`settings` completed by the defaults of those that it leaves open."""
        return {setting.key: settings.get(setting.key, setting.default) for setting in self.settings}

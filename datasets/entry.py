"""Entry: what the catalogue knows of a data set before it is loaded."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from datasets.dataset import Dataset, Source


@dataclass(frozen=True)
class Parameter:
    """A number that a generator takes; the page makes a slider of it. Integers stay integers."""

    name: str
    label: str
    default: float
    minimum: float
    maximum: float
    step: float
    help: str = ""


@dataclass(frozen=True)
class Entry:
    """A line of the catalogue: `load(**parameters)` gives the data set."""

    key: str
    title: str
    description: str
    kind: str  # "bundled" | "generator"
    source: Source
    load: Callable[..., Dataset]
    parameters: tuple[Parameter, ...] = ()

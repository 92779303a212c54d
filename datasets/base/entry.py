"""Entry: what the catalogue knows of a data set before it is loaded."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from datasets.base.dataset import Dataset, Source


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

    def check(self, value: float) -> None:
        """Raises ValueError for a value outside minimum … maximum, and for a broken number where a count is meant."""
        if not self.minimum <= value <= self.maximum:  # NaN too
            raise ValueError(f"{self.label}: {value} is outside {self.minimum} … {self.maximum}.")
        if isinstance(self.default, int) and not isinstance(value, int):
            raise ValueError(f"{self.label}: {value} must be a whole number.")


@dataclass(frozen=True)
class Entry:
    """A line of the catalogue: `load(**parameters)` returns the data set."""

    key: str
    title: str
    description: str
    kind: str  # "bundled" | "generator" | "download" | "folder"
    source: Source
    load: Callable[..., Dataset]
    parameters: tuple[Parameter, ...] = ()
    version: str = ""  # changes with what `load` returns: of a file, its time and size
    # Of kind "download": fetches with progress and cancel; `load` does the same without them.
    # Takes a Watch and returns an Opened, both of `datasets.downloads`, which imports this file.
    download: Callable[[Any], Any] | None = None

    @property
    def defaults(self) -> dict[str, float]:
        """The value at which each parameter begins."""
        return {parameter.name: parameter.default for parameter in self.parameters}

"""OutcomeStore: outcomes of finished cells on disk, found by a hash of cell, data and version."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import uuid
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from datasets.downloads.cache import default_folder
from study.experiments.base.cell import Cell, Outcome
from study.link import to_link
from study.recipe import Recipe

VARIABLE = "NCA_EXPLORER_EXPERIMENTS"


def store_folder() -> Path:
    """NCA_EXPLORER_EXPERIMENTS, else "experiments" in the cache folder of the app."""
    own = os.environ.get(VARIABLE, "")
    return Path(own).expanduser() if own else default_folder() / "experiments"


def key_of(cell: Cell, mark: str, version: int) -> str:
    """The name of a cell in the store; `mark` identifies its data, `version` is that of its experiment."""
    text = json.dumps([_names(cell), mark, version], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:40]


def _names(cell: Cell) -> dict[str, Any]:
    """Everything that decides its numbers but the data and the code."""
    panels = tuple(replace(panel, title="") for panel in cell.recipe.panels)
    own = {name: getattr(cell, name) for name in cell.__dataclass_fields__ if name != "recipe"}
    return {**own, "recipe": to_link(replace(cell.recipe, panels=panels, pace=Recipe().pace))}


@lru_cache(maxsize=20_000)
def key_of_split(cell: Cell, seed: int, mark: str, version: int) -> str:
    """The name of `cell.seeded(seed)`; cached, as a table needs thousands."""
    return key_of(cell.seeded(seed), mark, version)


KEPT = Path(__file__).parents[1] / "kept.json.gz"  # the run that comes with the program


@dataclass(frozen=True)
class KeptRun:
    """Outcomes of a whole run by key, and where it was made."""

    provenance: str = ""
    outcomes: Mapping[str, Outcome] = field(default_factory=dict)


@lru_cache(maxsize=1)
def kept_run() -> KeptRun:
    """Read the kept run; an empty one where the file is missing."""
    if not KEPT.exists():
        return KeptRun()
    read = json.loads(gzip.decompress(KEPT.read_bytes()))
    return KeptRun(read["provenance"], {key: Outcome(**outcome) for key, outcome in read["outcomes"].items()})


def keep_run(provenance: str, outcomes: Mapping[str, Outcome], path: Path = KEPT) -> None:
    """Write the kept run, compact: numbers of six digits, places of three, no library versions."""
    packed = {}
    for key, outcome in outcomes.items():
        short = {name: float(f"{value:.6g}") for name, value in outcome.numbers.items()}
        places = [[float(f"{value:.3g}") for value in place] for place in outcome.places]
        found = asdict(replace(outcome, numbers=short, places=places, versions={}, seconds=round(outcome.seconds, 3)))
        packed[key] = {name: value for name, value in found.items() if value}
    text = json.dumps({"provenance": provenance, "outcomes": packed}, separators=(",", ":"))
    path.write_bytes(gzip.compress(text.encode(), 9, mtime=0))


@dataclass(frozen=True)
class OutcomeStore:
    """Outcomes in a folder, each in a file of its own."""

    folder: Path

    def get(self, key: str) -> Outcome | None:
        """Read an outcome; None where there is none, and of a file that cannot be read."""
        try:
            # Earlier versions wrote a checksum above the outcome.
            return Outcome(**json.loads(self._path(key).read_bytes().rpartition(b"\n")[2]))
        except (OSError, ValueError, TypeError):
            return None

    def put(self, key: str, outcome: Outcome) -> None:
        """Write to another name, then rename, so that a file is whole; OSError where the folder cannot be written."""
        path = self._path(key)
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_suffix(f".{uuid.uuid4().hex}.part")
        try:
            part.write_text(json.dumps(asdict(outcome)))
            part.replace(path)
        finally:
            part.unlink(missing_ok=True)

    def _path(self, key: str) -> Path:
        return self.folder / key[:2] / f"{key}.json"

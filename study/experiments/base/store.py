"""Store: finished cells on disk, found by a hash of cell, data and code; a damaged one counts as missing."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import tempfile
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from datasets.downloads.cache import default_folder
from study.experiments.base.cell import Cell
from study.experiments.base.outcome import Outcome
from study.experiments.base.version import code_version
from study.link import to_link
from study.recipe import Recipe

VARIABLE = "NCA_EXPLORER_EXPERIMENTS"


def store_folder() -> Path:
    """NCA_EXPLORER_EXPERIMENTS, else "experiments" in the cache folder of the app."""
    own = os.environ.get(VARIABLE, "")
    return Path(own).expanduser() if own else default_folder() / "experiments"


def key_of(cell: Cell, mark: str, version: str = "") -> str:
    """The name of a cell in the store; `mark` tells its data from others, `version` is that of the code."""
    said = json.dumps([_names(cell), mark, version or code_version()], sort_keys=True)
    return hashlib.sha256(said.encode()).hexdigest()[:40]


def _names(cell: Cell) -> dict[str, Any]:
    """Everything that decides its numbers but the data and the code."""
    panels = tuple(replace(panel, title="") for panel in cell.recipe.panels)
    own = {name: getattr(cell, name) for name in cell.__dataclass_fields__ if name != "recipe"}
    return {**own, "recipe": to_link(replace(cell.recipe, panels=panels, pace=Recipe().pace))}


@lru_cache(maxsize=20_000)
def key_of_split(cell: Cell, seed: int, mark: str) -> str:
    """The name of `cell.seeded(seed)`; remembered, as a table asks for thousands."""
    return key_of(cell.seeded(seed), mark)


@dataclass(frozen=True)
class Store:
    """Outcomes in a folder, each in a file that is there as a whole or not at all."""

    folder: Path

    def get(self, key: str) -> Outcome | None:
        """What is stored under `key`; None where nothing is, and where it was damaged."""
        try:
            checksum, _, text = self._path(key).read_bytes().partition(b"\n")
        except OSError:
            return None
        if checksum != _checksum(text):
            return None
        try:
            return Outcome(**json.loads(text))
        except (ValueError, TypeError):  # written by a version that stored other things
            return None

    def put(self, key: str, outcome: Outcome) -> None:
        """Write beside, then move; OSError where the folder cannot be written."""
        path = self._path(key)
        path.parent.mkdir(parents=True, exist_ok=True)
        text = json.dumps(asdict(outcome)).encode()
        part = None
        try:
            with tempfile.NamedTemporaryFile(dir=path.parent, suffix=".part", delete=False) as file:
                part = Path(file.name)
                file.write(_checksum(text) + b"\n" + text)
                file.flush()
                os.fsync(file.fileno())
            part.replace(path)
        except BaseException:
            if part is not None:
                with contextlib.suppress(OSError):
                    part.unlink()
            raise

    def _path(self, key: str) -> Path:
        return self.folder / key[:2] / f"{key}.json"


def _checksum(text: bytes) -> bytes:
    return hashlib.sha256(text).hexdigest().encode()

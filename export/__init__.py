"""EXPORTS: key -> Export, what can be taken away; a new one is one file in this folder and one line here."""

from __future__ import annotations

from export.entry import Export
from export.script import SCRIPT

_ALL = (SCRIPT,)
EXPORTS: dict[str, Export] = {export.key: export for export in _ALL}

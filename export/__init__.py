"""EXPORTS: key -> Export, what can be taken away; a new one is one file in this folder and one line here."""

from __future__ import annotations

from export.coordinates import COORDINATES
from export.entry import Export
from export.film import FILM
from export.model import MODEL
from export.player import PLAYER
from export.script import SCRIPT

_ALL = (PLAYER, FILM, COORDINATES, MODEL, SCRIPT)
EXPORTS: dict[str, Export] = {export.key: export for export in _ALL}

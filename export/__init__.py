"""EXPORTS: key -> Export. A new one is a file in this folder and a line here."""

from export.coordinates import COORDINATES
from export.entry import Export
from export.film import FILM
from export.model import MODEL
from export.player import PLAYER
from export.script import SCRIPT

EXPORTS: dict[str, Export] = {export.key: export for export in (PLAYER, FILM, COORDINATES, MODEL, SCRIPT)}

"""Parts: what of a workspace stands in the store beside its meta; each is written once and has its content's name."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from pages.server.store import Store


@dataclass
class Parts:
    """The parts of one workspace while it is written.

    Attributes
    ----------
    store, folder
        Where.
    there : mapping of str to int
        The parts that are there already, with the number that `ends` says of them.
    known : mapping of str to (object, str)
        By place what stood there before, and the part that has it.
    ends : dict of str to int
        The parts that are to be there from now on; of those of a run how many snapshots there are up to its end.
    kept : dict of str to (object, str)
        As `known`, from now on.
    """

    store: Store
    folder: str
    there: Mapping[str, int]
    known: Mapping[str, tuple[object, str]]
    ends: dict[str, int] = field(default_factory=dict)
    kept: dict[str, tuple[object, str]] = field(default_factory=dict)

    def keep(self, place: str, thing: object, kind: str, content: Callable[[], bytes]) -> str:
        """The part that has `thing`, which never changes; `content` is asked for where it is another than before."""
        before = self.known.get(place)
        if before is not None and before[0] is thing and before[1] in self.there:
            part = before[1]
        else:
            said = content()
            part = f"{kind}-{hashlib.sha256(said).hexdigest()[:40]}.npz"
            if part not in self.there and part not in self.ends:
                self.store.write(self.folder, part, said)
        self.ends[part] = 0
        self.kept[place] = thing, part
        return part

    def add(self, part: str, content: Callable[[], bytes], end: int = 0) -> None:
        """A part with a name of its own."""
        if part not in self.there:
            self.store.write(self.folder, part, content())
        self.ends[part] = end

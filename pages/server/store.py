"""Store: what workspaces hold, on disk or wherever fsspec reaches, so that a restart of the server loses no work.

    <store>/<hash of the owner's cookie>/<hash of the token>/meta.json.gz, and the parts that it names

A part is written once and never changed, and `meta` last and in one piece, so that whatever is interrupted leaves what
was there before. Cookies and tokens are not in it.

    <store>/.nca-store-<random>

is its mark, by which servers see that another disk or folder, or none, is in its place.
"""

from __future__ import annotations

import contextlib
import errno
import gzip
import hashlib
import json
import os
import secrets
import time
from collections.abc import Callable
from typing import Any

import fsspec
from fsspec.implementations.local import LocalFileSystem

VERSION = 2
Meta = dict[str, Any]  # what a workspace is, and which parts it has
_META = "meta.json.gz"
_MARK = ".nca-store-"
_GONE = "The store is gone, or another one is in its place"
_SKEW = 60.0  # seconds by which the clocks of servers that share a store may differ


class Store:
    """A folder for each workspace.

    Parameters
    ----------
    address : str
        A folder, or an address that fsspec knows ("s3://bucket/nca").
    seconds : float
        After which a workspace that nobody has looked at goes.
    most_bytes : float
        Of all workspaces together; the oldest go first.
    apart : str
        Which of the servers that write there this one is, where they are not to take up each other's workspaces.
    clock, steady : callable
        The time of day, which all servers of a store share, and one that nobody sets.
    """

    def __init__(
        self,
        address: str,
        seconds: float,
        most_bytes: float = 2e9,
        apart: str = "",
        clock: Callable[[], float] = time.time,
        steady: Callable[[], float] = time.monotonic,
    ) -> None:
        self._steady = steady
        self._fs, self._root = fsspec.core.url_to_fs(os.path.expanduser(address))
        self._seconds, self._most_bytes, self._apart, self._clock = seconds, most_bytes, apart, clock
        self._mark: str | None = None
        self._seen: dict[str, tuple[float | None, float]] = {}  # folder -> the time it names, and since when we know it

    def folder(self, owner: str, token: str) -> str:
        return f"{self._folder_of(owner)}/{_hashed(token)}"

    def _folder_of(self, owner: str) -> str:
        return f"{self._root}/{_hashed(owner + self._apart)}"

    def make_root(self) -> None:
        """The folder of all; on a disk it is the user's alone.

        Raises
        ------
        OSError
            Where there can be none.
        """
        if isinstance(self._fs, LocalFileSystem) and not os.path.isdir(self._root):
            os.makedirs(self._root, mode=0o700, exist_ok=True)

    def now(self) -> float:
        """The time of day by which it is kept."""
        return self._clock()

    def recognise(self) -> None:
        """See whether the store is the one of before; the first time mark it where it has no mark.

        A disk that was unmounted leaves a folder which can be written, too. A mark is an empty file with a random name,
        so that servers which make one at the same time find theirs beside the other.

        Raises
        ------
        OSError
            Where it is another one or none, or cannot be reached or marked.
        """
        if self._mark is None:
            self.make_root()
            self._fs.makedirs(self._root, exist_ok=True)
            names = [path.rpartition("/")[2] for path in self._fs.ls(self._root, detail=False, refresh=True)]
            marks = sorted(name for name in names if name.startswith(_MARK))
            mark = f"{self._root}/{marks[0] if marks else _MARK + secrets.token_hex(8)}"
            if not marks:
                self._fs.pipe_file(mark, b"")
            self._mark = mark
            return
        try:
            self._fs.cat_file(self._mark)  # `exists` may know it from a listing of before
        except FileNotFoundError:
            raise FileNotFoundError(errno.ENOENT, _GONE, self._root) from None

    def write(self, folder: str, name: str, content: bytes) -> None:
        """A part, in one piece or not at all."""
        self.make_root()
        self._fs.makedirs(folder, exist_ok=True)
        beside = f"{folder}/.{name}.{os.getpid()}"
        try:
            self._fs.pipe_file(beside, content)
            self._fs.mv(beside, f"{folder}/{name}")
        except BaseException:
            if self._fs.exists(beside):
                self._fs.rm(beside)
            raise

    def write_meta(self, folder: str, meta: Meta) -> None:
        """What the workspace is, which names its parts; all other parts go."""
        text = json.dumps({**meta, "version": VERSION, "at": self._clock()})
        self.write(folder, _META, gzip.compress(text.encode(), 5))
        for path in self._fs.ls(folder, detail=False, refresh=True):
            name = path.rpartition("/")[2]
            if name != _META and name not in meta["parts"]:  # also what a killed server left half written
                self._fs.rm(path)

    def holds(self, folder: str) -> bool:
        """Whether the workspace is there still, as far as this can be told at no cost: on a disk."""
        return not isinstance(self._fs, LocalFileSystem) or os.path.exists(f"{folder}/{_META}")

    def read(self, folder: str, name: str) -> bytes:
        return self._fs.cat_file(f"{folder}/{name}")

    def metas(self, owner: str) -> list[tuple[str, Meta]]:
        """(folder, meta) of the workspaces of one browser, the newest first; what cannot be read is left out."""
        found = []
        for folder in self._folders(self._folder_of(owner)):
            meta = self.meta_of(folder)
            if meta is not None and self._age(folder, meta["at"]) < self._seconds:
                found.append((folder, meta))
        return sorted(found, key=lambda each: each[1]["at"], reverse=True)

    def remove(self, folder: str) -> None:
        self._seen.pop(folder, None)
        if self._fs.exists(folder):
            self._fs.rm(folder, recursive=True)

    def sweep(self) -> None:
        """What is too old goes, then the oldest of what is too much; nothing of another folder in its place.

        Raises
        ------
        OSError
            As `recognise`.
        """
        self.recognise()
        there = []
        for owner in self._folders(self._root):
            for folder in self._folders(owner):
                meta = self.meta_of(folder)
                there.append((self._age(folder, meta["at"] if meta else None), self._fs.du(folder), folder))
        there.sort(reverse=True)
        total = sum(size for _, size, _ in there)
        for age, size, folder in there:
            if age >= self._seconds or total > self._most_bytes:
                self.remove(folder)
                total -= size
        for owner in self._folders(self._root):
            if not self._folders(owner):
                with contextlib.suppress(OSError):  # another server has just begun to write there
                    self._fs.rmdir(owner)

    def _age(self, folder: str, at: float | None) -> float:
        """Seconds since it was written; since we first saw it where that cannot be told.

        So it is where the clock was set back, and where another server has not written its meta yet.
        """
        if at is not None and (age := self._clock() - at) >= -_SKEW:
            self._seen.pop(folder, None)
            return age
        named, since = self._seen.get(folder, (at, self._steady()))
        if named != at:
            since = self._steady()
        self._seen[folder] = at, since
        return self._steady() - since

    def _folders(self, of: str) -> list[str]:
        try:
            return [each["name"] for each in self._fs.ls(of, detail=True, refresh=True) if each["type"] == "directory"]
        except FileNotFoundError:
            return []

    def meta_of(self, folder: str) -> Meta | None:
        """What was written last; None where nothing was, or it cannot be read."""
        try:
            meta = json.loads(gzip.decompress(self.read(folder, _META)))
            return meta if meta["version"] == VERSION and float(meta["at"]) >= 0 else None
        except (OSError, EOFError, ValueError, KeyError, TypeError):
            return None


def _hashed(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:32]

"""Cache: what was downloaded, on disk, bounded; whole files only, and a damaged one counts as missing."""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path

VARIABLE = "NCA_EXPLORER_CACHE"
_ENDING = ".cached"
_PART = ".part"


def cache_folder() -> Path:
    """NCA_EXPLORER_CACHE, else nca-explorer in XDG_CACHE_HOME, else ~/.cache/nca-explorer."""
    own = os.environ.get(VARIABLE, "")
    if own:
        return Path(own).expanduser()
    shared = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(shared) if shared else Path.home() / ".cache") / "nca-explorer"


@dataclass(frozen=True)
class Cache:
    """Bytes by key in one folder. A folder that cannot be written keeps nothing and is no error."""

    folder: Path | None = None  # where; `cache_folder()` at each use where None, so that the environment decides
    most_bytes: int = 500_000_000  # in all; beyond it what was not used for longest goes

    def get(self, key: str) -> bytes | None:
        """What was put under `key`, or None; using it makes it young again."""
        path = self._path(key)
        try:
            checksum, _, data = path.read_bytes().partition(b"\n")
        except OSError:
            return None
        if checksum != _checksum(data):
            with contextlib.suppress(OSError):
                path.unlink()
            return None
        with contextlib.suppress(OSError):
            os.utime(path)
        return data

    def put(self, key: str, data: bytes) -> None:
        """Keep `data`: written beside and then moved, so that a reader sees all of it or none."""
        if len(data) > self.most_bytes:
            return
        path = self._path(key)
        with contextlib.suppress(OSError):
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile(dir=path.parent, suffix=_PART, delete=False) as file:
                file.write(_checksum(data) + b"\n" + data)
            Path(file.name).replace(path)
            self._shrink(path)

    def remove(self, key: str) -> None:
        with contextlib.suppress(OSError):
            self._path(key).unlink()

    def _path(self, key: str) -> Path:
        # Users choose the names: only their hash becomes a file name.
        return (self.folder or cache_folder()) / (hashlib.sha256(key.encode()).hexdigest()[:40] + _ENDING)

    def _shrink(self, newest: Path) -> None:
        """Remove the files used longest ago, half written ones that a crash left included, until the rest fits."""
        files = []
        for path in newest.parent.iterdir():
            if path != newest and path.suffix in (_ENDING, _PART):
                with contextlib.suppress(OSError):  # removed meanwhile
                    state = path.stat()
                    files.append((state.st_mtime_ns, state.st_size, path))
        room = self.most_bytes - newest.stat().st_size
        for _, size, path in sorted(files, reverse=True):
            room -= size
            if room < 0:
                path.unlink(missing_ok=True)


def _checksum(data: bytes) -> bytes:
    return hashlib.sha256(data).hexdigest().encode()

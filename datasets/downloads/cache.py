"""Cache: what was downloaded, on disk, bounded; whole files only, and a damaged one counts as missing."""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

VARIABLE = "NCA_EXPLORER_CACHE"
_ENDING = ".cached"
_PART = ".part"
_STALE_SECONDS = 3600.0


def default_folder() -> Path:
    """NCA_EXPLORER_CACHE, else nca-explorer in XDG_CACHE_HOME, else ~/.cache/nca-explorer."""
    own = os.environ.get(VARIABLE, "")
    if own:
        return Path(own).expanduser()
    shared = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(shared) if shared else Path.home() / ".cache") / "nca-explorer"


@dataclass(frozen=True)
class Cache:
    """Bytes by key in one folder. A folder that cannot be written keeps nothing and is no error.

    Attributes
    ----------
    folder : Path | None
        Where; `default_folder()` at each use where None, so that the environment decides.
    most_bytes : int
        In all; beyond it what was not used for longest goes.
    """

    folder: Path | None = None
    most_bytes: int = 500_000_000

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
        path = self._path(key)
        if len(data) > self.most_bytes:
            return
        part = None
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile(dir=path.parent, suffix=_PART, delete=False) as file:
                part = Path(file.name)
                file.write(_checksum(data) + b"\n" + data)
            part.replace(path)
        except OSError:
            if part is not None:
                with contextlib.suppress(OSError):
                    part.unlink()
            return
        self._shrink(path)

    def remove(self, key: str) -> None:
        with contextlib.suppress(OSError):
            self._path(key).unlink()

    def _path(self, key: str) -> Path:
        # Names come from people: only their hash becomes a file name.
        return (self.folder or default_folder()) / (hashlib.sha256(key.encode()).hexdigest()[:40] + _ENDING)

    def _shrink(self, newest: Path) -> None:
        files = []
        with contextlib.suppress(OSError):
            for path in newest.parent.iterdir():
                with contextlib.suppress(OSError):
                    state = path.stat()
                    if path.suffix == _ENDING:
                        files.append((path != newest, state.st_mtime_ns, state.st_size, path))
                    elif path.suffix == _PART and time.time() - state.st_mtime > _STALE_SECONDS:
                        path.unlink()
        total = sum(size for _, _, size, _ in files)
        for old, _, size, path in sorted(files, key=lambda file: file[1]):
            if total <= self.most_bytes:
                return
            if old:
                with contextlib.suppress(OSError):
                    path.unlink()
                total -= size


def _checksum(data: bytes) -> bytes:
    return hashlib.sha256(data).hexdigest().encode()

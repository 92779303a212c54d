"""The files of the stage's JavaScript module and the address under which the browser finds them."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from pathlib import Path

MODULE = Path(__file__).parent / "module"


@lru_cache(maxsize=1)
def module_version() -> str:
    """A name for the present content of the module's files, for addresses that may be cached for good."""
    digest = hashlib.sha256()
    for path in sorted(MODULE.iterdir()):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def prefix(base_path: str | None) -> str:
    """Of the stage's own routes, below the base path of the server."""
    base = (base_path or "").strip("/")
    return f"/{base}/nca" if base else "/nca"

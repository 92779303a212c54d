"""Arrays and what is told beside them as one piece of bytes; nothing in it can run when it is read."""

from __future__ import annotations

import io
import json
from typing import Any

import numpy as np


def packed(**arrays: np.ndarray) -> bytes:
    """The arrays, compressed."""
    stream = io.BytesIO()
    np.savez_compressed(stream, allow_pickle=False, **arrays)
    return stream.getvalue()


def as_array(value: Any) -> np.ndarray:
    """Anything that JSON knows."""
    return np.frombuffer(json.dumps(value).encode(), dtype=np.uint8)


def unpacked(content: bytes) -> dict[str, np.ndarray]:
    """The arrays by name.

    Raises
    ------
    OSError, ValueError, zipfile.BadZipFile
        Where these are not such bytes, or not all of them.
    """
    with np.load(io.BytesIO(content), allow_pickle=False) as file:
        return dict(file)

"""Arrays and what is told beside them as one piece of bytes; nothing in it can run when it is read."""

from __future__ import annotations

import io
import json
import zipfile
from typing import Any

import numpy as np


def packed(**arrays: np.ndarray) -> bytes:
    """The arrays, compressed: quickly rather than well, since work that is not written yet is lost by a kill."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as file:
        for name, array in arrays.items():
            with file.open(f"{name}.npy", "w", force_zip64=True) as place:
                np.lib.format.write_array(place, np.asanyarray(array), allow_pickle=False)
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

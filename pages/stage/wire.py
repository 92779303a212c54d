"""What travels to the browser, as bytes: a scene once, then a matrix and a few numbers for each snapshot.

Little-endian. Scene: uint32 length of a JSON head, the head padded to 8 bytes, then the arrays it lists by byte
offset. Snapshots: float64 count, n_components, n_features, then for each NUMBERS as float64 and A as float32, padded
to 8 bytes.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from nca_core.snapshot import Snapshot
from pages.stage.scene import Scene

NUMBERS = (
    "iteration",
    "objective",
    "mean_p",
    "gradient_norm",
    "k_mean_entropy",
    "k_mean_perplexity",
    "accuracy_1nn",
    "accuracy_knn",
    "held_out_1nn",
    "held_out_knn",
    "seconds",
)


def _padded(data: bytes) -> bytes:
    return data + b"\0" * (-len(data) % 8)


def _fits_float32(values: np.ndarray) -> bool:
    """Whether the greatest of `values` in size can be told from 0 and from infinity in float32, with room to spare."""
    greatest = float(np.nanmax(np.abs(values), initial=0.0))
    return greatest == 0.0 or 1e-30 < greatest < 1e30


def encode_scene(scene: Scene) -> bytes:
    """The whole scene; X is centred first, so that float32 keeps its digits far from the origin.

    Where float32 would not hold X at all, X is in units of its greatest value, and `unit` says so: each panel fits
    what it shows anyway.
    Values to show that float32 does not hold are sent as float64.
    """
    centred = scene.X - scene.X.mean(axis=0)
    unit = 1.0 if _fits_float32(centred) else float(np.abs(centred).max())
    centred = centred / unit
    hover_type = "<f4" if _fits_float32(scene.hover) else "<f8"
    arrays: dict[str, np.ndarray] = {
        "X": np.ascontiguousarray(centred, dtype="<f4"),
        "hover": np.ascontiguousarray(scene.hover, dtype=hover_type),
        "labels": np.ascontiguousarray(scene.labels, dtype="<i4"),
        "rows": np.ascontiguousarray(scene.row_numbers, dtype="<i4"),
        "held_out": np.ascontiguousarray(scene.held_out, dtype="u1"),
    }
    for index, panel in enumerate(scene.panels):
        arrays[f"panel{index}"] = np.ascontiguousarray(panel.transformation, dtype="<f4")
    layout, body, offset = {}, [], 0
    for name, array in arrays.items():
        data = _padded(array.tobytes())
        layout[name] = {"offset": offset, "length": int(array.size), "type": array.dtype.str[1:]}
        body.append(data)
        offset += len(data)
    head: dict[str, Any] = {
        "samples": len(scene.X),
        "features": int(scene.X.shape[1]),
        "components": scene.n_components,
        "unit": unit,
        "classes": scene.class_names,
        "hover_names": scene.hover_names,
        "image_shape": scene.image_shape,
        "note": scene.note,
        "ordered": scene.ordered,
        "panels": [
            {"key": panel.key, "title": panel.title, "note": panel.note, "live": panel.live} for panel in scene.panels
        ],
        "arrays": layout,
    }
    text = json.dumps(head).encode("utf-8")
    text += b" " * (-(len(text) + 4) % 8)
    return len(text).to_bytes(4, "little") + text + b"".join(body)


def encode_snapshots(snapshots: Sequence[Snapshot]) -> bytes:
    """One message with all the given snapshots, in order."""
    shape = snapshots[0].transformation.shape
    parts = [np.array([len(snapshots), *shape], dtype="<f8").tobytes()]
    for snapshot in snapshots:
        parts.append(np.array([getattr(snapshot, name) for name in NUMBERS], dtype="<f8").tobytes())
        parts.append(_padded(np.ascontiguousarray(snapshot.transformation, dtype="<f4").tobytes()))
    return b"".join(parts)

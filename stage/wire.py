"""Encode scenes and snapshots for the browser: a scene once, then a frame and a few numbers for each snapshot.

Little-endian. Scene: uint32 length of a JSON head, the head padded to 8 bytes, then the arrays it lists by byte
offset. Snapshots of one panel: float64 panel index, run number, number of the short run (0 for the training itself),
count, rows, columns, then for each snapshot NUMBERS as float64 and the frame as float32, row by row, padded to 8 bytes.
The frame is A, (n_components, n_features), or, of a panel of coordinates, Yᵀ of the points that are shown,
(n_components, n_shown).
"""

import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from nca_core.snapshot import NUMBERS, Snapshot
from stage.plain_text import visible
from stage.scene import Scene, centred

_OF_PANEL = ("key", "title", "note", "live", "kind", "features", "objective", "problem")


def _padded(data: bytes) -> bytes:
    return data + b"\0" * (-len(data) % 8)


def _fits_float32(values: np.ndarray) -> bool:
    """Whether float32 holds the largest absolute value, with room to spare."""
    greatest = float(np.nanmax(np.abs(values), initial=0.0))
    return greatest == 0.0 or 1e-30 < greatest < 1e30


def _in_units(values: np.ndarray) -> tuple[np.ndarray, float]:
    """`values` divided by a unit so that float32 holds them; the unit is 1 where possible."""
    if _fits_float32(values):
        return values, 1.0
    unit = float(np.nanmax(np.abs(values)))
    return values / unit, unit


def encode_scene(scene: Scene, bits: int | None = None) -> bytes:
    """Encode the whole scene, with points centred so that float32 keeps its digits far from the origin.

    Points that float32 cannot hold are sent in units of their largest value (`unit`), hover values as float64. `bits`
    is the number of binary digits kept of each feature, as fewer compress better; None keeps all of float32.
    """
    hover_type = "<f4" if _fits_float32(scene.hover) else "<f8"
    arrays: dict[str, np.ndarray] = {
        "hover": np.ascontiguousarray(scene.hover, dtype=hover_type),
        "labels": np.ascontiguousarray(scene.labels, dtype="<i4"),
        "rows": np.ascontiguousarray(scene.row_numbers, dtype="<i4"),
        "held_out": np.ascontiguousarray(scene.held_out, dtype="u1"),
    }
    if scene.row_names is not None:
        arrays["names"] = np.frombuffer("\n".join(map(visible, scene.row_names.tolist())).encode(), dtype="u1")
    features: list[dict[str, Any]] = []
    for index, X in enumerate(scene.features):
        values, unit = _in_units(centred(X))
        if bits is not None:
            mantissa, exponent = np.frexp(values)
            values = np.ldexp(np.round(mantissa * 2.0**bits) / 2.0**bits, exponent)
        arrays[f"features{index}"] = np.ascontiguousarray(values, dtype="<f4")
        names = [visible(name) for name in scene.feature_names] if index == 0 else []
        features.append({"columns": int(X.shape[1]), "unit": unit, "names": names})
    panels = []
    for index, panel in enumerate(scene.panels):
        if panel.labels is not None:
            arrays[f"labels{index}"] = np.ascontiguousarray(panel.labels, dtype="<i4")
        frame, unit = panel.frame, float(features[panel.features]["unit"])
        if frame is not None and panel.kind == "coordinates":
            # Snapshots of a live panel have no unit, so its start has none either.
            places, unit = (centred(frame), 1.0) if panel.live else _in_units(centred(frame))
            frame = places.T
        if frame is not None:
            arrays[f"panel{index}"] = np.ascontiguousarray(frame, dtype="<f4")
        own = {name: getattr(panel, name) for name in _OF_PANEL}
        panels.append({**own, "title": visible(panel.title), "unit": unit})
    layout, body = {}, bytearray()
    for name, array in arrays.items():
        layout[name] = {"offset": len(body), "length": int(array.size), "type": array.dtype.str[1:]}
        body += _padded(array.tobytes())
    head: dict[str, Any] = {
        "samples": scene.n_samples,
        "components": scene.n_components,
        "features": features,
        "classes": [visible(name) for name in scene.class_names],
        "hover_names": [visible(name) for name in scene.hover_names],
        "image_shape": scene.image_shape,
        "note": scene.note,
        "row_word": scene.row_word,
        "ordered": scene.ordered,
        "panels": panels,
        "arrays": layout,
    }
    text = json.dumps(head).encode("utf-8")
    text += b" " * (-(len(text) + 4) % 8)
    return len(text).to_bytes(4, "little") + text + body


def encode_snapshots(
    snapshots: Sequence[Snapshot], *, panel: int = 0, run: int = 1, short_run: int = 0, rows: np.ndarray | None = None
) -> bytes:
    """Encode the given snapshots of one run, in order, as one message.

    panel: index of the run's panel in its scene.
    run: the run's number in its workspace.
    short_run: number of the short run that compares starts, from 1; 0 is the training itself.
    rows: for a panel of coordinates the rows that are shown, (n_shown,); its snapshots have `coordinates`,
        (n_samples, n_components), in place of a matrix.
    """
    parts: list[bytes] = []
    for snapshot in snapshots:
        frame = snapshot.transformation
        if rows is not None and snapshot.coordinates is not None:
            frame = centred(snapshot.coordinates[rows]).T
        if not parts:
            parts.append(np.array([panel, run, short_run, len(snapshots), *frame.shape], dtype="<f8").tobytes())
        parts.append(np.array([getattr(snapshot, name) for name in NUMBERS], dtype="<f8").tobytes())
        parts.append(_padded(frame.astype("<f4").tobytes()))
    return b"".join(parts)

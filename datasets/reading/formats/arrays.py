"""NPZ with arrays X and y, or one NPY matrix whose last column is the label; sizes are read before any array is."""

from __future__ import annotations

import io
import math
import zipfile
from typing import Any

import numpy as np

from datasets.reading.formats.cell_text import cell_text
from datasets.reading.formats.cells import Cells, Refused


def read_npz(data: bytes, request: dict[str, Any]) -> Cells:
    """X (n_samples, n_features) and y (n_samples,), as numpy.savez(file, X=X, y=y) writes them."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = {member.filename.removesuffix(".npy"): member for member in archive.infolist()}
        if members and not any(member.filename.endswith(".npy") for member in members.values()):
            raise Refused(f"is a zip archive (with {next(iter(members))[:60]!r}); unpack it and choose the table in it")
        if "X" not in members or "y" not in members:
            found = ", ".join(map(repr, list(members)[:5])) or "nothing"
            raise Refused(f"must hold the arrays X and y, as numpy.savez(file, X=X, y=y) writes them; it holds {found}")
        arrays = {}
        for name in ("X", "y"):
            if members[name].file_size > request["decoded_bytes"]:
                raise Refused(
                    f"holds {members[name].file_size / 1e6:,.0f} MB in {name}; at most "
                    f"{request['decoded_bytes'] // 1_000_000} MB are read"
                )
            with archive.open(members[name]) as stream:
                _check_header(stream, name, request)
            with archive.open(members[name]) as stream:
                arrays[name] = np.lib.format.read_array(stream, allow_pickle=False)
    X, y = arrays["X"], arrays["y"]
    if y.ndim == 2 and 1 in y.shape:
        y = y.ravel()
    if X.ndim > 2:
        X = X.reshape(len(X), -1)
    if X.ndim != 2 or y.ndim != 1 or len(X) != len(y):
        raise Refused(f"has X of shape {X.shape} and y of shape {y.shape}; y must hold one label for each row of X")
    names = (*(f"x{k + 1}" for k in range(X.shape[1])), "label")
    labels = [cell_text(value) for value in y.tolist()]
    rows = [(*map(cell_text, row), label) for row, label in zip(X.tolist(), labels, strict=True)]
    return Cells(names, rows, list(range(1, len(rows) + 1)))


def read_npy(data: bytes, request: dict[str, Any]) -> Cells:
    """A single matrix (n_samples, n_columns); which column is the label is proposed as for any table."""
    _check_header(io.BytesIO(data), "the array", request)
    M = np.lib.format.read_array(io.BytesIO(data), allow_pickle=False)
    if M.ndim != 2:
        raise Refused(f"holds an array of shape {M.shape}; a matrix is needed")
    rows = [tuple(map(cell_text, row)) for row in M.tolist()]
    return Cells(tuple(f"x{k + 1}" for k in range(M.shape[1])), rows, list(range(1, len(rows) + 1)))


def _check_header(stream: Any, name: str, request: dict[str, Any]) -> None:
    """Refuse by the header alone: a few bytes can claim any shape."""
    version = np.lib.format.read_magic(stream)
    read = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
    shape, _, dtype = read(stream)
    if dtype.hasobject:
        raise Refused(f"holds Python objects in {name}, which could run code and are never opened; save plain numbers")
    if dtype.names or dtype.kind not in "biufUS":
        raise Refused(f"holds {dtype} in {name}; numbers, or text for the labels, are needed")
    if math.prod(shape) > request["cells"] or math.prod(shape) * dtype.itemsize > request["decoded_bytes"]:
        size = " x ".join(f"{length:,}" for length in shape)
        raise Refused(f"says {name} has {size} entries; at most {request['cells']:,} are read")
    if len(shape) > 1 and math.prod(shape[1:]) > request["columns"]:
        raise Refused(f"has {math.prod(shape[1:]):,} columns in {name}; at most {request['columns']:,} are read")

"""Encode trees of dataclasses, containers and arrays as bytes and back, without pickle.

The format is zlib(length of the JSON in 8 bytes | JSON tree | raw arrays). Dataclasses are named by
module and class, and must be defined in one of our packages. Decoded arrays are read-only.
"""

import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from importlib import import_module
from typing import Any

import numpy as np

_PACKAGES = ("nca_core.", "datasets.", "study.", "lessons.", "pages.server.")
_LENGTH = 8  # bytes


@dataclass(frozen=True)
class Stored:
    """Placeholder for a value that is encoded in a part of its own."""

    part: str


def encode(value: Any) -> bytes:
    """Encode `value`; a repeated array is written once.

    Raises TypeError if it contains anything but our dataclasses, dict, tuple, list, frozenset, bytes, numeric or string
        arrays, str, numbers and None.
    """
    arrays: dict[int, tuple[int, Any]] = {}  # id -> offset, and the array, which keeps its id valid
    size = 0

    def array(found: np.ndarray) -> list[Any]:
        nonlocal size
        if found.dtype.hasobject:
            raise TypeError("Arrays of Python objects cannot be encoded.")
        if id(found) not in arrays:
            arrays[id(found)] = size, found
            size += found.nbytes
        return [arrays[id(found)][0], found.dtype.str, found.shape]

    def tree(at: Any) -> Any:
        if isinstance(at, np.generic):
            return at.item()
        if at is None or isinstance(at, bool | int | float | str):
            return at
        if isinstance(at, np.ndarray):
            return {"array": array(at)}
        if isinstance(at, bytes):
            return {"bytes": array(np.frombuffer(at, dtype=np.uint8))}
        if isinstance(at, tuple):
            return {"tuple": [tree(each) for each in at]}
        if isinstance(at, list):
            return [tree(each) for each in at]
        if isinstance(at, frozenset):
            return {"frozenset": [tree(each) for each in at]}
        if isinstance(at, dict):
            return {"dict": [[tree(key), tree(each)] for key, each in at.items()]}
        of = type(at)
        if is_dataclass(at) and of.__module__.startswith(_PACKAGES):
            values = {field.name: tree(getattr(at, field.name)) for field in fields(at) if field.init}
            return {"class": f"{of.__module__}:{of.__qualname__}", "fields": values}
        raise TypeError(f"{of.__module__}.{of.__qualname__} cannot be encoded.")

    text = json.dumps(tree(value)).encode()
    packer = zlib.compressobj(1)  # fast: a kill loses what is not written yet
    packed = [packer.compress(len(text).to_bytes(_LENGTH, "big")), packer.compress(text)]
    for _, found in arrays.values():
        packed.append(packer.compress(np.ascontiguousarray(found).reshape(-1).view(np.uint8).data))
    return b"".join([*packed, packer.flush()])


def decode(content: bytes, parts: Mapping[str, bytes] | None = None) -> Any:
    """Reverse `encode`, replacing each `Stored` by its part; fields that a dataclass no longer has are skipped.

    Raises ValueError, KeyError or TypeError if the bytes are invalid, or a field or part is missing.
    """
    try:
        raw = zlib.decompress(content)
    except zlib.error as error:
        raise ValueError(str(error)) from None
    start = _LENGTH + int.from_bytes(raw[:_LENGTH], "big")
    arrays: dict[tuple[Any, ...], np.ndarray] = {}

    def array(offset: int, dtype: str, shape: list[int]) -> np.ndarray:
        key = offset, dtype, *shape
        if key not in arrays:
            count = int(np.prod(shape, dtype=np.int64))
            arrays[key] = np.frombuffer(raw, dtype, count, start + offset).reshape(shape).copy()
            arrays[key].flags.writeable = False
        return arrays[key]

    def value(at: Any) -> Any:
        match at:
            case list():
                return [value(each) for each in at]
            case {"array": of}:
                return array(*of)
            case {"bytes": of}:
                return array(*of).tobytes()
            case {"tuple": items}:
                return tuple(map(value, items))
            case {"frozenset": items}:
                return frozenset(map(value, items))
            case {"dict": pairs}:
                return {value(key): value(each) for key, each in pairs}
            case {"class": name, "fields": given}:
                of = _class(name)
                known = {field.name for field in fields(of)}
                built = of(**{field: value(each) for field, each in given.items() if field in known})
                return decode(parts[built.part]) if parts is not None and isinstance(built, Stored) else built
            case dict():
                raise ValueError("Unknown kind of value.")
        return at

    return value(json.loads(raw[_LENGTH:start]))


def _class(name: str) -> type[Any]:
    """Our dataclass named "module:class"."""
    module, _, qualname = name.partition(":")
    if not module.startswith(_PACKAGES):
        raise ValueError(f"{name} is not one of our classes.")
    try:
        found = getattr(import_module(module), qualname)
    except (ImportError, AttributeError):
        raise ValueError(f"There is no {name}.") from None
    if not (isinstance(found, type) and is_dataclass(found)):
        raise ValueError(f"{name} is not a dataclass.")
    return found

"""Snapshots of trainings as bytes, and back: matrices, networks, and the short runs that led to the first of them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import fields, replace
from typing import Any

import numpy as np

from nca_core.network import Network
from nca_core.snapshot import Candidate, Snapshot, frozen
from pages.server.packed import as_array, packed, unpacked

_NUMBERS = tuple(
    field.name
    for field in fields(Snapshot)
    if field.name not in ("transformation", "summation", "coordinates", "network", "spectrum", "starts")
)
_WEIGHTS, _SAME = ("W", "b", "V"), ("centre", "spread")  # of a network; of all networks of one training
_STARTS = "starts."


def of_snapshots(snapshots: Sequence[Snapshot]) -> bytes:
    """All but the places of a network's rows, which the network gives again."""
    starts = snapshots[0].starts
    short = _arrays([at for start in starts for at in start.path])
    if starts:
        short["told"] = as_array([(each.initialisation, each.scale, each.mean_p, len(each.path)) for each in starts])
        short["reached"] = np.stack([each.transformation for each in starts])
    return packed(**_arrays(snapshots), **{_STARTS + name: array for name, array in short.items()})


def _arrays(snapshots: Sequence[Snapshot]) -> dict[str, np.ndarray]:
    if not snapshots:
        return {}
    arrays = {
        "A": np.stack([each.transformation for each in snapshots]),
        "numbers": np.array([[getattr(each, name) for name in _NUMBERS] for each in snapshots], dtype=float),
        "summation": as_array([each.summation for each in snapshots]),
    }
    spectra = [each.spectrum for each in snapshots if each.spectrum is not None]
    if len(spectra) == len(snapshots):
        arrays["spectrum"] = np.stack(spectra)
    networks = [each.network for each in snapshots if each.network is not None]
    if len(networks) == len(snapshots):
        arrays |= {name: np.stack([getattr(each, name) for each in networks]) for name in _WEIGHTS}
        arrays |= {name: getattr(networks[0], name) for name in _SAME}
        arrays["units"] = as_array(networks[0].units)
    return arrays


def snapshots_of(content: bytes) -> list[Snapshot]:
    """What `of_snapshots` was given.

    Raises
    ------
    OSError, ValueError, KeyError, zipfile.BadZipFile
        Where these are not such bytes.
    """
    arrays = unpacked(content)
    short = {name.removeprefix(_STARTS): arrays.pop(name) for name in list(arrays) if name.startswith(_STARTS)}
    found = _snapshots(arrays)
    if short:
        found[0] = replace(found[0], starts=_starts(short))
    return found


def _snapshots(arrays: dict[str, np.ndarray]) -> list[Snapshot]:
    words = json.loads(arrays["summation"].tobytes())
    units = json.loads(arrays["units"].tobytes()) if "units" in arrays else ""
    same = {name: frozen(arrays[name]) for name in _SAME if name in arrays}
    found = []
    for k, (A, numbers, summation) in enumerate(zip(arrays["A"], arrays["numbers"], words, strict=True)):
        named: dict[str, Any] = dict(zip(_NUMBERS, map(float, numbers), strict=True))
        iteration = int(named.pop("iteration"))
        snapshot = Snapshot(iteration=iteration, transformation=frozen(A), summation=summation, **named)
        if "spectrum" in arrays:
            snapshot = replace(snapshot, spectrum=frozen(arrays["spectrum"][k]))
        if units:
            weights = {name: frozen(arrays[name][k]) for name in _WEIGHTS}
            snapshot = replace(snapshot, network=Network(units=units, **same, **weights))
        found.append(snapshot)
    return found


def _starts(arrays: dict[str, np.ndarray]) -> tuple[Candidate, ...]:
    path, starts, done = _snapshots(arrays), [], 0
    for (name, scale, mean_p, length), A in zip(json.loads(arrays["told"].tobytes()), arrays["reached"], strict=True):
        starts.append(Candidate(name, scale, frozen(A), mean_p, tuple(path[done : done + length])))
        done += length
    return tuple(starts)

"""Summation over a grid of spectral accuracy (spectral): groups of points, each in a box with a grid of its own."""

from importlib import import_module
from typing import Any


def __getattr__(name: str) -> Any:
    """A module of this folder, imported at its first use: small fits do not load numba."""
    return import_module(f"{__name__}.{name}")

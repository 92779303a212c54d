"""Summation over pairs of points: all of them (dense), or the near ones found by a tree (truncated)."""

from __future__ import annotations

from importlib import import_module
from typing import Any


def __getattr__(name: str) -> Any:
    """A module of this folder, imported at its first use: small fits do not load numba."""
    return import_module(f"{__name__}.{name}")

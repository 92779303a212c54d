"""Compiles the pair loops before anybody needs them, in another process, so that the server stays quick meanwhile."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from pathlib import Path

import numpy as np

from nca_core.neighbours.base import compiled
from nca_core.neighbours.choose import SUMMATION_METHODS

_log = logging.getLogger(__name__)
_TIME_LIMIT = 300.0


def compile_all() -> None:
    """Small evaluations: compiles every loop, or loads it from numba's cache on disk."""
    from nca_core.evaluator import Evaluator

    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 4)), np.arange(60) % 3
    X[0] += 100.0  # an isolated point
    for method in SUMMATION_METHODS:
        Evaluator(X, y, objective="g", summation=method).evaluate(rng.normal(size=(2, 4)))
    wide = rng.normal(size=(60, 40))
    wide[0] += 100.0
    for d in (20, 40):
        Evaluator(wide, y, objective="g", summation="dense").evaluate(np.eye(d, 40) * 0.3)


def warm_up() -> None:
    """Fill numba's cache from a process of low priority, then load from it; plain numpy serves until that is done."""
    compiled.use_numpy_for_now()
    root = Path(__file__).resolve().parent.parent
    lower = {"preexec_fn": lambda: os.nice(5)} if os.name == "posix" else {}
    try:
        subprocess.run(
            [sys.executable, "-c", "from nca_core.warm_up import compile_all; compile_all()"],
            cwd=root,
            timeout=_TIME_LIMIT,
            check=True,
            capture_output=True,
            **lower,  # type: ignore[call-overload]
        )
    except (OSError, subprocess.SubprocessError) as error:
        _log.warning("compiling ahead failed, so the first training compiles: %s", error)
    compiled.use_compiled()
    compile_all()

"""Compiles the pair loops before anybody needs them, in another process, so that the server stays quick meanwhile."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from pathlib import Path

import numpy as np

from nca_core.neighbours import compiled

_log = logging.getLogger(__name__)
_TIME_LIMIT = 300.0


def compile_all() -> None:
    """One small evaluation: compiles every loop, or loads it from numba's cache on disk."""
    from nca_core.evaluator import Evaluator

    rng = np.random.default_rng(0)
    y = np.arange(12) % 3
    for n_components in (2, 3):
        Evaluator(rng.normal(size=(12, 4)), y).evaluate(rng.normal(size=(n_components, 4)))


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

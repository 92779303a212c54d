"""Compiled loops run where nothing can be written."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

_WITHOUT_A_CACHE = """
from numba.core import caching

def refuse(self):
    raise OSError("read-only")

for kind in [caching._CacheLocator, *caching._CacheLocator.__subclasses__()]:
    kind.ensure_cache_path = refuse

from nca_core.neighbours.pairs.pair_kernels import pull
import numpy as np

left = np.zeros(3)
print(pull(np.ones(3), 3, np.array([1.0, 2.0, 3.0]), 1.0, left), left.tolist())
"""


def test_a_machine_without_a_place_for_the_cache():
    done = subprocess.run(
        [sys.executable, "-c", _WITHOUT_A_CACHE],
        cwd=Path(__file__).resolve().parents[4],
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr[-500:]
    assert done.stdout.strip() == "3.0 [0.0, -1.0, -2.0]"

"""What the benchmarks share: their command line, data, memory of this process, and measurements in child processes."""

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))


def options(
    doc: str | None, measure: Callable[..., dict[str, Any]] | None = None, **defaults: Any
) -> argparse.Namespace:
    """Parse the command line: an option for each default, of its type.

    A sequence takes values like its first one; a mapping ``{"default": ..., "help": ...}`` passes further arguments of
    `add_argument`. Where `measure` is given, a process started by `in_a_child` prints its result and ends.
    """
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, default in defaults.items():
        more = dict(default) if isinstance(default, dict) else {"default": default}
        value = more.get("default")
        if isinstance(value, list | tuple):
            more = {"nargs": "+", "type": type(value[0])} | more
        elif value is not None:
            more = {"type": type(value)} | more
        parser.add_argument(f"--{name.replace('_', '-')}", **more)
    parser.add_argument("--task", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.task and measure is not None:
        print(json.dumps(measure(*json.loads(chosen.task))))
        raise SystemExit
    return chosen


def digits(n: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """scikit-learn's digits, standardised: n = 1,797, D = 64."""
    from sklearn.datasets import load_digits
    from sklearn.preprocessing import StandardScaler

    X, y = load_digits(return_X_y=True)
    return StandardScaler().fit_transform(X), y


def rings(n: int) -> tuple[np.ndarray, np.ndarray]:
    """Five concentric rings in two dimensions and eight dimensions of noise (D = 10)."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 5, n)
    angle = rng.uniform(0, 2 * np.pi, n)
    radius = 1.0 + y + rng.normal(0, 0.1, n)
    plane = np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1)  # (n_samples, 2)
    return np.hstack([plane, rng.normal(0, 2.0, (n, 8))]), y


def gauss(n: int, D: int) -> tuple[np.ndarray, np.ndarray]:
    """Five Gaussian classes in D dimensions."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 5, n)
    return 0.3 * (rng.normal(size=(n, D)) + rng.normal(0, 0.3, (5, D))[y]), y


def blobs(n: int) -> tuple[np.ndarray, np.ndarray]:
    """Ten overlapping classes in 12 of D = 50 dimensions, and noise in the others."""
    rng = np.random.default_rng(0)
    y, centres = rng.integers(0, 10, n), np.zeros((10, 50))
    centres[:, :12] = rng.normal(0, 0.8, (10, 12))
    X = rng.normal(size=(n, 50))
    X += centres[y]
    return X, y


def classes(n: int) -> tuple[np.ndarray, np.ndarray]:
    """Ten overlapping classes in D = 64, each a Gaussian whose spread has ten main directions of its own."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 10, n)
    X = rng.normal(0, 1.0, (n, 64))
    for code in range(10):
        members = np.flatnonzero(y == code)
        directions = rng.normal(0, 0.25, (10, 64))
        X[members] += rng.normal(size=(len(members), 10)) @ directions + rng.normal(0, 0.5, 64)
    return X, y


def heavy(n: int) -> tuple[np.ndarray, np.ndarray]:
    """Five overlapping classes with heavy tails, Student's t with three degrees of freedom, in D = 20."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 5, n)
    centres = rng.normal(size=(5, 20))
    X = rng.standard_t(3, (n, 20))
    X += centres[y]
    return X, y


def best_of(repetitions: int, work: Callable[[], object]) -> float:
    """Seconds of the fastest repetition."""
    seconds = []
    for _ in range(repetitions):
        began = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - began)
    return min(seconds)


def memory_peak() -> float:
    """Most MB in use since the process began or `reset_memory_peak` was called."""
    return _status("VmHWM")


def reset_memory_peak() -> float:
    """Start measuring the peak again; the MB in use now."""
    try:
        Path("/proc/self/clear_refs").write_text("5")
    except OSError:
        return float("nan")
    return _status("VmRSS")


def _status(field: str) -> float:
    """MB; NaN where the system does not report it."""
    try:
        lines = Path("/proc/self/status").read_text().splitlines()
    except OSError:
        return float("nan")
    return next(float(line.split()[1]) / 1024 for line in lines if line.startswith(field))


def in_a_child(script: str, *task: object, tree: Path = ROOT, threads: int | None = None) -> dict[str, Any]:
    """Run ``script --task [...]`` in a process of its own and read the JSON of its last line.

    tree: the checkout whose engine is imported.
    threads: of OpenMP and BLAS.
    """
    limit = {} if threads is None else dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), str(threads))
    done = subprocess.run(
        [sys.executable, script, "--task", json.dumps(task)],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
        cwd=tree,
        env={**os.environ, "PYTHONPATH": str(tree), **limit},
    )
    return json.loads(done.stdout.splitlines()[-1])

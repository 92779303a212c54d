"""The first training of a small set in a new process neither loads nor compiles the loops; warming up compiles all."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
PROGRAM = """
import sys, time
from sklearn.datasets import load_iris
from sklearn.neighbors import NeighborhoodComponentsAnalysis as Theirs
X, y = load_iris(return_X_y=True)
began = time.perf_counter()
from nca_core import NeighborhoodComponentsAnalysis
nca = NeighborhoodComponentsAnalysis(2, random_state=0).fit(X, y)
ours = time.perf_counter() - began
loaded = "numba" in sys.modules
began = time.perf_counter()
Theirs(2, random_state=0).fit(X, y)
print(loaded, nca.objective_ > 140.0, ours < 1.5 + 10.0 * (time.perf_counter() - began))
"""


def test_a_first_fit_of_iris_loads_no_compiler():
    said = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, cwd=ROOT, check=True)
    assert said.stdout.split() == ["False", "True", "True"]


WARM = """
from importlib import import_module
from nca_core.training.warm_up import compile_all
compile_all()
for module in ("pairs.pair", "pairs.tree", "pairs.leaf", "pairs.row", "pairs.product", "grid.grid"):
    for name, loop in vars(import_module(f"nca_core.neighbours.{module}_kernels")).items():
        here = getattr(loop, "signatures", None) == [] and loop.py_func.__module__.endswith(f"{module}_kernels")
        if here and not loop.targetoptions.get("forceinline"):
            print(name)
"""


def test_warming_up_compiles_every_loop_that_a_training_calls():
    said = subprocess.run([sys.executable, "-c", WARM], capture_output=True, text=True, cwd=ROOT, check=True)
    assert said.stdout.split() == []


COMPILE = """
import multiprocessing, sys, time
from nca_core.neighbours.base import exponential as loops
loops._SECONDS = 0.0 if "often" in sys.argv else 5.0
@loops.jit()
def one(x): return x + 1
@loops.jit()
def two(x): return x + 2
if "worker" in sys.argv:
    multiprocessing.current_process().name = "LokyProcess-1"
one(1), two(1)
"""


def test_compiling_is_announced_once_with_progress_and_never_by_workers(tmp_path):
    """A file in a folder of its own, whose loops no cache holds yet."""
    said = []
    for number, words in enumerate(((), ("often",), ("worker",))):
        script = tmp_path / str(number) / "script.py"
        script.parent.mkdir()
        script.write_text(COMPILE)
        for _ in range(2):  # the second process loads what the first compiled
            command = [sys.executable, str(script), *words]
            environment = {**os.environ, "PYTHONPATH": str(ROOT), "NUMBA_CACHE_DIR": str(script.parent)}
            done = subprocess.run(command, capture_output=True, text=True, env=environment, check=True)
            said.append([line for line in done.stderr.splitlines() if "Compiling the engine" in line])
    assert said[0] == ["Compiling the engine's loops: about 10 s, once a machine."]
    assert said[2] == [*said[0], *(f"Compiling the engine's loops: {k} done." for k in (1, 2))]
    assert said[1] == said[3] == said[4] == said[5] == []

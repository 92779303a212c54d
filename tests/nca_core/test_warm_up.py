"""Compiling: not for a first small training, all of it by warming up, ahead in a process of its own, and announced."""

import os
import subprocess
import sys
import threading

import numpy as np
import pytest

from nca_core.neighbours.base.threads import LOOPS_READY, defer_sums
from nca_core.objectives.evaluator import Evaluator
from nca_core.training import warm_up
from tests.own_process import run_python


@pytest.mark.skipif(os.name != "posix", reason="there is no niceness")
def test_the_child_lowers_itself_and_nothing_runs_in_a_fork(monkeypatch):
    """Between fork and exec the interpreter's lock is held; where a thread is inside BLAS, that fork never returns."""
    started = []

    class Ended(Exception):
        pass

    def started_by(command, **options):
        started.append((command, options))
        raise Ended

    monkeypatch.setattr(subprocess, "Popen", started_by)
    try:
        with pytest.raises(Ended):
            warm_up.warm_up()
    finally:
        LOOPS_READY.set()
    monkeypatch.undo()
    (((_, _, said), options),) = started
    assert options.get("preexec_fn") is None
    lowered = said.partition("; compile_apart(")[0] + "; print(os.nice(0))"
    command, where = [sys.executable, "-c", lowered], options["cwd"]  # where it finds the package
    found = subprocess.run(command, cwd=where, capture_output=True, text=True, check=True).stdout
    assert int(found) == min(os.nice(0) + 5, 19)


def test_sums_over_many_points_wait_for_the_child_that_compiles_and_few_do_not(monkeypatch):
    monkeypatch.delitem(sys.modules, "nca_core.neighbours.pairs.pair_kernels", raising=False)
    defer_sums()
    try:
        X, y = np.random.default_rng(0).normal(size=(300, 2)), np.arange(300) % 3
        assert Evaluator(X[:150], y[:150]).evaluate(np.eye(2)).summation == "dense"
        found = []
        waits = threading.Thread(target=lambda: found.append(Evaluator(X, y).evaluate(np.eye(2))), daemon=True)
        waits.start()
        waits.join(0.3)
        assert waits.is_alive()
        assert not found
    finally:
        LOOPS_READY.set()
    waits.join(60)
    assert found


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
    assert run_python(PROGRAM)[0].split() == ["False", "True", "True"]


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
    assert run_python(WARM)[0].split() == []


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
            complained = run_python(script, *words, NUMBA_CACHE_DIR=str(script.parent))[1]
            said.append([line for line in complained.splitlines() if "Compiling the engine" in line])
    assert said[0] == ["Compiling the engine's loops: about 10 s, once a machine."]
    assert said[2] == [*said[0], *(f"Compiling the engine's loops: {k} done." for k in (1, 2))]
    assert said[1] == said[3] == said[4] == said[5] == []

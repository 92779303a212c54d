"""Compiling: not for a first small training, all of it by warming up, ahead in a process of its own, and announced."""

import os
import subprocess
import sys
import threading

import numpy as np
import pytest

from nca_core.neighbours.base.threads import DENSE_READY, LOOPS_READY, defer_sums, release_sums
from nca_core.objectives.evaluator import Evaluator
from nca_core.training import warm_up
from nca_core.training.gate import NICENESS
from tests.own_process import run_python

CHILD = """
import os
from nca_core.training import warm_up
from nca_core.training.gate import NICENESS
warm_up._compile = lambda method: print(method, os.nice(0))
warm_up.compile_all = lambda: print("all", os.nice(0))
warm_up.compile_apart(os.getppid())
"""


@pytest.mark.skipif(os.name != "posix", reason="there is no niceness")
def test_the_child_compiles_the_dense_method_first_and_then_lowers_itself():
    before = os.nice(0)
    said = run_python(CHILD)[0].splitlines()
    assert said == [f"dense {before}", "dense", f"all {min(before + NICENESS + 5, 19)}"]


def test_nothing_runs_in_a_fork_and_the_dense_method_is_ready_before_the_child_ends(monkeypatch):
    """Between fork and exec the interpreter's lock is held; where a thread is inside BLAS, that fork never returns."""
    asked, children, start = [], [], subprocess.Popen

    def started(command, **options):
        asked.append(options)
        command = [sys.executable, "-c", "print('dense', flush=True); input()"]
        children.append(start(command, stdin=subprocess.PIPE, **options))
        return children[0]

    monkeypatch.delitem(sys.modules, "nca_core.neighbours.pairs.pair_kernels", raising=False)
    monkeypatch.setattr(subprocess, "Popen", started)
    monkeypatch.setattr(warm_up, "compile_all", lambda: None)
    monkeypatch.setattr(warm_up, "lower_priority", lambda: None)
    warming = threading.Thread(target=warm_up.warm_up, daemon=True)
    defer_sums()
    try:
        warming.start()
        assert DENSE_READY.wait(30)
        assert not LOOPS_READY.is_set()
        assert asked[0].get("preexec_fn") is None
    finally:
        children[0].kill()
        warming.join(30)
        release_sums()
    assert not warming.is_alive()


def test_sums_wait_for_the_loops_that_they_need_and_few_points_for_none(monkeypatch):
    monkeypatch.delitem(sys.modules, "nca_core.neighbours.pairs.pair_kernels", raising=False)
    defer_sums()
    X, y, found = np.random.default_rng(0).normal(size=(900, 2)), np.arange(900) % 3, {}

    def evaluate(n, method="auto"):
        found[n, method] = Evaluator(X[:n], y[:n], summation=method).evaluate(np.eye(2)).summation

    tasks = ((300,), (300, "truncated"), (900,))
    waiting = [threading.Thread(target=evaluate, args=task, daemon=True) for task in tasks]
    try:
        evaluate(150)
        for thread in waiting:
            thread.start()
        waiting[0].join(0.3)
        assert list(found) == [(150, "auto")]
        DENSE_READY.set()
        waiting[0].join(60)
        waiting[1].join(0.3)
        assert list(found) == [(150, "auto"), (300, "auto")]
    finally:
        release_sums()
    for thread in waiting:
        thread.join(60)
    assert len(found) == 4


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
for module in ("pairs.pair", "pairs.tree", "pairs.product", "grid.grid"):
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
    for folder, *words in (["a"], ["a"], ["b", "often"], ["c", "worker"]):
        script = tmp_path / folder / "script.py"
        script.parent.mkdir(exist_ok=True)
        script.write_text(COMPILE)
        complained = run_python(script, *words, NUMBA_CACHE_DIR=str(script.parent))[1]
        said.append([line for line in complained.splitlines() if "Compiling the engine" in line])
    assert said[0] == ["Compiling the engine's loops: 4 to 10 s, once a machine."]
    assert said[2] == [*said[0], *(f"Compiling the engine's loops: {k} done." for k in (1, 2))]
    assert said[1] == said[3] == []  # loaded, and in a worker

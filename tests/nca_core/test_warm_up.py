"""The process that compiles ahead: how it is started."""

from __future__ import annotations

import os
import subprocess
import sys
import threading

import numpy as np
import pytest

from nca_core.neighbours.base.threads import LOOPS_READY, defer_sums
from nca_core.objectives.evaluator import Evaluator
from nca_core.training import warm_up


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

"""Forked and spawned processes, threads, limits on threads, and the end of the interpreter."""

import os

import numpy as np
import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from nca_core.neighbours.base import threads
from nca_core.neighbours.base.threads import at_most, cores, one_blas_thread, summed, workers
from nca_core.objectives.evaluator import Evaluator
from nca_core.training.config import TrainingConfig
from nca_core.training.nca import train
from tests.own_process import run_python
from tests.tracked_files import ROOT
from tests.waiting import until

PROGRAM = """
import sys, threading, time
import numpy as np
from nca_core.neighbours.base import threads
from nca_core.training.config import TrainingConfig
from nca_core.training.nca import train

rng = np.random.default_rng(0)
X, y = rng.normal(size=(2500, 20)), rng.integers(0, 4, 2500)

def fit(d=3):
    end = train(X, y, TrainingConfig(n_components=d, max_iter=2, tol=0.0), measure_accuracy=False)
    last = end.snapshots[-1]
    return [last.objective, *last.transformation.ravel().tolist()]

def many(_):
    return fit(3) + fit(20)

"""


def run(program, **environment):
    said, complained = run_python(PROGRAM + program, timeout=120, **environment)
    assert "Traceback" not in complained, complained[-2000:]
    return said.strip().splitlines()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_forked_children_train_after_their_parent_did():
    """The parent's threads are not in the child: asked there, they would never answer."""
    program = """
import multiprocessing
from joblib import Parallel, delayed
here = many(0)
found = multiprocessing.get_context("fork").Pool(2).map_async(many, [0, 1]).get(60)
found += Parallel(2, backend="multiprocessing", timeout=60)(delayed(many)(k) for k in (0, 1))
print(len(found), all(each == here for each in found))
"""
    assert run(program) == ["4 True"]


def test_other_workers_find_the_same(tmp_path):
    (tmp_path / "trained_elsewhere.py").write_text(PROGRAM)
    script = tmp_path / "script.py"
    # Vectors that lie otherwise in memory may differ in their last bits where BLAS adds them up.
    script.write_text("""
import numpy as np
from joblib import Parallel, delayed
from trained_elsewhere import many
if __name__ == "__main__":
    here = many(0)
    for backend in ("loky", "threading"):
        found = Parallel(2, backend=backend)(delayed(many)(k) for k in (0, 1))
        print(all(np.allclose(f, here, rtol=1e-9, atol=1e-12) for f in found))
""")
    assert run_python(script, PYTHONPATH=f"{ROOT}{os.pathsep}{tmp_path}")[0].split() == ["True", "True"]


def test_no_digit_depends_on_the_number_of_cores():
    one = run("print(many(0), threads.workers())", OMP_NUM_THREADS="1")[0]
    all_of_them = run("threads.cores = lambda: 3\nprint(many(0), threads.workers())")[0]
    assert one.endswith(" 1")
    assert all_of_them.endswith(" 3")
    assert one[:-1] == all_of_them[:-1]


@pytest.mark.parametrize("summation", ["dense", "truncated", "spectral"])
def test_no_digit_depends_on_n_jobs(summation, monkeypatch):
    monkeypatch.setattr(threads, "cores", lambda: 5)
    rng = np.random.default_rng(0)
    X, y, A = rng.normal(size=(9000, 6)), rng.integers(0, 3, 9000), rng.normal(size=(2, 6))
    one, five = (Evaluator(X, y, summation=summation, n_jobs=jobs).evaluate(A) for jobs in (1, None))
    assert one.objective == five.objective
    np.testing.assert_array_equal(one.gradient, five.gradient)
    np.testing.assert_array_equal(one.entropy, five.entropy)


def test_limits_are_kept():
    until(lambda: not threads._under_way)  # a training of a test before may be making its last step, and hold the limit
    assert workers() == cores()
    with at_most(1):
        assert workers() == 1
        with at_most(7):
            assert workers() == 1
    seen = []

    class Spy(Evaluator):
        def _evaluate_at(self, Y):
            seen.append(workers())
            return super()._evaluate_at(Y)

    X, y = np.random.default_rng(0).normal(size=(20, 3)), np.arange(20) % 2
    if any(pool["user_api"] == "blas" for pool in threadpool_info()):
        with threadpool_limits(limits=1, user_api="blas"):
            Spy(X, y).evaluate(np.eye(2, 3))
        assert seen.pop() == 1
    Spy(X, y, n_jobs=1).evaluate(np.eye(2, 3))
    assert seen == [1]
    with pytest.raises(ValueError, match="n_jobs is 0"):
        Evaluator(X, y, n_jobs=0)


def test_what_outlives_the_main_program_still_trains():
    """A thread, and then a function that is called at the exit, where no new thread may start."""
    program = """
import atexit
before = many(0)
threading.Thread(target=lambda: (time.sleep(0.5), print(many(0) == before))).start()
atexit.register(lambda: print(many(0) == before))
"""
    assert run(program) == ["True", "True"]


def test_ctrl_c_ends_a_training_and_the_next_one_works():
    program = """
import os, signal
signal.signal(signal.SIGINT, signal.default_int_handler)  # whoever started the tests may have it ignored
before = fit()
done = threading.Event()
def press():  # again, where the first came while something ran that no exception may leave; but not while it ends
    wait = 0.6
    while not done.wait(wait):
        os.kill(os.getpid(), signal.SIGINT)
        wait = 4.0
threading.Thread(target=press, daemon=True).start()
try:
    train(X, y, TrainingConfig(max_iter=100_000, tol=0.0, initialisation="random"), measure_accuracy=False,
          on_snapshot=lambda s: None)
    while True:
        fit()
except KeyboardInterrupt:
    done.set()
    print("interrupted")
print(fit() == before)
"""
    assert run(program) == ["interrupted", "True"]


def test_an_error_in_one_part_is_the_callers_and_waits_for_the_others(monkeypatch):
    monkeypatch.setattr(threads, "cores", lambda: 4)
    done = []

    def work(start, stop, out):
        if start == 3:
            raise ValueError("part 3")
        done.append(start)
        out += 1.0

    with pytest.raises(ValueError, match="part 3"):
        summed([(k, k + 1) for k in range(8)], work, (2,))
    assert len(done) < 8
    np.testing.assert_array_equal(summed([(4, 5), (5, 6)], work, (2,)), [2.0, 2.0])


def blas_threads():
    return {pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"}


@pytest.fixture
def three():
    """A number that no test machine has by chance."""
    with threadpool_limits(limits=3, user_api="blas"):
        if blas_threads() != {3}:
            pytest.skip("the number of BLAS threads cannot be set here")
        yield


def test_the_first_to_end_does_not_lift_the_limit_and_the_last_does(three):
    first, second = one_blas_thread(), one_blas_thread()
    first.__enter__()
    second.__enter__()
    assert blas_threads() == {1}
    first.__exit__(None, None, None)
    assert blas_threads() == {1}
    second.__exit__(None, None, None)
    assert blas_threads() == {3}


def test_a_training_limits_and_an_error_in_it_lifts(three):
    rng = np.random.default_rng(0)
    X, y, seen = rng.normal(size=(30, 3)), np.arange(30) % 3, []
    train(X, y, TrainingConfig(max_iter=1), lambda _: seen.append(blas_threads()))
    assert seen[0] == {1}
    assert blas_threads() == {3}
    with pytest.raises(ValueError, match="n_components"):
        train(X, y, TrainingConfig(n_components=9))
    assert blas_threads() == {3}

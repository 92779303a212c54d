"""TrainingRun and Gate: start, pause, step, resume, stop; turns in order; work that a person waits for goes ahead."""

import itertools
import threading
import time

import numpy as np
import pytest

from nca_core.objectives.evaluator import Evaluator
from nca_core.snapshot import Snapshot, Trajectory
from nca_core.training import gate as gate_module
from nca_core.training.config import TrainingConfig
from nca_core.training.gate import Gate, Place
from nca_core.training.pace import show_times
from nca_core.training.run import MOST_STEPS, TrainingRun
from tests.nca_core import textbook
from tests.waiting import until

PATIENCE = 120.0


def busy(X, y, config, keep, **_):
    """Trains without an end, and stands in for what computes so long that it never has to wait for its pace."""
    try:
        for iteration in itertools.count():
            time.sleep(0.01)
            keep(Snapshot(iteration, np.eye(2), objective=0.0, gradient_norm=0.0))
    except StopIteration:
        return Trajectory((), "stopped", "Stopped.")


def make_run(gate=None, **options):
    X, y = textbook.blobs(n=120, classes=3)
    return TrainingRun(X, y, TrainingConfig(max_iter=200, tol=1e-12), gate=gate or Gate(), **options)


@pytest.fixture
def run():
    made = make_run(min_interval=0.005)
    yield made
    made.stop()


def wait_for_state(run, state):
    reached = threading.Event()
    unsubscribe = run.subscribe(lambda: reached.set() if run.state == state else None)
    if run.state == state:
        reached.set()
    assert reached.wait(PATIENCE), f"{run.state} instead of {state}"
    unsubscribe()


def test_steps_in_quick_succession_are_all_made(run):
    for _ in range(4):
        run.step()
    assert run.wait_for(5, PATIENCE)
    wait_for_state(run, "paused")
    assert [s.iteration for s in run.trajectory.snapshots] == [0, 1, 2, 3, 4]


def test_a_key_that_is_held_down_asks_for_ten_steps_at_most(run):
    for _ in range(40):
        run.step()
    assert run._allowed == MOST_STEPS == 10.0


def test_a_step_of_one_that_runs_holds_it_after_one_more_iteration(run):
    run.start()
    assert run.wait_for(3, PATIENCE)
    made = len(run.snapshots_since(0))
    run.step()
    wait_for_state(run, "paused")
    assert len(run.snapshots_since(0)) <= made + 3  # two may have been made before the step was heard


def test_pause_holds_resume_goes_on_and_stop_ends_a_paused_run_and_its_thread(run):
    run.start()
    assert run.wait_for(3, PATIENCE)
    run.pause()
    held = len(run.trajectory.snapshots)
    assert not run.wait_for(held + 2, 0.2)
    assert run.state == "paused"
    run.resume()
    assert run.wait_for(held + 2, PATIENCE)
    run.pause()
    run.stop()
    assert (run.state, run.trajectory.ended) == ("ended", "stopped")
    assert not run._thread.is_alive()


def test_stop_before_the_start():
    run = make_run()
    run.stop()
    assert run.state == "ended"
    run.start()
    assert run._thread is None


def test_a_run_that_goes_on_from_another_is_stopped_at_its_iteration(run):
    run.step()
    wait_for_state(run, "paused")
    past = run.trajectory.snapshots
    later = make_run(past=past)
    later.stop()
    assert (later.ended, later.ended_reason) == ("stopped", f"Stopped at iteration {past[-1].iteration}.")


def test_runs_above_the_limit_wait_in_order():
    gate = Gate(active=1)
    first, second, third = (make_run(gate, train=busy) for _ in range(3))
    first.start()
    assert first.wait_for(1, PATIENCE)
    second.start()
    wait_for_state(second, "waiting")
    until(lambda: second.queue_position == 1)
    third.start()
    wait_for_state(third, "waiting")
    until(lambda: third.queue_position == 2)
    second.stop()
    assert second.state == "ended"
    assert second.trajectory.snapshots == ()
    first.stop()
    assert third.wait_for(2, PATIENCE)
    assert third.queue_position == 0
    third.stop()


def test_a_run_that_is_held_gives_its_place_to_the_next_and_queues_to_go_on():
    gate = Gate(active=1)
    held, other = make_run(gate), make_run(gate, train=busy)
    held.step()
    wait_for_state(held, "paused")
    other.start()
    assert other.wait_for(2, PATIENCE)  # nobody who has pressed Step keeps others out
    count = len(held.trajectory.snapshots)
    held.start()
    wait_for_state(held, "waiting")
    until(lambda: held.queue_position == 1)
    assert not held.wait_for(count + 1, 0.3)
    held.pause()
    other.stop()
    until(lambda: held.queue_position == 0)
    assert not held.wait_for(count + 1, 0.3)  # its turn came while it was held
    until(lambda: gate.trainings._free == 1)
    held.start()
    assert held.wait_for_end(PATIENCE)
    assert gate.trainings._free == 1


def test_what_waits_for_its_pace_lets_others_make_their_iterations():
    gate = Gate(active=1)
    runs = [make_run(gate, min_interval=0.02) for _ in range(4)]
    for run in runs:
        run.start()
    assert all(run.wait_for(20, PATIENCE) for run in runs)
    until(lambda: {run.state for run in runs} <= {"running", "ended"})  # one may just be waiting for its turn
    for run in runs:
        run.stop()
    assert gate.trainings._free == 1


def test_a_rest_ends_once_a_faster_pace_is_chosen():
    run = make_run(min_interval=1000.0)
    run.start()
    assert run.wait_for(1, PATIENCE)
    run.min_interval = 0.0
    assert run.wait_for(4, PATIENCE)
    run.stop()


def test_a_calm_run_rests_as_long_as_its_picture_needs():
    config, began = TrainingConfig(max_iter=3), time.monotonic()
    run = TrainingRun(*textbook.blobs(n=120, classes=3), config, gate=Gate(), min_interval=None)
    run.start()
    assert run.wait_for_end(PATIENCE)
    rows = run._X - run._X.mean(axis=0)
    times = show_times([rows @ snapshot.transformation.T for snapshot in run.trajectory.snapshots])
    assert time.monotonic() - began > 0.85 * times[-2] > 1


def test_runs_that_share_a_place_count_as_one_training():
    gate = Gate(active=2)
    place = Place()
    mine = [make_run(gate, train=busy, place=place) for _ in range(9)]
    other, third = make_run(gate, train=busy), make_run(gate, train=busy)
    for run in mine:
        run.start()
    assert all(run.wait_for(2, PATIENCE) for run in mine)
    other.start()
    assert other.wait_for(2, PATIENCE)  # nine panels of one person leave room for another's one
    third.start()
    until(lambda: third.queue_position == 1)
    for run in mine[:8]:
        run.stop()
    wait_for_state(third, "waiting")  # the last of the nine still holds the place
    assert not third.wait_for(1, 0.3)
    mine[8].stop()
    assert third.wait_for(2, PATIENCE)
    for run in (other, third):
        run.stop()
    assert gate.trainings._free == 2


def test_a_listener_that_fails_neither_ends_the_training_nor_silences_the_others(run, caplog):
    calls, heard = [], []

    def gone():
        calls.append(1)
        raise RuntimeError("Event loop is closed")

    run.subscribe(gone)
    run.subscribe(lambda: heard.append(len(run.snapshots_since(0))))
    run.start()
    assert run.wait_for_end(60)
    run.stop()
    assert run.ended in ("converged", "max_iter")
    assert len(calls) in (1, 2)  # the thread that starts and the one that trains may be at it at once
    assert len(heard) > 3
    assert heard[-1] == len(run.snapshots_since(0)) > 1
    assert "Event loop is closed" in caplog.text


def test_a_failing_training_ends_with_a_sentence():
    run = TrainingRun(np.array([[np.nan, 1.0], [1.0, 2.0]]), np.array([0, 1]), TrainingConfig(), gate=Gate())
    run.start()
    assert run.wait_for_end(PATIENCE)
    assert run.trajectory.ended == "failed"
    assert "X[0, 0] is nan" in run.ended_reason
    run.stop()
    assert not run._thread.is_alive()


def test_weights_of_points_reach_the_training():
    weights = np.random.default_rng(0).uniform(0, 2, 120)
    run = make_run(sample_weight=weights)
    run.step()
    assert run.wait_for(2, PATIENCE)
    run.stop()
    X, y = textbook.blobs(n=120, classes=3)
    at = Evaluator(X, y).evaluate(run.latest().transformation)
    assert run.latest().objective == pytest.approx(weights @ at.p, rel=1e-12)


def step_beside(gate):
    """(a thread that makes one step, an event that is set once it has begun)."""
    begun = threading.Event()

    def step():
        with gate.step():
            begun.set()

    thread = threading.Thread(target=step, daemon=True)
    thread.start()
    return thread, begun


def test_no_step_begins_while_a_page_is_run(monkeypatch):
    monkeypatch.setattr(gate_module, "LONGEST_YIELD", 60.0)
    monkeypatch.setattr(gate_module, "URGENT_SECONDS", 60.0)
    gate = Gate()
    with gate.urgent():
        with gate.urgent():
            thread, begun = step_beside(gate)
            assert not begun.wait(0.2)
        assert not begun.wait(0.2)
    assert begun.wait(10)
    thread.join()


def test_a_step_waits_for_a_moment_only(monkeypatch):
    monkeypatch.setattr(gate_module, "LONGEST_YIELD", 0.05)
    monkeypatch.setattr(gate_module, "URGENT_SECONDS", 60.0)
    gate, began = Gate(), time.monotonic()
    with gate.urgent():
        assert step_beside(gate)[1].wait(10)
    assert time.monotonic() - began >= 0.05


def test_beside_long_work_and_after_it_no_step_waits(monkeypatch):
    monkeypatch.setattr(gate_module, "LONGEST_YIELD", 60.0)
    monkeypatch.setattr(gate_module, "URGENT_SECONDS", 0.05)
    gate = Gate()
    with gate.urgent():
        time.sleep(0.06)
        assert steps_of(gate, 0.1) > 20
    monkeypatch.setattr(gate_module, "URGENT_SECONDS", 60.0)
    assert steps_of(gate, 0.1) > 20


def steps_of(gate, seconds):
    """How many steps are made in so many seconds."""
    made, end = 0, time.monotonic() + seconds
    while time.monotonic() < end:
        with gate.step():
            made += 1
    return made

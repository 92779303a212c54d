"""Work that a person waits for goes ahead of the steps, for a moment; nothing stops them."""

from __future__ import annotations

import threading
import time

from nca_core.training import gate as gate_module
from nca_core.training.gate import Gate


def steps_of(gate, seconds):
    """How many steps are made in so many seconds."""
    made, until = 0, time.monotonic() + seconds
    while time.monotonic() < until:
        with gate.step():
            made += 1
    return made


def test_no_step_begins_while_a_page_is_run(monkeypatch):
    monkeypatch.setattr(gate_module, "LONGEST_BACK", 60.0)
    monkeypatch.setattr(gate_module, "SHORT", 60.0)
    gate, begun = Gate(), threading.Event()

    def step():
        with gate.step():
            begun.set()

    with gate.ahead():
        with gate.ahead():
            thread = threading.Thread(target=step)
            thread.start()
            assert not begun.wait(0.2)
        assert not begun.wait(0.2)
    assert begun.wait(10)
    thread.join()


def test_a_step_waits_for_a_moment_only(monkeypatch):
    monkeypatch.setattr(gate_module, "LONGEST_BACK", 0.05)
    monkeypatch.setattr(gate_module, "SHORT", 60.0)
    gate, waited = Gate(), []

    def step():
        began = time.monotonic()
        with gate.step():
            waited.append(time.monotonic() - began)

    with gate.ahead():
        thread = threading.Thread(target=step, daemon=True)
        thread.start()
        thread.join(10)
    assert 0.05 <= waited[0] < 10


def test_long_work_goes_on_beside_the_steps(monkeypatch):
    monkeypatch.setattr(gate_module, "LONGEST_BACK", 60.0)
    monkeypatch.setattr(gate_module, "SHORT", 0.05)
    gate = Gate()
    with gate.ahead():
        time.sleep(0.06)
        assert steps_of(gate, 0.1) > 20


def test_without_anybody_ahead_no_step_waits():
    gate = Gate()
    with gate.ahead():
        pass
    assert steps_of(gate, 0.1) > 20

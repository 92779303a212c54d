"""Turns: no more at a time than there may be, the others in their order, and nobody waits for who has left."""

from __future__ import annotations

import threading
import time

import pytest

from pages.server.limits import GivenUp, Turns


def start(work):
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    return thread


def wait_until(holds):
    deadline = time.monotonic() + 10
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.005)


def test_two_at_a_time_and_the_others_in_their_order():
    turns, inside, begun, go = Turns(2), [], [], threading.Event()
    most, places = [], {}

    def work(k):
        with turns.turn(waits=lambda place: places.setdefault(k, place)):
            begun.append(k)
            inside.append(k)
            most.append(len(inside))
            go.wait(10)
            inside.remove(k)

    threads = []
    for k in range(5):
        threads.append(start(lambda k=k: work(k)))
        wait_until(lambda k=k: k in begun or k in places)
    assert begun == [0, 1]
    assert places == {2: 1, 3: 2, 4: 3}
    go.set()
    for thread in threads:
        thread.join(10)
    assert sorted(begun) == [0, 1, 2, 3, 4]
    assert max(most) == 2


def test_who_has_left_is_waited_for_by_nobody():
    turns = Turns(1)
    with turns.turn():
        with pytest.raises(GivenUp), turns.turn(given_up=lambda: True):
            pytest.fail("it was not its turn")
        places = []
        later = start(lambda: turns.turn(waits=places.append).__enter__())
        wait_until(lambda: places)
        assert places[0] == 1
    later.join(10)
    assert not later.is_alive()


def test_an_error_gives_the_turn_back():
    turns = Turns(1)
    with pytest.raises(ZeroDivisionError), turns.turn():
        _ = 1 / 0
    with turns.turn(given_up=lambda: True):
        pass

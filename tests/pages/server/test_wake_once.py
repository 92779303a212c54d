"""The server's loop is woken once for many calls, and never too seldom."""

from __future__ import annotations

import asyncio
import threading

import pytest

from pages.server.wake_once import wake_once


class CountedPipe:
    """The writing end of the loop's pipe."""

    def __init__(self, pipe):
        self.pipe, self.wakes = pipe, 0

    def send(self, data):
        self.wakes += 1
        return self.pipe.send(data)

    def __getattr__(self, name):
        return getattr(self.pipe, name)


@pytest.fixture
def loop():
    """A running loop that is woken once."""
    made = asyncio.SelectorEventLoop()
    wake_once(made)
    thread = threading.Thread(target=made.run_forever, daemon=True)
    thread.start()
    yield made
    made.call_soon_threadsafe(made.stop)
    thread.join(10)
    made.close()


def test_a_hundred_calls_on_a_loop_that_is_busy_wake_it_once(loop):
    busy, go_on, done = threading.Event(), threading.Event(), threading.Event()
    called = []
    loop.call_soon_threadsafe(lambda: (busy.set(), go_on.wait(10)))
    assert busy.wait(10)
    loop._csock = pipe = CountedPipe(loop._csock)
    for k in range(100):
        loop.call_soon_threadsafe(called.append, k)
    loop.call_soon_threadsafe(done.set)
    go_on.set()
    assert done.wait(10)
    assert called == list(range(100))
    assert pipe.wakes <= 1


def test_it_wakes_again_after_it_has_slept(loop):
    for _ in range(20):
        done = threading.Event()
        loop.call_soon_threadsafe(done.set)
        assert done.wait(10)


def test_no_call_of_many_threads_is_left_lying(loop):
    n_threads, n_calls = 4, 3_000
    called, done = [], threading.Event()

    def call(k):
        called.append(k)
        if len(called) == n_threads * n_calls:
            done.set()

    def calls():
        for k in range(n_calls):
            loop.call_soon_threadsafe(call, k)

    threads = [threading.Thread(target=calls) for _ in range(n_threads)]
    for thread in threads:
        thread.start()
    assert done.wait(20)
    for thread in threads:
        thread.join(10)

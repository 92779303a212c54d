"""A page's messages come to the loop together and in their order; none waits for long, and none is lost."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest
from streamlit.runtime import runtime
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.scriptrunner import ScriptRunnerEvent

from pages.server import gathered_messages

MESSAGE, ENDED = ScriptRunnerEvent.ENQUEUE_FORWARD_MSG, ScriptRunnerEvent.SCRIPT_STOPPED_WITH_SUCCESS


@pytest.fixture(autouse=True)
def installed(monkeypatch):
    monkeypatch.setattr(
        AppSession, "_on_scriptrunner_event", AppSession._on_scriptrunner_event
    )  # and as before after it
    monkeypatch.setattr(AppSession, "request_rerun", lambda session, client_state: session.got.append(client_state))
    monkeypatch.setattr(runtime, "asyncio", asyncio)
    gathered_messages.install()
    gathered_messages.install()


class Session:
    """What of Streamlit's session is needed; `calls` counts what the loop was asked for."""

    say = property(lambda self: AppSession._on_scriptrunner_event.__get__(self))

    def __init__(self):
        self._event_loop = asyncio.get_running_loop()
        self.calls, self.got = 0, []

    def _call_soon_on_event_loop(self, callback):
        self.calls += 1
        self._event_loop.call_soon_threadsafe(callback)

    def _handle_scriptrunner_event_on_event_loop(self, sender, event, forward_msg=None, **more):
        if forward_msg == "bad":
            raise ValueError("bad")
        self.got.append(event.name if event is not MESSAGE else forward_msg)


def in_a_loop(work):
    """The result of `work` in a loop of its own, in a thread of its own, as the browser's tests have one in this."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(lambda: asyncio.run(work())).result(20)


@pytest.fixture
def alone(monkeypatch):
    """Only what ends a run takes messages along."""
    monkeypatch.setattr(gathered_messages, "SECONDS", 30.0)


def test_a_page_asks_for_the_loop_twice(alone):
    async def work():
        session = Session()

        def page():
            for k in range(100):
                session.say("runner", event=MESSAGE, forward_msg=k)
            session.say("runner", event=ENDED)

        await asyncio.to_thread(page)
        await asyncio.sleep(0.05)
        return session

    session = in_a_loop(work)
    assert session.got == [*range(100), "SCRIPT_STOPPED_WITH_SUCCESS"]
    assert session.calls == 2


def test_what_nothing_follows_does_not_wait_for_long():
    async def work():
        session = Session()
        for k in (1, 2):
            await asyncio.to_thread(session.say, "runner", event=MESSAGE, forward_msg="first")
            await asyncio.to_thread(session.say, "runner", event=MESSAGE, forward_msg="second")
            for _ in range(100):
                if len(session.got) == 2 * k:
                    break
                await asyncio.sleep(0.01)
        return session

    assert in_a_loop(work).got == ["first", "second"] * 2


def test_one_that_fails_keeps_none_of_the_others_back(alone):
    async def work():
        session = Session()
        asyncio.get_running_loop().set_exception_handler(lambda *_: None)
        for said in ("one", "bad", "two"):
            session.say("runner", event=MESSAGE, forward_msg=said)
        session.say("runner", event=ENDED)
        await asyncio.sleep(0.05)
        return session

    assert in_a_loop(work).got == ["one", "two", "SCRIPT_STOPPED_WITH_SUCCESS"]


def test_the_next_run_begins_when_what_the_one_before_said_is_there(alone):
    async def work():
        session = Session()
        session.say("runner", event=MESSAGE, forward_msg="a toast")
        AppSession.request_rerun(session, "next")
        return session

    assert in_a_loop(work).got == ["a toast", "next"]


def test_between_messages_the_loop_looks_around_now_and_then():
    async def work():
        turns = 0

        async def other():
            nonlocal turns
            while True:
                turns += 1
                await asyncio.sleep(0)

        task = asyncio.create_task(other())
        for _ in range(4 * gathered_messages.AT_ONCE):
            await runtime.asyncio.sleep(0)
        task.cancel()
        return turns

    assert 3 <= in_a_loop(work) <= 6

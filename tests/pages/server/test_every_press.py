"""Two presses in quick succession are both heard, by a server of Streamlit's own on which everything takes its time."""

from __future__ import annotations

import asyncio
import textwrap
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState

from benchmarks.load_client import Tab
from pages.server.every_press import MOST_WAITING
from tests.browser.conftest import ROOT, running_app

ENTRY = """
    import itertools
    import sys
    import time

    import streamlit as st
    from streamlit.runtime.scriptrunner import ScriptRunner

    sys.path.insert(0, {root!r})
    from pages.server import every_press, gathered_messages, session_lock

    waits = itertools.cycle([0.06, 0.0, 0.03])  # a busy server, on which a later run overtakes another


    def slow(work):
        def later(*args):
            time.sleep(next(waits))
            return work(*args)

        return later


    ScriptRunner._run_script_thread = slow(ScriptRunner._run_script_thread)
    ScriptRunner._run_script = slow(ScriptRunner._run_script)
    session_lock.install()
    gathered_messages.install()
    every_press.install()
    every_press.install()
    app = st.App({page!r})
"""
PAGE = """
    import time

    import streamlit as st

    st.session_state.setdefault("heard", [])


    def hear(what):
        for _ in range(5):  # each look at the state is a place at which Streamlit may end a run
            time.sleep(0.01)
            st.session_state["heard"] = [*st.session_state["heard"]]
        st.session_state["heard"] = [*st.session_state["heard"], what]


    def picked():
        hear(f"picked {st.session_state['number']}")


    for k in range(6):
        st.button(f"press {k}", on_click=hear, args=(f"press {k}",))
    st.slider("number", 0, 9, key="number", on_change=picked)
    @st.fragment
    def part():
        for k in range(2):
            st.button(f"part {k}", on_click=hear, args=(f"part {k}",))
        time.sleep(0.1)


    part()
    st.button("Again", key="again")
    if st.session_state["again"]:
        st.rerun()
    alone = st.session_state["heard"] == ["press 0"]
    time.sleep(8.0 if alone else 0.2)
    st.markdown("heard: " + ", ".join(st.session_state["heard"]))
"""


@pytest.fixture(scope="module")
def host(tmp_path_factory):
    folder = tmp_path_factory.mktemp("server")
    page, entry = folder / "page.py", folder / "entry.py"
    page.write_text(textwrap.dedent(PAGE))
    entry.write_text(textwrap.dedent(ENTRY).format(root=str(ROOT), page=str(page)))
    with running_app("every-press.log", entry=entry) as address:
        yield address.removeprefix("http://")


@asynccontextmanager
async def opened(host):
    tab = Tab(host, "", with_stage=False)
    await tab.open()
    tab.widgets["number"] = WidgetState(id=next(name for name in tab.ids if name.endswith("-number")))
    try:
        yield tab
    finally:
        await tab.close()


async def send(tab, button=None, number=None):
    """What a browser sends: the values of all widgets, and the button that is pressed."""
    message = BackMsg()
    states = message.rerun_script.widget_states.widgets
    if number is not None:
        states.add(id=tab.widgets["number"].id).double_array_value.data.append(number)
    if button is not None:
        states.add(id=tab.buttons[button if isinstance(button, str) else f"press {button}"], trigger_value=True)
        if str(button).startswith("part"):
            message.rerun_script.fragment_id = tab.fragment
    await tab.say(message.SerializeToString())


async def heard(tab, count):
    """What the page says that it has heard, once it is so many things."""
    words = []
    for _ in range(200):
        said = [text for text in tab.said if text.startswith("heard: ")]
        words = said[0].removeprefix("heard: ").split(", ") if said else words
        if len(words) >= count:
            return words
        await asyncio.sleep(0.05)
    return words


def in_a_loop(work):
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(lambda: asyncio.run(work)).result(60)


def pressed(host, presses, pause):
    """What the page says in the end of presses (a button's number, or "n" and the slider's), so long after another."""

    async def work():
        async with opened(host) as tab:
            number = None
            for press in presses:
                picked = str(press).startswith("n")
                if picked:
                    number = int(press[1:])
                await send(tab, None if picked else press, number=number)
                await asyncio.sleep(pause)
            return await heard(tab, len(presses))

    return in_a_loop(work())


@pytest.mark.parametrize("pause", [0.0, 0.005, 0.03, 0.1])
def test_six_presses_in_quick_succession_in_their_order(host, pause):
    assert pressed(host, [3, 1, 2, 0, 5, 4], pause) == [f"press {k}" for k in (3, 1, 2, 0, 5, 4)]


@pytest.mark.parametrize("pause", [0.0, 0.02])
def test_the_same_button_three_times(host, pause):
    assert pressed(host, [1, 1, 1], pause) == ["press 1"] * 3


@pytest.mark.parametrize("pause", [0.0, 0.005, 0.03, 0.1])
def test_what_was_picked_is_known_and_somebody_was_told(host, pause):
    assert pressed(host, ["n7", 1, "n3", "n4", 2], pause) == ["picked 7", "press 1", "picked 3", "picked 4", "press 2"]


@pytest.mark.parametrize("pause", [0.0, 0.02, 0.08, 0.3])
def test_presses_of_a_part_of_the_page_and_of_the_whole(host, pause):
    presses = ["part 0", "part 1", 2, "part 0", "part 1", "part 1", 3]
    said = [press if isinstance(press, str) else f"press {press}" for press in presses]
    assert pressed(host, presses, pause) == said


def test_of_very_many_the_last_ones_are_heard(host):
    async def work():
        async with opened(host) as tab:
            for _ in range(120):
                await send(tab, 1)
            await send(tab, 5)
            said = await heard(tab, 1)
            while said[-1] != "press 5":
                said = await heard(tab, len(said) + 1)
            return said

    assert MOST_WAITING <= len(in_a_loop(work())) < MOST_WAITING + 20


@pytest.mark.parametrize("again", [False, True])
def test_nobody_waits_for_a_page_that_computes(host, again):
    """The first press begins eight seconds of it, of itself or by a page that has itself run again; the second one is
    answered meanwhile."""

    async def work():
        async with opened(host) as tab:
            await send(tab, 0)
            await asyncio.sleep(2.0)
            if again:
                await send(tab, "Again")
                await asyncio.sleep(2.0)
            began = time.monotonic()
            await send(tab, 1)
            return await heard(tab, 2), time.monotonic() - began

    said, seconds = in_a_loop(work())
    assert said == ["press 0", "press 1"]
    assert seconds < 5

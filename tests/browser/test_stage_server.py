"""Several live panels from a real server to a real browser: trained together, one trained again, one added."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import ROOT, running_app
from tests.browser.waiting import rest, steady

SCRIPT = """
import numpy as np
import streamlit as st
from nca_core.training.run import TrainingRun
from nca_core.training.config import TrainingConfig
from pages.server.workspace import HUB
from stage.streamlit_host import live_stage
from stage.scene import Panel, Scene

def scene(keys):
    panels = tuple(Panel(key, key.upper(), np.eye(2, 4), live=True) for key in keys)
    y = np.arange(60) % 3
    X = np.random.default_rng(0).normal(size=(60, 4)) + y[:, None]
    return Scene((X,), y, ("a", "b", "c"), X, tuple("wxyz"), np.arange(60), np.zeros(60, bool), panels, 2)

def train(key, iterations):
    shown = scene(())
    config = TrainingConfig(max_iter=iterations, tol=1e-15, initialisation="random", random_state=len(key))
    run = TrainingRun(shown.X, shown.labels, config, min_interval=0.02, place=space.place)
    space.set_run(key, run)
    run.start()

if "space" not in st.session_state:
    st.session_state.space = space = HUB.open()
    space.set_scene(scene(["one", "three"]))
    train("one", 30)
    train("three", 20)
space = st.session_state.space
if st.button("Again"):
    train("one", 25)
if st.button("Add"):
    space.set_scene(scene(["two", "one", "three"]))
live_stage(space, key="stage")
st.text("server: " + ", ".join(f"{key} {held.run.state}" for key, held in sorted(space.runs.items())))
"""
ENTRY = """
import sys
sys.path.insert(0, {root!r})
import streamlit as st
from pages.server.routes import routes
app = st.App({script!r}, routes=routes())
"""


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    folder = tmp_path_factory.mktemp("stage")
    script, entry = folder / "script.py", folder / "entry.py"
    script.write_text(SCRIPT)
    entry.write_text(ENTRY.format(root=str(ROOT), script=str(script)))
    with running_app("stage_server.log", entry) as started:
        yield started


def test_two_train_side_by_side_one_again_and_a_third_comes(page, address):
    messages = []
    page.on("websocket", lambda s: s.on("framereceived", lambda m: messages.append(m)) if "/live" in s.url else None)
    page.goto(address)
    status, states = page.locator(".readout .status"), page.locator(".panel .state")
    expect(status).to_have_text("2 of 2 ended", timeout=90_000)
    expect(states).to_have_text([re.compile("30"), re.compile("20")])
    expect(page.get_by_text("server: one ended, three ended")).to_be_visible()  # the page was told of both
    expect(page.locator(".readout .numbers")).to_have_text("iteration 30")
    first = steady(page, page.locator(".panel .foot").all_text_contents)
    page.get_by_role("button", name="Again").click()
    expect(states.first).to_have_text(re.compile("25"), timeout=90_000)
    expect(page.get_by_text("server: one ended, three ended")).to_be_visible()
    expect(page.locator(".readout .numbers")).to_have_text("iteration 25")
    expect(page.locator(".panel .foot").nth(1)).to_have_text(first[1])
    rest(page)
    messages.clear()
    page.get_by_role("button", name="Add").click()
    expect(page.locator(".panel h3")).to_have_text(["TWO", "ONE", "THREE"])
    expect(page.locator(".readout .numbers")).to_have_text("iteration 25")
    expect(status).to_have_text("2 of 3 ended")
    expect(page.locator(".panel .foot").nth(2)).to_have_text(first[1])
    assert not [message for message in messages if isinstance(message, bytes)]  # no frame travelled twice

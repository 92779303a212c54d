"""Painted frames per second, blank frames, bytes and server time of the live stage, in headless Chromium.

    python benchmarks/stage_frames.py [--probe ../shared/tools/stage_probe.js] [--seconds 6] [--press 20]

Frames are counted by the probe, which looks at the pixels of every picture, not by the stage itself. The stage is
kept moving by a rotation or zoom of all panels at once (the hardest case: every panel repaints in every frame), and
by trainings at ten iterations a second: one beside two still panels, or nine side by side. In the last cases a point is
pinned: lines to its neighbours and a circle follow in every panel, and its lists stand below. Server time is that of
the thread which serves; trainings compute in threads of their own.

With --press it counts the frames of the app itself, from a press of Train to three seconds after the end, at 1, 3 and 9
panels, so many times each.
"""

import tempfile
import time
from pathlib import Path

import psutil
from common import ROOT, options
from playwright.sync_api import sync_playwright
from server import Server

from tests.browser.conftest import FLAGS, find_browser

DEMO = """
import sys
sys.path.insert(0, {root!r})
import numpy as np, streamlit as st
from nca_core.training.run import TrainingRun
from nca_core.training.config import TrainingConfig
from stage.streamlit_host import live_stage
from pages.server.workspace import HUB
from nca_core.training.gate import lower_priority
from stage.scene import Panel, Scene
st.set_page_config(layout="wide")
n, D, d, live = {n}, {D}, {d}, {live}
if "space" not in st.session_state:
    rng = np.random.default_rng(0)
    y = np.arange(n) % 10
    X = rng.normal(size=(n, D)) + 2.5 * rng.normal(size=(10, D))[y]
    if n == 1797:
        from sklearn.datasets import load_digits
        X, y = load_digits(return_X_y=True)
        X = (X - X.mean(axis=0)) / np.maximum(X.std(axis=0), 1e-9)
    starts = [np.linalg.qr(rng.normal(size=(D, d)))[0].T for _ in range(live)]
    space = HUB.open()
    panels = tuple(Panel("nca-" + str(k), "NCA " + str(k), A, live=True) for k, A in enumerate(starts))
    if live == 1:
        panels = tuple(Panel(k, k.upper(), starts[0]) for k in ("pca", "lda")) + panels
    space.set_scene(
        Scene((X,), y, tuple("0123456789"), X[:, :2], ("a", "b"), np.arange(n), np.zeros(n, bool), panels, d)
    )
    small = slice(0, min(n, 1797))
    for k in range(live):
        config = TrainingConfig(n_components=d, initialisation="random", random_state=k, max_iter=2000, tol=1e-12)
        run = TrainingRun(X[small], y[small], config, min_interval=0.1, place=space.place, begin=lower_priority)
        space.set_run("nca-" + str(k), run)
        run.start()
    st.session_state.space = space
pinned = dict(point=(1, 7), question="point") if {pinned} else dict()
live_stage(st.session_state.space, key="stage", **pinned)
"""
# Points, features, dimensions, live panels.
FREE = (
    (1797, 64, 2, 1),
    (1797, 64, 3, 1),
    (50_000, 10, 2, 1),
    (50_000, 10, 3, 1),
    (1797, 64, 2, 9),
    (1797, 64, 3, 9),
    (100_000, 10, 2, 1),
    (100_000, 10, 3, 1),
)
PINNED = ((2000, 10, 2, 1), (2000, 10, 3, 1), (100_000, 10, 2, 1), (100_000, 10, 3, 1))
CASES = (*((*case, False) for case in FREE), *((*case, True) for case in PINNED))
# Explore with so many panels.
STARTS = "&".join(f"nca-{k}.start=random&nca-{k}.seed={k}" for k in range(2, 10))
NINE = ",".join(["nca", *(f"nca-{k}" for k in range(2, 10))])
LINKS = {1: "recipe=2&data=rings&panels=nca", 3: "", 9: f"recipe=2&data=wine&panels={NINE}&{STARTS}"}
PRESS = """
() => {
  stageProbe.reset();
  [...document.querySelectorAll("button")].find((button) => button.innerText.includes("Train")).click();
}
"""
# Looked for in the page, twice a second: looks from outside would take frames.
ENDED = """
() => [document, ...[...document.querySelectorAll("*")].map((e) => e.shadowRoot).filter(Boolean)]
  .flatMap((root) => [...root.querySelectorAll(".readout .status")])
  .some((status) => /onverged|Stopped|maximum|Done|9 of 9 ended/.test(status.innerText))
"""
SNAPSHOT = 150  # bytes; what is shorter is a word between page and server
ENTRY = """
import sys
sys.path.insert(0, {root!r})
import streamlit as st
from pages.server.routes import routes
app = st.App({script!r}, routes=routes())
"""
TURN = """
() => {
  const canvas = [...document.querySelectorAll("*")].map((e) => e.shadowRoot).filter(Boolean)
    .map((root) => root.querySelector(".panel canvas")).find(Boolean);
  const box = canvas.getBoundingClientRect();
  const send = (kind, x, y) => canvas.dispatchEvent(new PointerEvent(kind, {
    pointerId: 1, pointerType: "mouse", buttons: 1, clientX: box.left + x, clientY: box.top + y, bubbles: true,
  }));
  canvas.setPointerCapture = () => {};
  send("pointerdown", 150, 150);
  let k = 0;
  const move = () => {
    k += 1;
    send("pointermove", 150 + 60 * Math.sin(k / 25), 150 + 20 * Math.cos(k / 40));
    if (!window.stopTurning) requestAnimationFrame(move);
  };
  move();
}
"""


def serving_seconds(process: psutil.Process) -> float:
    """Time of the thread that serves (the first one); trainings run in threads of their own."""
    return sum(t.user_time + t.system_time for t in process.threads() if t.id == process.pid)


def wait_for_snapshots(page, received: list[int]) -> None:  # type: ignore[no-untyped-def]
    """Until the training moves: where nothing is compiled yet, its first iteration waits for that."""
    end = time.monotonic() + 120
    while sum(size > SNAPSHOT for size in received) < 3:
        if time.monotonic() > end:
            raise SystemExit("The training sent no snapshot.")
        page.wait_for_timeout(200)
    page.wait_for_timeout(2000)


def measure(browser, probe: Path, case: tuple[int, int, int, int, bool], seconds: float) -> None:  # type: ignore[no-untyped-def]
    n, D, d, live, pinned = case
    with tempfile.TemporaryDirectory() as folder:
        script, entry = Path(folder) / "demo.py", Path(folder) / "entry.py"
        script.write_text(DEMO.format(root=str(ROOT), n=n, D=D, d=d, live=live, pinned=pinned))
        entry.write_text(ENTRY.format(root=str(ROOT), script=str(script)))
        server = Server(entry)
        server.start()
        try:
            page = browser.new_page(viewport={"width": 1400, "height": 1000})
            page.add_init_script(path=str(probe))
            received: list[int] = []
            page.on(
                "websocket",
                lambda s: s.on("framereceived", lambda f: received.append(len(f))) if "/live" in s.url else None,
            )
            page.goto(f"http://{server.host}")
            page.wait_for_selector(".panel canvas", timeout=60_000)
            page.wait_for_function("stageProbe.read() !== null", timeout=60_000)
            if pinned:
                page.wait_for_selector(".lines line:not([hidden])", state="attached", timeout=30_000)
            wait_for_snapshots(page, received)
            received.clear()
            page.evaluate("stageProbe.reset()")
            before = serving_seconds(server.process)
            page.wait_for_timeout(seconds * 1000)
            cpu = (serving_seconds(server.process) - before) / seconds
            training = page.evaluate("stageProbe.read()")
            status, where = (page.locator(f".readout .{part}").text_content() for part in ("status", "numbers"))
            binary = [size for size in received if size > SNAPSHOT]
            page.evaluate(TURN)
            page.wait_for_timeout(500)
            page.evaluate("stageProbe.reset()")
            page.wait_for_timeout(seconds * 1000)
            turned = page.evaluate("stageProbe.read()")
            page.close()
            if not server.process.is_running():
                raise SystemExit("The server ended by itself; measure again.")
        finally:
            server.stop()
    size = f"{sum(binary) / max(1, len(binary)):.0f}"
    shown = max(3, live)
    for what, read in (("training", training), (f"turning all {shown}", turned)):
        print(
            f"{n:>7,} {D:>3} {d}-D  {live} of {shown} live  {'pinned ' * pinned}{what:<14} {read['fps']:>5.1f} fps  "
            f"p95 gap {read['p95']:>5.1f} ms  blank {read['blank']}  WebGL {read['webgl']}",
            flush=True,
        )
    display = f"server {100 * cpu:.1f} % of a core for display"
    print(f"        {size} bytes a message, {display}; {status}, {where}", flush=True)


def press(browser, probe: Path, times: int) -> None:  # type: ignore[no-untyped-def]
    server = Server()
    server.start()
    server.rest()
    try:
        for _ in range(times):
            for panels, link in LINKS.items():
                page = browser.new_page(viewport={"width": 1400, "height": 1000})
                page.add_init_script(path=str(probe))
                page.goto(f"http://{server.host}/?{link}")
                page.wait_for_selector(".panel canvas", timeout=60_000)
                page.wait_for_timeout(9000)
                page.evaluate(PRESS)
                page.wait_for_function(ENDED, polling=500, timeout=60_000)
                page.wait_for_timeout(3000)
                read = page.evaluate("stageProbe.read()")
                page.close()
                print(f"panels {panels}: p95 {read['p95']:.1f} ms, longest frame {read['max']:.1f} ms", flush=True)
    finally:
        server.stop()


def main() -> None:
    every = range(len(CASES))
    arguments = options(
        __doc__,
        probe=ROOT.parent / "shared" / "tools" / "stage_probe.js",
        seconds=6.0,
        press=0,
        cases={"default": every, "nargs": "+", "type": int, "choices": every, "help": "only these, from 0 on"},
    )
    if not arguments.probe.is_file():
        raise SystemExit(f"The probe {arguments.probe} is missing; name one with --probe.")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=FLAGS)
        if arguments.press:
            press(browser, arguments.probe, arguments.press)
        for case in () if arguments.press else arguments.cases:
            measure(browser, arguments.probe, CASES[case], arguments.seconds)
        browser.close()


if __name__ == "__main__":
    main()

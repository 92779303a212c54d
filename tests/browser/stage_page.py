"""The stage's JavaScript in a blank page, fed with bytes that the Python side made: what its tests share."""

import base64
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import numpy as np

from nca_core.snapshot import Snapshot
from stage.module_files import MODULE
from stage.scene import Panel, Scene
from stage.wire import encode_scene, encode_snapshots

HOSTILE = "<img src=x onerror='window.harmed=true'>"
BLANK = """<!doctype html><link rel="stylesheet" href="/stage.css">
<body style="--st-background-color:#ffffff;--st-text-color:#111111"><div class="nca-stage"></div>"""
LOAD = """
async (scene) => {
  if (window.stage) return show(scene);
  const { Stage } = await import("./stage.js");
  const wire = await import("./wire.js");
  window.bytes = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer;
  window.wire = wire;
  window.reports = [];
  window.wishes = [];
  window.stage = new Stage(document.querySelector(".nca-stage"), {
    report: (indices, total) => window.reports.push([indices, total]),
    compares: window.compares, // what only the page of comparisons has
    ask: (...wish) => window.wishes.push(wish),
  });
  window.feed = (text) => stage.addSnapshots(wire.decodeSnapshots(bytes(text)));
  window.show = (text) => stage.showScene(wire.decodeScene(bytes(text)));
  // The pixel at a point of a panel, read from the canvas itself.
  window.pixel = (panel, i) => {
    const { canvas, xs, ys } = stage.panels[panel];
    return [...canvas.getContext("2d").getImageData(Math.round(xs[i]), Math.round(ys[i]), 1, 1).data];
  };
  show(scene);
}
"""
SETTLED = "() => !stage.frameWanted && stage.panels.every((panel) => !panel.drawn || (!panel.dirty && panel.extent))"
WHITE = [255, 255, 255, 255]
CORNERS = np.array([[-2.0, -1], [2, -1], [-2, 1], [2, 1]])


def text_of(data: bytes) -> str:
    return base64.b64encode(data).decode()


def scene_with(X, labels, d=2, names=("a", "b", "c", "d"), still=True):
    D = X.shape[1]
    panels = (Panel("nca", "NCA", np.eye(d, D), live=True),)
    if still:
        panels = (Panel("pca", "PCA", np.eye(d, D)), *panels)
    return Scene(
        features=(X,),
        labels=np.asarray(labels),
        class_names=names,
        hover=X,
        hover_names=tuple(f"f{k}" for k in range(D)),
        row_numbers=np.arange(len(X)) + 11,
        held_out=np.zeros(len(X), bool),
        panels=panels,
        n_components=d,
    )


def snapshot(iteration, A, mean_p=0.5, **numbers):
    numbers = {"accuracy_1nn": 0.9, **numbers}
    return Snapshot(
        iteration,
        np.asarray(A, dtype=float),
        objective=mean_p,
        mean_p=mean_p,
        gradient_norm=0.1,
        k_mean_entropy=6.5,
        k_mean_perplexity=7.5,
        **numbers,
    )


class _Files(SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *said: object) -> None:
        pass


@contextmanager
def served() -> Iterator[str]:
    """The address of the module's files; no app behind them."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Files, directory=str(MODULE))) as server:
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


def show(page, scene):
    page.evaluate(LOAD, text_of(encode_scene(scene)))
    page.wait_for_function(SETTLED)


def message(*snapshots, panel=0, run=1, rows=None, short_run=0):
    return text_of(encode_snapshots(snapshots, panel=panel, run=run, rows=rows, short_run=short_run))


def feed(page, *snapshots, panel=None, run=1, rows=None):
    """The snapshots of a run to a panel by its index, else to the first that is live."""
    if panel is None:
        panel = page.evaluate("stage.scene.panels.findIndex((panel) => panel.live)")
    page.evaluate("(text) => feed(text)", message(*snapshots, panel=panel, run=run, rows=rows))


def settle(page):
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    page.wait_for_function(SETTLED)


def seek(page, position):
    page.evaluate("(position) => stage.player.seek(position)", position)
    settle(page)


def pixels(page, panel):
    """The colour in the middle of each point."""
    return page.evaluate("(panel) => [...stage.panels[panel].xs.keys()].map((i) => pixel(panel, i))", panel)


def pan(page, *places):
    """Press at the first place and go to the others."""
    page.mouse.move(*places[0])
    page.mouse.down()
    for place in places[1:]:
        page.mouse.move(*place, steps=4)
    page.mouse.up()


def press_points(page, panel, i):
    """Where a point is, in the window's coordinates."""
    return page.evaluate(
        """([panel, i]) => {
          const { canvas, xs, ys, ratio } = stage.panels[panel];
          const box = canvas.getBoundingClientRect();
          return [box.left + xs[i] / ratio, box.top + ys[i] / ratio];
        }""",
        [panel, i],
    )

"""What the stage in a notebook receives, and what becomes of it in a real JupyterLab (marker `notebook`)."""

import importlib.util
import json
import os
import subprocess
import sys
import time
import urllib.request

import numpy as np
import pytest
from playwright.sync_api import expect
from sklearn.datasets import load_wine

from benchmarks.server import ROOT
from export.player import animate
from nca_core import MCML, UNLABELLED, NeighborhoodComponentsAnalysis, NeuralNCA
from stage import notebook
from tests.browser.conftest import chromium
from tests.browser.proxies import free_port
from tests.stage.scene_bytes import head

assert chromium  # the fixture

DATA = load_wine(as_frame=True)
X = (DATA.data - DATA.data.mean()) / DATA.data.std()
Y = DATA.target.to_numpy()


@pytest.fixture
def messages(monkeypatch):
    """What the widget sends: (content, buffer)."""
    sent = []
    send = lambda self, content, buffers=(): sent.append((content, *buffers))  # noqa: E731
    monkeypatch.setattr(notebook._widget_class(), "send", send)
    return sent


def test_a_fit_is_sent_while_it_runs(messages):
    nca = NeighborhoodComponentsAnalysis(2, init="pca", random_state=0)
    known = Y.copy()
    known[:5] = UNLABELLED
    widget = notebook.watch(nca, X, known, beside=["lda"])
    kinds = [content["kind"] for content, *_ in messages]
    assert kinds == ["scene", "runs", *["snapshots"] * (nca.n_iter_ + 1), "runs"]
    said = head(messages[0][1])
    assert [panel["key"] for panel in said["panels"]] == ["lda", "fitted"]
    assert said["hover_names"] == list(X.columns)
    assert said["classes"] == ["0", "1", "2"]
    last = np.frombuffer(messages[-2][1], dtype="<f8", count=6)
    assert last.tolist() == [1, 1, 0, 1, 2, 13]  # panel, run, no short run, one snapshot of 2 x 13
    frame = np.frombuffer(messages[-2][1], dtype="<f4")[-2 * 13 :].reshape(2, 13)
    np.testing.assert_allclose(frame, nca.components_, rtol=1e-6)
    assert messages[-1][0]["runs"]["fitted"]["state"] == "ended"
    assert messages[-1][0]["runs"]["fitted"]["reason"] == nca.reason_
    assert [at.iteration for at in widget.path] == list(range(nca.n_iter_ + 1))
    assert not nca._observers


def test_projections_that_are_not_a_matrix_of_two_rows(messages):
    network = NeuralNCA(2, max_iter=3)
    with pytest.warns(Warning, match="maximum"):
        notebook.watch(network, X, Y, beside=())
    assert np.frombuffer(messages[-2][1], dtype="<f8", count=6).tolist() == [0, 1, 0, 1, 2, len(X)]
    messages.clear()
    metric = MCML(2, max_iter=3)
    with pytest.warns(Warning, match="maximum"):
        widget = notebook.watch(metric, X, Y, beside=())
    shown, kept = widget.path[-1].transformation, metric.components_
    assert shown.T @ shown == pytest.approx(kept.T @ kept)  # equal up to a rotation


@pytest.mark.parametrize(
    ("estimator", "beside", "named"),
    [
        (NeighborhoodComponentsAnalysis(5), (), "5 dimensions; the stage shows 2 or 3. Set n_components."),
        (MCML(2, kernel="rbf"), (), "kernel features; the stage shows projections of X"),
        (NeighborhoodComponentsAnalysis(2), ("pcb",), "'pcb'; the names are: pca, lda"),
        (NeighborhoodComponentsAnalysis(2), ("tsne",), "'tsne', which is not computed in closed form"),
    ],
)
def test_what_cannot_be_shown_is_named(messages, estimator, beside, named):
    with pytest.raises(ValueError, match=named):
        notebook.watch(estimator, X, Y, beside=beside)
    assert not estimator._observers


def test_without_anywidget_the_command_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "anywidget", None)
    notebook._widget_class.cache_clear()
    with pytest.raises(ImportError, match=r"pip install 'nca-explorer\[notebook\]'"):
        notebook.watch(NeighborhoodComponentsAnalysis(2), X, Y)


def test_a_recorded_path_is_drawn_and_played(tmp_path):
    nca = NeighborhoodComponentsAnalysis(2, init="pca", keep_path=True, random_state=0).fit(X, Y)
    assert [at.iteration for at in nca.path_] == list(range(nca.n_iter_ + 1))
    figure = notebook.plot(nca, X, Y, iteration=3)
    assert [trace.name for trace in figure.data] == ["0", "1", "2"]
    drawn = np.vstack([np.column_stack([trace.x, trace.y]) for trace in figure.data])
    assert drawn == pytest.approx((X.to_numpy() @ nca.path_[3].transformation.T)[np.argsort(Y, kind="stable")])
    assert "Iteration 3" in figure.layout.title.text
    with pytest.raises(ValueError, match=f"no iteration 99; the last one is {nca.n_iter_}"):
        notebook.plot(nca, X, Y, iteration=99)
    animate(nca, X, Y, tmp_path / "wine.html", beside=["pca"])
    page = (tmp_path / "wine.html").read_text(encoding="utf-8")
    assert f'"{nca.n_iter_} iterations"' in page
    assert len(page) < 600_000
    with pytest.raises(ValueError, match="keep_path=True"):
        animate(NeighborhoodComponentsAnalysis(2).fit(X, Y), X, Y, tmp_path / "none.html")


CELL = """
from sklearn.datasets import load_wine
from nca_core import NeighborhoodComponentsAnalysis
from stage.notebook import watch
data = load_wine(as_frame=True)
X = (data.data - data.data.mean()) / data.data.std()
widget = watch(NeighborhoodComponentsAnalysis(2, init="pca", random_state=0), X, data.target)
"""


@pytest.mark.notebook
def test_in_jupyterlab_it_moves_scrubs_and_gives_rows_back(chromium, tmp_path):
    assert importlib.util.find_spec("jupyterlab"), "Install it: pip install jupyterlab"
    cells = [
        {"cell_type": "code", "id": str(k), "metadata": {}, "source": source, "outputs": [], "execution_count": None}
        for k, source in enumerate([CELL, "print('rows', sorted(widget.selected)[:3], len(widget.path))"])
    ]
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    content = {"cells": cells, "metadata": kernel, "nbformat": 4, "nbformat_minor": 5}
    (tmp_path / "watch.ipynb").write_text(json.dumps(content))
    port = free_port()
    command = [sys.executable, "-m", "jupyterlab", "--allow-root", "--no-browser", f"--port={port}"]
    command += ["--IdentityProvider.token=", f"--notebook-dir={tmp_path}", "--LabApp.news_url=None"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "HOME": str(tmp_path)}
    server = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    page = chromium.new_page(viewport={"width": 1400, "height": 1000})
    try:
        address = f"http://localhost:{port}"
        for _ in range(240):
            try:
                urllib.request.urlopen(f"{address}/api", timeout=5)
                break
            except OSError:
                time.sleep(0.5)
        page.goto(f"{address}/lab/tree/watch.ipynb")
        page.locator(".jp-CodeCell").first.locator(".cm-content").click()
        page.keyboard.press("Shift+Enter")
        numbers = page.locator(".nca-notebook .numbers")
        expect(numbers).to_contain_text("iteration")
        expect(page.locator(".nca-notebook .status")).to_contain_text("Converged", timeout=60_000)
        end = numbers.inner_text()
        page.locator(".nca-notebook").get_by_role("button", name="One iteration back").click()
        expect(numbers).not_to_have_text(end)
        page.locator(".nca-notebook").get_by_role("button", name="Select points by a rectangle").click()
        page.locator(".nca-notebook canvas").first.scroll_into_view_if_needed()
        canvas = page.locator(".nca-notebook canvas").first.bounding_box()
        page.mouse.move(canvas["x"] + 4, canvas["y"] + 4)
        page.mouse.down()
        page.mouse.move(canvas["x"] + canvas["width"] - 4, canvas["y"] + canvas["height"] - 4, steps=4)
        page.mouse.up()
        expect(page.locator(".nca-notebook")).to_contain_text("178 points selected")
        page.locator(".jp-CodeCell").nth(1).locator(".cm-content").click()
        page.keyboard.press("Shift+Enter")
        expect(page.locator(".jp-OutputArea-output").filter(has_text="rows [0, 1, 2]")).to_be_visible()
    finally:
        page.close()
        server.terminate()
        server.wait()

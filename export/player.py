"""The player: one HTML file that mounts the stage with the whole history and a table of numbers."""

import base64
import gzip
import html
import math
from collections.abc import Generator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import numpy as np
import pandas as pd

from export.entry import Export, ExportProgress, ExportRequest, File, Subject
from export.standalone import HERE, json_in_html, standalone_page
from nca_core.estimators.base import TrainedEstimator
from nca_core.snapshot import Snapshot
from nca_core.training.run import Slot
from stage.notebook import fitted_path, fitted_scene
from stage.plain_text import visible
from stage.scene import Scene, build_scene, sampled_rows, shown_rows, with_rows
from stage.wire import encode_scene, encode_snapshots
from study.link import to_json, to_link
from study.measure import Measurement

MOST_BYTES = 5_000_000
_ROOM = 0.72 * MOST_BYTES  # of what is packed; base64 makes a third more of it
_BITS = 12  # of each feature of a point: to a four-thousandth of it, far less than a pixel
_COLUMNS = {
    "mean_p": "f/n",
    "k_mean_entropy": "K̂",
    "held_out_1nn": "1-NN, held-out rows",
    "held_out_knn": "K-NN, held-out rows",
    "accuracy_1nn": "1-NN, training rows (optimistic)",
    "accuracy_knn": "K-NN, training rows (optimistic)",
}
_BODY = """<header><h1>{title}</h1>
<button data-form="png2" type="button">PNG</button> <button data-form="svg" type="button">SVG</button>
<button id="theme" type="button">Dark</button></header>
<main>
<div class="nca-stage"></div>
{below}
</main>
<script type="application/json" id="about">{about}</script>
<script type="application/octet-stream" id="data">{data}</script>"""
_BELOW = """{table}
<details><summary>Recipe: what was compared, to open in NCA Explorer</summary><pre>{recipe}</pre></details>
<p class="small">{back}</p>"""


def _problem(subject: Subject, request: ExportRequest) -> str:
    return "" if subject.shown else "No panel shows anything that could play."


def _make(subject: Subject, request: ExportRequest, slot: Slot) -> Generator[ExportProgress, None, None]:
    wanted = len(subject.measured) + 2
    yield ExportProgress(0, wanted)
    scores: dict[str, Measurement] = {}
    for done, panel in enumerate(subject.measured, start=1):
        scores[panel.key] = subject.scores(panel.key, slot)
        yield ExportProgress(done, wanted)
    scene = replace(build_scene(subject.comparison), row_names=None)  # such files are passed on
    held = max(subject.places.values(), default=-1)  # the position on the stage; −1 at the end
    data, held, note = _packed(scene, subject.histories, held, slot)
    yield ExportProgress(wanted - 1, wanted)
    title = f"{visible(subject.comparison.dataset.name)}: projections, played by NCA Explorer"
    recipe = html.escape(to_json(subject.comparison.recipe))
    below = _BELOW.format(table=_table(subject, scores, note), recipe=recipe, back=_back(subject))
    page = _page(title, subject.histories, data, held, below).encode("utf-8")
    name = subject.file_name("nca.html")
    yield ExportProgress(wanted, wanted, File(name, "text/html", page))


def animate(estimator: TrainedEstimator, X: Any, y: Any, file: str | Path, *, beside: Sequence[str] = ()) -> None:
    """Write the training of an estimator as a page that plays without a network.

    Parameters
    ----------
    estimator : TrainedEstimator
        Fitted with `keep_path=True`.
    X, y
        The rows that it was fitted on.
    file : str or Path
        The HTML file to write, at most 5 MB.
    beside : sequence of str
        Keys of METHODS in closed form, shown next to it.

    Raises
    ------
    ValueError
        Without a path, or for a projection that has not 2 or 3 dimensions.
    OSError
        If the file cannot be written.
    """
    path = fitted_path(estimator, X)
    title = type(estimator).__name__
    scene = fitted_scene(path[0], X, y, title, beside)
    histories = {scene.panels[-1].key: path}
    data, held, note = _packed(scene, histories, -1, nullcontext)
    Path(file).write_text(_page(f"{title}: its training", histories, data, held, note), encoding="utf-8")


def _packed(scene: Scene, histories: Mapping[str, Sequence[Snapshot]], held: int, slot: Slot) -> tuple[bytes, int, str]:
    """(scene and histories, the position to open at, a note on what was left out).

    Drops iterations or points, whichever take more room, until it fits.
    """
    rows, note = shown_rows(scene), ""
    for _ in range(12):
        with slot():
            parts = [encode_scene(with_rows(scene, rows), _BITS), *_messages(scene, histories, rows)]
            packed = gzip.compress(_joined(parts), 9, mtime=0)
        if len(packed) <= _ROOM:
            break
        longest = max(map(len, histories.values()), default=0)
        if sum(map(len, parts)) > 2 * len(parts[0]) and longest > 20:
            histories = {key: _thinned(history, held) for key, history in histories.items()}
            held = (held + 1) // 2 if held > 0 else held
            note = "Of the iterations only some are kept."
        else:
            rows = sampled_rows(scene, max(200, int(max(0.1, 0.9 * _ROOM / len(packed)) * len(rows))))
    return packed, held, note


def _thinned(history: Sequence[Snapshot], held: int) -> list[Snapshot]:
    """Every second snapshot, the one shown and the last; the one shown has the number (held + 1) // 2 then."""
    odd = held % 2 if held > 0 else 0
    return [*history[:odd], *history[odd:-1:2], history[-1]]


def _messages(scene: Scene, histories: Mapping[str, Sequence[Snapshot]], rows: np.ndarray) -> list[bytes]:
    places = {panel.key: index for index, panel in enumerate(scene.panels)}
    found = []
    for key, history in histories.items():
        index = places[key]
        placed = rows if scene.panels[index].kind == "coordinates" else None
        for k, start in enumerate(reversed(history[0].starts), start=1):
            found.append(encode_snapshots(start.path, panel=index, short_run=k))
        found.append(encode_snapshots(history, panel=index, rows=placed))
    return found


def _joined(parts: list[bytes]) -> bytes:
    """How many, their lengths as float64, then the parts, each padded to 8 bytes."""
    head = np.array([len(parts), *map(len, parts)], dtype="<f8").tobytes()
    return head + b"".join(part + b"\0" * (-len(part) % 8) for part in parts)


def _page(title: str, histories: Mapping[str, Sequence[Snapshot]], data: bytes, held: int, below: str) -> str:
    """The page; `below` is HTML under the stage."""
    runs = {
        key: {"run": 1, "state": "ended", "reason": f"{len(history) - 1} iterations", "starts": []}
        for key, history in histories.items()
    }
    body = _BODY.format(
        title=html.escape(title),
        below=below,
        about=json_in_html({"runs": runs, "held": held}),
        data=base64.b64encode(data).decode(),
    )
    return standalone_page(title, body, HERE / "standalone.js")


def _table(subject: Subject, scores: dict[str, Measurement], note: str) -> str:
    """A line for each measured panel; empty columns are left out."""
    columns = {"Panel": [visible(subject.titles[key]) for key in scores]}
    for name, title in _COLUMNS.items():
        values = [getattr(found, name) for found in scores.values()]
        if not all(map(math.isnan, values)):
            digits = 1 if name == "k_mean_entropy" else 3
            columns[title] = ["–" if math.isnan(value) else f"{value:.{digits}f}" for value in values]
    prepared = subject.comparison.prepared
    said = f"{int(prepared.train.sum()):,} rows were trained on, {int(prepared.held_out.sum()):,} held out (hollow). "
    moments = [f"{subject.titles[key]}: {moment}." for key in scores if (moment := subject.moment(key))]
    said += " ".join(["Numbers at the iteration shown.", *moments, f"K is {subject.k}.", note] if moments else [note])
    with pd.option_context("display.max_colwidth", None):
        table = f'<div class="wide">{pd.DataFrame(columns).to_html(index=False, border=0)}</div>' if scores else ""
    return f'<h2>Numbers</h2>{table}<p class="small">{html.escape(said)}</p>'


def _back(subject: Subject) -> str:
    if not subject.address.startswith(("http://", "https://")):
        return "Made with NCA Explorer."
    address = f"{subject.address}?{urlencode(to_link(subject.comparison.recipe))}"
    return f'<a href="{html.escape(address)}" rel="noreferrer">Open these settings in NCA Explorer</a>'


PLAYER = Export(
    key="player",
    title="Player: a page that plays by itself",
    description="One HTML file that needs no network: the panels with their whole training, to play, scrub, turn and "
    "hover, with curves, numbers and the recipe, without names of rows; at most 5 MB. Opens from disk in Chromium, "
    "Firefox and their like.",
    forms={"html": "HTML"},
    make=_make,
    problem=_problem,
)

"""The playground: one HTML file that trains NCA in the browser, without a server.

`python -m export.playground [FILE]` writes it. The stage is the app's; its snapshots come from a worker in the page
that repeats `nca_core`'s dense sums and climb in double precision.
"""

from pathlib import Path
from typing import Any

import numpy as np

from datasets.base.stratified import stratified_rows
from datasets.catalogue import load_dataset
from export.standalone import json_in_html, standalone_page
from stage.module_files import MODULE, bundle

HERE = Path(__file__).parent
TABLES = ("wine", "iris", "digits")
_MOST_ROWS = 500
_BODY = """<header><h1>NCA playground</h1><button id="theme" type="button">Dark</button></header>
<p class="small">Neighbourhood Components Analysis learns a projection in which points lie next to points of the same
class. Press Train. Hollow points are held out: they test the result. Press a point to see its neighbours.</p>
<div class="bench">
<form id="controls" aria-label="Settings"></form>
<main>
<div id="actions" role="group" aria-label="Training"></div>
<p id="message" role="status"></p>
<div id="board" hidden><div class="board"></div></div>
<div class="nca-stage"></div>
<div class="wide"><table id="table"></table></div>
</main>
</div>
<script type="application/json" id="tables">{tables}</script>
<script type="text/plain" id="worker">{worker}</script>"""


def playground() -> str:
    tables = json_in_html({key: _table(key) for key in TABLES})
    body = _BODY.format(tables=tables, worker=bundle(HERE / "worker.js", MODULE))
    styles = (MODULE / "board.css", HERE / "page.css")
    return standalone_page("NCA playground", body, HERE / "page.js", styles, worker=True)


def _table(key: str) -> dict[str, Any]:
    """A bundled data set as the page reads it, at most _MOST_ROWS rows; digits as one character a pixel, base 36."""
    dataset = load_dataset(key)
    rows = stratified_rows(dataset.y, min(_MOST_ROWS, dataset.n_samples), np.random.default_rng(0))
    X: Any = dataset.X[rows]
    values = ["".join(np.base_repr(int(v), 36).lower() for v in row) for row in X] if key == "digits" else X.tolist()
    return {
        "values": values,
        "labels": dataset.y[rows].tolist(),
        "names": list(dataset.feature_names),
        "classes": list(dataset.class_names),
    }

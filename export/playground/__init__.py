"""The playground: one HTML file that trains NCA in the browser, without a server.

`python -m export.playground [FILE]` writes it. The stage is the app's; its snapshots come from a worker in the page
that repeats `nca_core`'s dense sums and climb in double precision.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
from pathlib import Path
from typing import Any

import numpy as np

from datasets.base.stratified import stratified_rows
from datasets.catalogue import load_dataset
from stage.module_files import MODULE, bundle

HERE = Path(__file__).parent
TABLES = ("wine", "iris", "digits")
_MOST_ROWS = 500
_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<title>NCA playground</title>
<style>{style}</style>
</head>
<body>
<header><h1>NCA playground</h1><button id="theme" type="button">Dark</button></header>
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
<script type="text/plain" id="worker">{worker}</script>
<script>{script}</script>
</body>
</html>
"""


def playground() -> str:
    """Return the page; it needs no network and no file beside it."""
    script = bundle(HERE / "page.js", MODULE)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = (
        f"default-src 'none'; script-src 'sha256-{digest}' blob:; worker-src blob:; style-src 'unsafe-inline'; "
        "img-src data: blob:"
    )
    styles = (MODULE / "stage.css", MODULE / "board.css", HERE.parent / "standalone.css", HERE / "page.css")
    return _PAGE.format(
        policy=html.escape(policy),
        style="".join(path.read_text(encoding="utf-8") for path in styles),
        tables=json.dumps({key: _table(key) for key in TABLES}, separators=(",", ":")).replace("<", "\\u003c"),
        worker=bundle(HERE / "worker.js", MODULE),
        script=script,
    )


def _table(key: str) -> dict[str, Any]:
    """A bundled data set as the page reads it, at most _MOST_ROWS rows; digits as one character a pixel, base 36."""
    dataset = load_dataset(key)
    rows = np.arange(dataset.n_samples)
    if len(rows) > _MOST_ROWS:
        rows = stratified_rows(dataset.y, _MOST_ROWS, np.random.default_rng(0))
    X: Any = dataset.X[rows]
    values = ["".join(np.base_repr(int(v), 36).lower() for v in row) for row in X] if key == "digits" else X.tolist()
    return {
        "values": values,
        "labels": dataset.y[rows].tolist(),
        "names": list(dataset.feature_names),
        "classes": list(dataset.class_names),
    }

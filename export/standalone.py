"""A page in one file: style, script and data in it, and a policy that lets it run nothing else and fetch nothing."""

import base64
import hashlib
import html
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from stage.module_files import MODULE, bundle

HERE = Path(__file__).parent
_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
{body}
<script>{script}</script>
</body>
</html>
"""


def standalone_page(title: str, body: str, entry: Path, styles: Sequence[Path] = (), worker: bool = False) -> str:
    """The page.

    body: HTML.
    entry: the JavaScript module to run, joined with all that it imports.
    styles: after those of the stage and of all such pages.
    worker: whether it starts workers.
    """
    script = bundle(entry, MODULE)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    scripts = f"'sha256-{digest}'" + (" blob:; worker-src blob:" if worker else "")
    sheets = (MODULE / "stage.css", HERE / "standalone.css", *styles)
    return _PAGE.format(
        policy=f"default-src 'none'; script-src {scripts}; style-src 'unsafe-inline'; img-src data: blob:",
        title=html.escape(title),
        style="".join(path.read_text(encoding="utf-8") for path in sheets),
        body=body,
        script=script,
    )


def json_in_html(value: Any) -> str:
    """JSON that no text in it can end."""
    return json.dumps(value, separators=(",", ":")).replace("<", "\\u003c")

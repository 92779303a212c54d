"""Settings of Sphinx; `python -m sphinx -W -E -q docs docs/_build/html` builds the pages."""

from __future__ import annotations

import os
import re
import sys
import tempfile
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

import nca_core  # noqa: E402
from export.playground import playground  # noqa: E402

# Notebooks run against this checkout: `nca_explorer` is what the wheel makes of it.
_PACKAGES = tempfile.TemporaryDirectory(prefix="nca-docs-")
(Path(_PACKAGES.name) / "nca_explorer").mkdir()
(Path(_PACKAGES.name) / "nca_explorer" / "__init__.py").symlink_to(ROOT / "pages" / "server" / "command.py")
os.environ["PYTHONPATH"] = os.pathsep.join([_PACKAGES.name, str(ROOT)])
os.environ["PLOTLY_RENDERER"] = "notebook_connected"

project = "NCA Explorer"
author = "the NCA Explorer developers"
version = release = nca_core.__version__
extensions = ["sphinx.ext.autodoc", "sphinx.ext.autosummary", "numpydoc", "myst_nb"]
exclude_patterns = ["_build", "templates"]
templates_path = ["templates"]
numpydoc_show_class_members = False  # templates/autosummary/class.rst shows methods in full
autodoc_typehints = "none"  # types are in the docstrings

myst_heading_anchors = 3
nb_execution_mode = "force"
nb_execution_raise_on_error = True
nb_execution_show_tb = True
nb_execution_timeout = 120
nb_ipywidgets_js: dict[str, dict[str, str]] = {}  # the widget needs Python; the page shows the player instead

html_theme = "furo"
html_title = f"NCA Explorer {release}"
html_show_copyright = False


def _write_playground(app: Sphinx, error: Exception | None) -> None:
    if error is None and app.builder.format == "html":
        (Path(app.outdir) / "nca-playground.html").write_text(playground(), encoding="utf-8")


def _without_foreign_links(app: Sphinx, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:
    """Turn links of inherited docstrings into scikit-learn's guide into plain text."""
    lines[:] = [re.sub(r":(?:ref|term|class|func|meth):`~?([^<`]*?)(?: ?<[^`]*>)?`", r"\1", line) for line in lines]


def setup(app: Sphinx) -> None:
    """Put the playground next to the pages; docstrings link to no other project, so that a build needs no network."""
    app.connect("autodoc-process-docstring", _without_foreign_links)
    app.connect("build-finished", _write_playground)

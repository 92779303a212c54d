"""The house plan, read off the imports: who may know whom, how long a file may be."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
ROOMS = ("nca_core", "datasets", "pages")
FORBIDDEN = {
    "nca_core": ("streamlit", "plotly", "datasets", "pages", "app"),
    "datasets": ("streamlit", "plotly", "nca_core", "pages", "app"),
    "pages/figures": ("streamlit", "pages.controls", "pages.stage"),
    "pages/controls": ("pages.explore", "pages.data", "pages.main"),
    "pages/stage": (
        "pages.controls",
        "pages.figures",
        "pages.explore",
        "pages.data",
        "pages.server",
        "pages.shared",
    ),
    "pages/server": ("streamlit", "pages.controls", "pages.figures", "pages.explore", "pages.data", "pages.shared"),
}


def modules_imported(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            found.add(node.module)
    return found


def test_reader_sees_imports(tmp_path):
    sample = tmp_path / "sample.py"
    sample.write_text("import streamlit as st\nfrom datasets.catalogue import DATASETS\n")
    assert modules_imported(sample) == {"streamlit", "datasets.catalogue"}


@pytest.mark.parametrize("room", FORBIDDEN)
def test_imports_run_downward(room):
    offences = [
        f"{path.relative_to(ROOT)} imports {module}"
        for path in sorted((ROOT / room).rglob("*.py"))
        for module in modules_imported(path)
        if any(module == name or module.startswith(name + ".") for name in FORBIDDEN[room])
    ]
    assert offences == []


def test_files_stay_readable():
    long = {
        str(path.relative_to(ROOT)): lines
        for room in ROOMS
        for suffix in ("*.py", "*.js", "*.css")
        for path in (ROOT / room).rglob(suffix)
        if (lines := len(path.read_text(encoding="utf-8").splitlines())) > 330
    }
    assert long == {}


def test_no_room_for_leftovers():
    assert not list(ROOT.rglob("utils.py"))

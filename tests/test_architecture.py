"""The house plan, read off the imports: who may know whom, how long a file may be."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.tracked_files import ROOT, tracked_files

ROOMS = ("nca_core", "datasets", "pages")
FORBIDDEN = {
    "nca_core": ("streamlit", "plotly", "datasets", "pages", "app"),
    "datasets": ("streamlit", "plotly", "nca_core", "pages", "app"),
    "pages/figures": ("streamlit", "pages.controls", "pages.stage"),
    "pages/controls": ("pages.explore", "pages.data", "pages.main"),
    "pages/stage": ("pages.controls", "pages.views", "pages.explore", "pages.data", "pages.shared"),
}

# Rooms of the engine, and what in nca_core each may import.
BELOW = {
    "nca_core/accuracy": ("nca_core.accuracy",),
    "nca_core/optimisers": ("nca_core.optimisers",),
    "nca_core/objectives": ("nca_core.objectives", "nca_core.neighbours"),
    "nca_core/neighbours": ("nca_core.neighbours",),
    "nca_core/neighbours/fourier": (
        "nca_core.neighbours.fourier",
        "nca_core.neighbours.pairs",
        "nca_core.neighbours.base",
    ),
    "nca_core/neighbours/pairs": ("nca_core.neighbours.pairs", "nca_core.neighbours.base"),
    "nca_core/neighbours/base": ("nca_core.neighbours.base",),
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
        for path in tracked_files(room, ".py")
        for module in modules_imported(path)
        if any(module == name or module.startswith(name + ".") for name in FORBIDDEN[room])
    ]
    assert offences == []


@pytest.mark.parametrize("room", BELOW)
def test_rooms_of_the_engine_import_no_circle(room):
    offences = [
        f"{path.relative_to(ROOT)} imports {module}"
        for path in sorted((ROOT / room).rglob("*.py"))
        for module in modules_imported(path)
        if module.split(".")[0] == "nca_core"
        and not any(module == name or module.startswith(name + ".") for name in BELOW[room])
    ]
    assert offences == []


def test_files_stay_readable():
    long = {
        str(path.relative_to(ROOT)): lines
        for room in ROOMS
        for path in tracked_files(room, ".py", ".js", ".css")
        if (lines := len(path.read_text(encoding="utf-8").splitlines())) > 330
    }
    assert long == {}


def test_no_room_for_leftovers():
    assert [path for path in tracked_files("", ".py") if path.name == "utils.py"] == []

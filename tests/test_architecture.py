"""The house plan, read off the whole import graph: who may know whom, no circles, how long a file may be."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest

from tests.tracked_files import ROOT, tracked_files

PACKAGES = ("nca_core", "datasets", "study", "export", "lessons", "pages")
# Each room may know those below it in this list, and nobody above. Rooms of one line do not know each other.
FLOORS = (
    ("nca_core", "datasets"),
    ("study",),
    ("lessons",),
    ("pages/text", "pages/stage"),
    ("export",),
    ("pages/server",),
    ("pages/views",),
    ("pages/controls",),
    ("pages",),
    ("app.py",),
)
# Only these may import Streamlit or Plotly.
FACES = {
    "streamlit": (
        "pages/controls",
        "pages/main.py",
        "pages/explore.py",
        "pages/compare.py",
        "pages/understand.py",
        "pages/learn.py",
        "pages/experiments.py",
        "pages/data.py",
        "app.py",
    ),
    "plotly": ("pages/views",),
}
# A component is a widget; a session is Streamlit's, and so is the server, which has one file for what is asked of it.
FACES["streamlit"] += ("pages/stage/component.py", "pages/server/session.py", "pages/server/streamlit_server.py")
FACES["streamlit"] += ("pages/server/widget_states.py", "pages/server/session_lock.py")
FACES["streamlit"] += ("pages/server/settings_at_once.py", "pages/server/run_again.py")
FACES["streamlit"] += ("pages/server/gathered_messages.py", "pages/server/every_press.py")
LONGEST_FILE, LONGEST_PAGE = 331, 80


def imported(path: Path) -> set[str]:
    """The names of the modules that a file imports, anywhere in it; `from a import b` gives a and a.b."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            found.add(node.module)
            found.update(f"{node.module}.{alias.name}" for alias in node.names)
    return found


def graph() -> dict[Path, set[Path]]:
    """File -> the files of ours that it imports, each as a path from the root."""
    files = [path.relative_to(ROOT) for package in PACKAGES for path in tracked_files(package, ".py")]
    files.append(Path("app.py"))
    by_name = {".".join(path.with_suffix("").parts).removesuffix(".__init__"): path for path in files}
    edges: dict[Path, set[Path]] = {}
    for path in files:
        names = imported(ROOT / path)
        # Of `from package import module` the module is meant, not the package around it.
        modules = {name for name in names if name in by_name and not _stands_for_more(name, names, by_name)}
        edges[path] = {by_name[name] for name in modules} - {path}
    return edges


def _stands_for_more(name: str, names: Iterable[str], by_name: Mapping[str, Path]) -> bool:
    return by_name[name].name == "__init__.py" and any(n.startswith(f"{name}.") and n in by_name for n in names)


def room_of(path: Path) -> str:
    """The longest entry of FLOORS that holds the file."""
    rooms = [room for floor in FLOORS for room in floor if path == Path(room) or path.is_relative_to(room)]
    return max(rooms, key=len)


def floor_of(room: str) -> int:
    return next(height for height, floor in enumerate(FLOORS) if room in floor)


def circles(edges: Mapping[Path, set[Path]]) -> list[list[Path]]:
    """Groups that can reach one another, by Tarjan's algorithm."""
    number: dict[Path, int] = {}
    lowest: dict[Path, int] = {}
    stack: list[Path] = []
    found = []

    def visit(node: Path) -> None:
        number[node] = lowest[node] = len(number)
        stack.append(node)
        for other in edges.get(node, ()):
            if other not in number:
                visit(other)
            if other in stack:
                lowest[node] = min(lowest[node], lowest[other])
        if lowest[node] == number[node]:
            group = stack[stack.index(node) :]
            del stack[stack.index(node) :]
            if len(group) > 1:
                found.append(sorted(group))

    for node in list(edges):
        if node not in number:
            visit(node)
    return found


def test_reader_sees_imports(tmp_path):
    sample = tmp_path / "sample.py"
    sample.write_text("import streamlit as st\nfrom datasets.catalogue import DATASETS\n")
    assert imported(sample) == {"streamlit", "datasets.catalogue", "datasets.catalogue.DATASETS"}


def test_circles_are_seen():
    a, b, c = Path("a"), Path("b"), Path("c")
    assert circles({a: {b}, b: {c}, c: {a}}) == [[a, b, c]]
    assert circles({a: {b, c}, b: {c}}) == []


def test_the_graph_is_the_whole_house():
    edges = graph()
    assert len(edges) > 200
    assert Path("pages/server/hub.py") in edges[Path("app.py")]
    assert Path("study/recipe.py") in edges[Path("study/compare.py")]


def test_imports_run_downward():
    offences = [
        f"{path} imports {other}"
        for path, others in graph().items()
        for other in sorted(others)
        if room_of(path) != room_of(other) and floor_of(room_of(other)) >= floor_of(room_of(path))
    ]
    assert offences == []


def test_no_circle_of_modules():
    assert circles(graph()) == []


def test_no_circle_of_folders():
    folders: defaultdict[Path, set[Path]] = defaultdict(set)
    for path, others in graph().items():
        folders[path.parent] |= {other.parent for other in others} - {path.parent}
    assert circles(folders) == []


@pytest.mark.parametrize("library", FACES)
def test_only_the_face_knows_its_libraries(library):
    offences = [
        str(path)
        for path in graph()
        if not any(path == Path(face) or path.is_relative_to(face) for face in FACES[library])
        and any(name.split(".")[0] == library for name in imported(ROOT / path))
    ]
    assert offences == []


def test_files_stay_readable():
    lines = {
        str(path.relative_to(ROOT)): len(path.read_text(encoding="utf-8").splitlines())
        for package in PACKAGES
        for path in tracked_files(package, ".py", ".js", ".css")
    }
    assert {path: count for path, count in lines.items() if count > LONGEST_FILE} == {}
    screens = {path: count for path, count in lines.items() if Path(path).parent == Path("pages")}
    assert {path: count for path, count in screens.items() if count > LONGEST_PAGE} == {}


def test_no_room_for_leftovers():
    assert [path for path in tracked_files("", ".py") if path.name == "utils.py"] == []

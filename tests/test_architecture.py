"""The architecture, checked on the whole import graph: layers, circles, public interfaces, names, length of files."""

import ast
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from tests.tracked_files import ROOT, tracked_files

PACKAGES = ("nca_core", "datasets", "study", "stage", "export", "lessons", "pages")
# Each folder may import those above it in this list. Folders of one line do not import each other.
FLOORS = (
    ("nca_core", "datasets"),
    ("study",),
    ("stage",),
    ("export", "lessons"),
    ("pages/server",),
    ("pages/views",),
    ("pages/controls",),
    ("pages",),
    ("app.py",),
)
# Only these may import Streamlit or Plotly.
FACES = {
    "streamlit": (
        "stage/streamlit_host.py",  # a component is a widget
        "pages/server/session.py",  # the server is Streamlit's
        "pages/server/middleware.py",
        "pages/server/compat.py",
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
    "plotly": ("stage/notebook.py", "pages/views", "study/experiments/base"),
}
LONGEST_FILE, LONGEST_PAGE = 600, 80


@cache
def nodes_of(path: Path) -> list[ast.AST]:
    """Every node of a file's syntax tree, its module first."""
    return list(ast.walk(ast.parse((ROOT / path).read_text(encoding="utf-8"))))


@cache
def imported(path: Path) -> set[str]:
    """The names of the modules that a file imports, anywhere in it; `from a import b` gives a and a.b."""
    found = set()
    for node in nodes_of(path):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            found.add(node.module)
            found.update(f"{node.module}.{alias.name}" for alias in node.names)
    return found


@cache
def graph() -> dict[Path, set[Path]]:
    """File -> the files of ours that it imports, each as a path from the root."""
    files = [path.relative_to(ROOT) for package in PACKAGES for path in tracked_files(package, ".py")]
    files.append(Path("app.py"))
    by_name = {".".join(path.with_suffix("").parts).removesuffix(".__init__"): path for path in files}
    edges: dict[Path, set[Path]] = {}
    for path in files:
        names = imported(path)
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


def circle(edges: Mapping[Path, set[Path]]) -> list[Path]:
    """Nodes that lead from one to the next and back to the first; empty where there are none."""
    try:
        TopologicalSorter(edges).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def test_reader_sees_imports(tmp_path):
    sample = tmp_path / "sample.py"
    sample.write_text("import streamlit as st\nfrom datasets.catalogue import DATASETS\n")
    assert imported(sample) == {"streamlit", "datasets.catalogue", "datasets.catalogue.DATASETS"}


def test_circles_are_seen():
    a, b, c = Path("a"), Path("b"), Path("c")
    assert set(circle({a: {b}, b: {c}, c: {a}})) == {a, b, c}
    assert circle({a: {b, c}, b: {c}}) == []


def test_the_graph_is_the_whole_house():
    edges = graph()
    assert len(edges) > 200
    assert Path("pages/server/workspace.py") in edges[Path("app.py")]
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
    assert circle(graph()) == []


def test_no_circle_of_folders():
    folders: defaultdict[Path, set[Path]] = defaultdict(set)
    for path, others in graph().items():
        folders[path.parent] |= {other.parent for other in others} - {path.parent}
    assert circle(folders) == []


@pytest.mark.parametrize("library", FACES)
def test_only_the_face_knows_its_libraries(library):
    offences = [
        str(path)
        for path in graph()
        if not any(path == Path(face) or path.is_relative_to(face) for face in FACES[library])
        and any(name.split(".")[0] == library for name in imported(path))
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


# Other packages' modules without documentation: only the two compat.py may use them.
UNDOCUMENTED = (
    "streamlit.elements",
    "streamlit.proto",
    "streamlit.runtime",
    "streamlit.web",
    "sklearn.utils._",
    "starlette._",
    "uvicorn.protocols",
)
DOCUMENTED = {"os._exit"}  # with an underscore in their name all the same
COMPAT = (Path("nca_core/compat.py"), Path("pages/server/compat.py"))
# For modules, functions, classes and fields: standard nouns and verbs instead of these.
_FORBIDDEN = """
rows_of scene_of frame_of told made given_back brought_back came_back belongings attention takeaway asked bound cope
utils helpers misc
"""
FORBIDDEN = frozenset(_FORBIDDEN.split())


def foreign_names(nodes: Iterable[ast.AST]) -> dict[str, str]:
    """Name in the file -> the full name of what it imports from another package."""
    found = {}
    for node in nodes:
        if isinstance(node, ast.Import):
            found |= {alias.asname or alias.name.split(".")[0]: alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            found |= {alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in node.names}
    return {name: full for name, full in found.items() if full.split(".")[0] not in (*PACKAGES, "app", "__future__")}


def is_private(name: str) -> bool:
    return name.startswith("_") and not name.endswith("__")


def private_uses(nodes: Iterable[ast.AST]) -> list[str]:
    """Undocumented names of other packages that are imported, or taken from what is imported."""
    foreign = foreign_names(nodes)
    found = [
        full for full in foreign.values() if any(map(is_private, full.split("."))) or full.startswith(UNDOCUMENTED)
    ]
    for node in nodes:
        if isinstance(node, ast.Attribute) and is_private(node.attr):
            root = node.value
            while isinstance(root, ast.Attribute):
                root = root.value
            if isinstance(root, ast.Name) and root.id in foreign:
                found.append(ast.unparse(node))
    return [use for use in found if use not in DOCUMENTED]


@pytest.mark.parametrize(
    ("source", "uses"),
    [
        (
            "import numpy as np\nnp.linalg._umath\nself._own\nfrom sklearn._loss import x\n",
            ["sklearn._loss.x", "np.linalg._umath"],
        ),
        (
            "from streamlit.runtime import Runtime\nfrom pages.server.workspace import _x\n",
            ["streamlit.runtime.Runtime"],
        ),
    ],
)
def test_private_names_are_seen(source, uses):
    assert private_uses(list(ast.walk(ast.parse(source)))) == uses


def test_only_compat_uses_private_names_of_other_packages():
    found = {str(path): uses for path in graph() if path not in COMPAT and (uses := private_uses(nodes_of(path)))}
    assert found == {}


def defined(nodes: list[ast.AST]) -> Iterable[ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef]:
    module = nodes[0]
    assert isinstance(module, ast.Module)
    return (node for node in module.body if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)))


def test_a_public_name_has_one_meaning():
    places = defaultdict(set)
    for path in graph():
        for node in defined(nodes_of(path)):
            if not node.name.startswith("_") and node.name != "main":
                places[node.name].add(str(path))
    twice = {name for name, files in places.items() if len(files) > 1}
    assert twice == set(), {name: sorted(places[name]) for name in twice}


def named(nodes: Iterable[ast.AST]) -> Iterable[str]:
    """Functions, classes and the fields of classes."""
    for node in nodes:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield node.name
        if isinstance(node, ast.ClassDef):
            yield from (item.target.id for item in node.body if isinstance(item, ast.AnnAssign))


def test_names_are_standard_nouns_and_verbs():
    found = {f"{path}: {path.stem}" for path in graph() if path.stem in FORBIDDEN}
    for path in graph():
        names = {name.strip("_").lower() for name in named(nodes_of(path))}
        found |= {f"{path}: {name}" for name in names & FORBIDDEN}
    assert found == set()

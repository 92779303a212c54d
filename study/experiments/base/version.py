"""code_version: a hash of the sources that a cell's numbers come from, and of nothing else.

Comments, docstrings and the layout of lines do not count, nor do reports, pages and experiments that others are made
of: what was computed is thrown away only where it might come out differently.
"""

from __future__ import annotations

import ast
import hashlib
import subprocess
import sys
from functools import lru_cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
_FIRST = ("study.experiments.base.carry_out", "study.experiments.base.data")
_PACKAGES = ("nca_core", "datasets", "study")


@lru_cache(maxsize=1)
def code_version() -> str:
    """16 hexadecimal digits over everything that loading its data and carrying out a cell import, directly or not.

    A process of its own tells it: Python 3.11 fails where two threads parse at the same time, as those of a server do.
    """
    told = subprocess.run([sys.executable, "-P", __file__], capture_output=True, text=True, check=True, timeout=120)
    return told.stdout.strip()


def version_of(root: Path, *modules: str) -> str:
    """The hash of `modules` and of what they import of our packages, below `root`."""
    digest = hashlib.sha256()
    for path in sorted(sources_of(root, *modules)):
        tree = _without_docstrings(ast.parse(path.read_text(encoding="utf-8")))
        digest.update(f"{path.relative_to(root).as_posix()}\n{ast.dump(tree)}\n".encode())
    return digest.hexdigest()[:16]


def sources_of(root: Path, *modules: str) -> set[Path]:
    """The files that `modules` ask for, directly or not, of our packages.

    Packages around a module count where something is imported from them by name: that of the experiments would bring
    every table along.
    """
    found: set[Path] = set()
    waiting = list(modules)
    while waiting:
        path = _file_of(root, waiting.pop())
        if path is None or path in found:
            continue
        found.add(path)
        waiting += _imported(path)
    return found


def _file_of(root: Path, module: str) -> Path | None:
    if module.split(".")[0] not in _PACKAGES:
        return None
    place = root.joinpath(*module.split("."))
    return next((path for path in (place.with_suffix(".py"), place / "__init__.py") if path.is_file()), None)


def _imported(path: Path) -> list[str]:
    names: list[str] = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            names += [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
    return names


def _without_docstrings(tree: ast.Module) -> ast.Module:
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            first = node.body[0] if node.body else None
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                node.body = node.body[1:]
    return tree


if __name__ == "__main__":
    print(version_of(ROOT, *_FIRST))

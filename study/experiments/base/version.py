"""code_version: a hash of the sources that a cell's numbers come from, and of nothing else.

What was computed is thrown away only where it might come out differently. So comments, docstrings, the layout of lines
and what is only read by people (messages of errors, titles, descriptions) do not count, nor do reports, pages, the
experiments that others are made of, imports for types alone, and what says when and where a training runs.
"""

from __future__ import annotations

import ast
import contextlib
import hashlib
import os
import subprocess
import sys
from functools import lru_cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[3]
_FIRST = ("study.experiments.base.carry_out", "study.experiments.base.data")
_PACKAGES = ("nca_core", "datasets", "study")
# Threads, pauses and turns of trainings; a cell calls the method's own function that trains.
_NO_NUMBERS = ("nca_core.run", "nca_core.gate")
_FOR_PEOPLE = ("title", "description", "formula", "help", "note")  # of entries of registries


@lru_cache(maxsize=1)
def code_version() -> str:
    """16 hexadecimal digits over everything that loading its data and carrying out a cell import, directly or not.

    Told once for each state of the files, as it takes more than a second; by a process of its own, since Python 3.11
    fails where two threads parse at the same time, as those of a server do.
    """
    from datasets.downloads.cache import default_folder  # here, as that process finds no other modules

    kept, state = default_folder() / "code-version", state_of(ROOT)
    with contextlib.suppress(OSError):
        before, _, version = kept.read_text(encoding="utf-8").partition(" ")
        if before == state:
            return version
    asked = [sys.executable, "-P", __file__]
    version = subprocess.run(asked, capture_output=True, text=True, check=True, timeout=120).stdout.strip()
    with contextlib.suppress(OSError):
        kept.parent.mkdir(parents=True, exist_ok=True)
        part = kept.with_suffix(f".{os.getpid()}.part")
        part.write_text(f"{state} {version}", encoding="utf-8")
        part.replace(kept)
    return version


def state_of(root: Path) -> str:
    """A hash of where the sources below `root` stand, how long they are and when they were written."""
    digest = hashlib.sha256(f"{root} {sys.version}".encode())
    for path in sorted(path for package in _PACKAGES for path in (root / package).rglob("*.py")):
        about = path.stat()
        digest.update(f"{path} {about.st_size} {about.st_mtime_ns}\n".encode())
    return digest.hexdigest()


def version_of(root: Path, *modules: str) -> str:
    """The hash of `modules` and of what they import of our packages, below `root`."""
    digest = hashlib.sha256()
    for path, tree in sorted(sources_of(root, *modules).items()):
        digest.update(f"{path.relative_to(root).as_posix()}\n{ast.dump(tree)}\n".encode())
    return digest.hexdigest()[:16]


def sources_of(root: Path, *modules: str) -> dict[Path, ast.AST]:
    """The files that `modules` ask for, directly or not, of our packages, each without what no number comes from.

    Packages around a module count where something is imported from them by name: that of the experiments would bring
    every table along.
    """
    found: dict[Path, ast.AST] = {}
    waiting = list(modules)
    while waiting:
        path = _file_of(root, waiting.pop())
        if path is not None and path not in found:
            found[path] = _Bare().visit(ast.parse(path.read_text(encoding="utf-8")))
            waiting += _imported(found[path])
    return found


def _file_of(root: Path, module: str) -> Path | None:
    if module.split(".")[0] not in _PACKAGES or module in _NO_NUMBERS:
        return None
    place = root.joinpath(*module.split("."))
    return next((path for path in (place.with_suffix(".py"), place / "__init__.py") if path.is_file()), None)


def _imported(tree: ast.AST) -> list[str]:
    names: list[str] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            names += [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
    return names


class _Bare(ast.NodeTransformer):
    """Takes away what no number comes from: docstrings, words for people, imports for types."""

    def visit(self, node: ast.AST) -> Any:
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            first = node.body[0] if node.body else None
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                node.body = node.body[1:]
        return super().visit(node)

    def visit_If(self, node: ast.If) -> Any:
        if isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            return [self.visit(child) for child in node.orelse]
        return self.generic_visit(node)

    def visit_Raise(self, node: ast.Raise) -> Any:
        return _Wordless().visit(node)

    def visit_keyword(self, node: ast.keyword) -> Any:
        return _Wordless().visit(node) if node.arg in _FOR_PEOPLE else self.generic_visit(node)


class _Wordless(ast.NodeTransformer):
    """Takes the texts out of a sentence; what is worked out for it stays."""

    def visit_Constant(self, node: ast.Constant) -> Any:
        return ast.Constant("") if isinstance(node.value, str) else node


if __name__ == "__main__":
    print(version_of(ROOT, *_FIRST))

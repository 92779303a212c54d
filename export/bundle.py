"""bundle: a module of JavaScript and all that it imports as one plain script, which runs from a file, too.

Browsers load no modules from disk. Each module becomes a function that is called once, in the order in which they need
one another, so their private names stay private.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

_IMPORT = re.compile(r'^import (?:\{([^}]*)\}|(\w+)) from "\./([\w.]+)"(?: with \{[^}]*\})?;$', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|class|const) (\w+))", re.MULTILINE)
_NAMED = re.compile(r"^export \{ ([\w, ]+) \};$", re.MULTILINE)  # what a module hands on
_UNREAD = re.compile(r"^(?:import|export)\b.*$|\bimport\(", re.MULTILINE)


def bundle(entry: Path, folder: Path) -> str:
    """The script.

    Parameters
    ----------
    entry : Path
        The module to begin with.
    folder : Path
        Where the modules that they import lie.

    Raises
    ------
    ValueError
        For modules that import one another in a circle, and for a line that is neither of the forms that ours use.
    """
    parts: dict[str, str] = {}
    _add(entry, folder, parts, ())
    text = "\n".join(['"use strict";', "(() => {", *parts.values(), "})();", ""])
    if "</" + "script" in text.lower():
        raise ValueError("A script that stands in a page cannot hold the end of one.")
    return text


def _add(path: Path, folder: Path, parts: dict[str, str], above: tuple[str, ...]) -> None:
    name = path.name
    if name in above:
        raise ValueError(f"These modules import one another: {' -> '.join([*above, name])}.")
    if name in parts:
        return
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".json":
        parts[name] = f"const {_variable(name)} = {json.dumps(json.loads(text))};"
        return
    for _, _, other in _IMPORT.findall(text):
        _add(folder / other, folder, parts, (*above, name))
    exported = [*_EXPORT.findall(text), *_NAMED.findall(text)]
    body = _NAMED.sub("", _EXPORT.sub("", _IMPORT.sub(_taken, text)))
    if unread := _UNREAD.search(body):
        raise ValueError(f"{name}: this line cannot be bundled: {unread.group().strip()}")
    parts[name] = f"const {_variable(name)} = (() => {{\n{body}\nreturn {{ {', '.join(exported)} }};\n}})();"


def _taken(found: re.Match[str]) -> str:
    names, whole, other = found.groups()
    if whole:
        return f"const {whole} = {_variable(other)};"
    return f"const {{{names.replace(' as ', ': ')}}} = {_variable(other)};"


def _variable(name: str) -> str:
    return "module_" + re.sub(r"\W", "_", name)

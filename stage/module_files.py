"""The stage's JavaScript: its files, their address, and a bundle of them."""

import hashlib
import json
import re
from functools import lru_cache
from pathlib import Path

MODULE = Path(__file__).parent / "module"
_IMPORT = re.compile(r'^import (?:\{([^}]*)\}|(\w+)) from "\./([\w.]+)"(?: with \{[^}]*\})?;$', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|class|const) (\w+))", re.MULTILINE)
_UNREAD = re.compile(r"^(?:import|export)\b.*$|\bimport\(", re.MULTILINE)


@lru_cache(maxsize=1)
def module_version() -> str:
    """Hash of the module's files; part of their address, so that browsers can cache them forever."""
    digest = hashlib.sha256()
    for path in sorted(MODULE.iterdir()):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def prefix(base_path: str | None) -> str:
    """Path of the stage's routes below the server's base path."""
    base = (base_path or "").strip("/")
    return f"/{base}/nca" if base else "/nca"


def bundle(entry: Path, *folders: Path, default: str = "") -> str:
    """Join a JavaScript module and all that it imports into one script.

    Browsers load no modules from disk, and a Streamlit component takes one text. Each module becomes a function that is
    called once, before those that need it, so private names stay private.

    entry: the module to begin with.
    *folders: where the modules are that do not lie next to the one that imports them.
    default: an export of `entry`: the result is a module with this as its default export, else a plain script.

    Raises ValueError for modules that import one another, and for forms of import and export that the stage does not
        use.
    """
    parts: dict[str, str] = {}
    _add(entry, folders, parts, ())
    ends = ("export default (() => {", f"return {_variable(entry.name)}.{default};") if default else ("(() => {",)
    text = "\n".join([ends[0], '"use strict";', *parts.values(), *ends[1:], "})();", ""])
    if "</" + "script" in text.lower():
        raise ValueError("A script in a page cannot contain its end tag.")
    return text


def _add(path: Path, folders: tuple[Path, ...], parts: dict[str, str], above: tuple[str, ...]) -> None:
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
        there = next(folder / other for folder in (path.parent, *folders) if (folder / other).exists())
        _add(there, folders, parts, (*above, name))
    exported = _EXPORT.findall(text)
    body = _EXPORT.sub("", _IMPORT.sub(_destructured, text))
    if unread := _UNREAD.search(body):
        raise ValueError(f"{name}: this line cannot be bundled: {unread.group().strip()}")
    parts[name] = f"const {_variable(name)} = (() => {{\n{body}\nreturn {{ {', '.join(exported)} }};\n}})();"


def _destructured(found: re.Match[str]) -> str:
    names, whole, other = found.groups()
    if whole:
        return f"const {whole} = {_variable(other)};"
    return f"const {{{names.replace(' as ', ': ')}}} = {_variable(other)};"


def _variable(name: str) -> str:
    return "module_" + re.sub(r"\W", "_", name)

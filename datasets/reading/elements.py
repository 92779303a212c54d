"""XML elements -> records, or what they hold."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_FEWEST_INSIDE, _FEWEST_SCATTERED = 5, 10  # in each; in all


def scattered_records(root: Element) -> dict[str, Any] | None:
    """The attributes of elements of one path that stand in several others, such as the players of each team, with the
    attributes of these; None where no such elements hold all that there is of them."""
    found: dict[tuple[str, ...], list[dict[str, Any]]] = {}

    def visit(element: Element, path: tuple[str, ...], around: dict[str, Any]) -> None:
        own = {_local(name): value for name, value in element.items()}
        text = (element.text or "").strip()
        if len(path) > 1 and len(own) > 1 and not len(element) and not text:
            found.setdefault(path, []).append(own | around)
        inside = around | {f"{name} of {path[-1]}": value for name, value in own.items()}
        for child in element:
            visit(child, (*path, _local(child.tag)), inside)

    visit(root, (_local(root.tag),), {})
    path, records = max(found.items(), key=lambda item: len(item[1]), default=((), []))
    parents = sum(1 for parent in root.iter() if _local(parent.tag) == path[-2]) if path else 0
    n = sum(1 for element in root.iter() if path and _local(element.tag) == path[-1])
    if len(records) < max(_FEWEST_SCATTERED, _FEWEST_INSIDE * parents) or n > len(records) or parents < 2:
        return None
    return {path[-1]: records, **{other[-1]: "" for other in found if other != path}}


def values_of_element(element: Element) -> dict[str, Any] | str:
    """The text of an XML element, or its attributes and what the elements in it hold: a list where several have one
    name. Names go without their namespaces."""
    found: dict[str, Any] = {_local(name): value for name, value in element.items()}
    lists = {name for name, n in Counter(_local(child.tag) for child in element).items() if n > 1}
    for child in element:
        name, value = _local(child.tag), values_of_element(child)
        if name in lists:
            found.setdefault(name, []).append(value)
        else:
            found[name] = value
    text = (element.text or "").strip()
    if not found:
        return text
    return found | ({"text": text} if text else {})


def _local(name: str) -> str:
    return name.rpartition("}")[2]

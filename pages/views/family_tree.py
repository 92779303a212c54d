"""What came from what: branches under what they start from; copies, twins, other seeds under what they repeat."""

from __future__ import annotations

from dataclasses import replace

from pages.text.plain_text import as_text
from study.panel import PanelRecipe
from study.recipe import Recipe


def family_tree(recipe: Recipe) -> str:
    """A list in Markdown, a level for each step; empty where nothing came from anything."""
    sources = {panel.key: _source(recipe, panel) for panel in recipe.panels}
    if not any(source for source, _ in sources.values()):
        return ""
    lines: list[str] = []

    def add(source: str, depth: int) -> None:
        for panel in recipe.panels:
            its_source, how = sources[panel.key]
            if its_source == source:
                lines.append(f"{'    ' * depth}- **{as_text(panel.shown_title)}**{how}")
                add(panel.key, depth + 1)

    add("", 0)
    return "\n".join(lines)


def _source(recipe: Recipe, panel: PanelRecipe) -> tuple[str, str]:
    """(key of the panel that this one came from, how); ("", "") where it stands for itself.

    A branch names it. Otherwise it is the first panel of the method from which it differs in one thing alone, as a
    twin, another seed, or other settings from the same start do; so it is true however the panels were made.
    """
    if panel.frame is not None:
        return panel.frame.panel, f" from iteration {panel.frame.iteration}"
    if not panel.method.starts:
        return "", ""
    for other in recipe.panels:
        if other.key == panel.key:
            break
        if other.method_key == panel.method_key and other.frame is None:
            how = _difference(other, panel)
            if how:
                return other.key, how
    return "", ""


def _difference(other: PanelRecipe, panel: PanelRecipe) -> str:
    """How `panel` repeats `other`; empty where more than one thing differs."""
    alike = replace(panel, key=other.key, title=other.title)
    if alike == other:
        return ", the same again"
    if replace(alike, random_state=other.random_state) == other:
        return f" with seed {panel.random_state}"
    if panel.labels != other.labels and replace(alike, labels=other.labels) == other:
        return " with shuffled labels" if panel.labels == "shuffled" else ""
    if replace(alike, settings=other.settings) == other:
        return " from the same start, other settings"
    if panel.start == "random" and replace(alike, start=other.start, random_state=other.random_state) == other:
        return f" from a random start, seed {panel.random_state}"
    return ""

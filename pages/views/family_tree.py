"""What came from what: panels that start from a frame of another stand under it."""

from __future__ import annotations

from pages.text.plain_text import as_text
from study.recipe import Recipe


def family_tree(recipe: Recipe) -> str:
    """A list in Markdown, a level for each branching; empty where nothing came from anything."""
    if all(panel.frame is None for panel in recipe.panels):
        return ""
    lines: list[str] = []

    def add(source: str | None, depth: int) -> None:
        for panel in recipe.panels:
            frame = panel.frame
            if (frame.panel if frame else None) == source:
                at = f" from iteration {frame.iteration}" if frame else ""
                lines.append(f"{'    ' * depth}- **{as_text(panel.shown_title)}**{at}")
                add(panel.key, depth + 1)

    add(None, 0)
    return "\n".join(lines)

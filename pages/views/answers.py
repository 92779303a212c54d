"""An answer as the words on its button."""

from __future__ import annotations

from pages.text.plain_text import as_text

_MOST_LETTERS = 90


def answer_words(text: str, cost: str) -> str:
    """As in "**merge them** · 3 classes: a 20, b 20, c 20"; a long cost is cut."""
    short = cost if len(cost) <= _MOST_LETTERS else cost[: _MOST_LETTERS - 1] + "…"
    return f"**{as_text(text)}** · {as_text(short)}" if short else f"**{as_text(text)}**"

"""Markup: HTML of our own, which Streamlit takes as it is.

A string it looks up on disk first, and a path it reads at each run of the page.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Markup:
    """HTML for `st.html`."""

    text: str

    def _repr_html_(self) -> str:
        return self.text


@functools.cache
def style(path: Path) -> Markup:
    """The style sheet in this file, read once."""
    return Markup(f"<style>{path.read_text(encoding='utf-8')}</style>")

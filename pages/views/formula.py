"""A formula as HTML; each symbol shows its meaning on hover, tap and keyboard focus."""

from __future__ import annotations

from html import escape

from lessons.base.material import parts_of


def formula_html(key: str) -> str:
    """The formula of that key of FORMULAS, with focusable symbols."""
    pieces = []
    for number, part in enumerate(parts_of(key)):
        if isinstance(part, str):
            pieces.append(f"<span>{escape(part)}</span>")
            continue
        name = f"formula-{key}-{number}"
        base = f"<i>{escape(part.base)}</i>" if len(part.base) == 1 and part.base != "Σ" else escape(part.base)
        below = f"<sub>{escape(part.below)}</sub>" if part.below else ""
        pieces.append(
            f'<span class="symbol" tabindex="0" role="button" aria-describedby="{name}">'
            f"{base}{below}"
            f'<span class="meaning" role="tooltip" id="{name}">{escape(part.meaning)}</span></span>'
        )
    return f'<div class="formula" role="group" aria-label="Formula"><div class="line">{"".join(pieces)}</div></div>'

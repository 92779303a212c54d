"""Parts of a report as a page shows them: tables as frames, figures in the ink of the theme."""

from __future__ import annotations

import re

import pandas as pd

from study.experiments.base.document import Table

_SIZE = re.compile(r'viewBox="0 0 ([\d.]+) ([\d.]+)"')
_INK = {False: "#1d2733", True: "#e4e9ee"}


def frame_of(table: Table) -> pd.DataFrame:
    """Texts in columns; two columns of the same name are told apart by spaces."""
    names: list[str] = []
    for name in table.header:
        while name in names:
            name += " "
        names.append(name)
    return pd.DataFrame([list(row) for row in table.rows], columns=names)


def svg_in(svg: str, dark: bool) -> str:
    """A figure that stands alone, where no page lends it its ink, and as large as it was drawn."""
    width, height = _SIZE.search(svg).groups()  # type: ignore[union-attr]
    sized = svg.replace("<svg ", f'<svg width="{width}" height="{height}" ', 1)
    return sized.replace("currentColor", _INK[dark])

"""What became of each panel when the data changed under it: before, at once and now."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from pages.text.plain_text import visible
from study.coping import Numbers

_SHARE = "% of the spread"
_NUMBERS = {"held-out 1-NN": ("held_out", "%.2f"), "f/n": ("mean_p", "%.3f"), "K̂": ("k", "%.1f")}
_WHEN = ("before", "at once", "now")
COLUMN_FORMATS = {f"{title} {when}": shown for title, (_, shown) in _NUMBERS.items() for when in _WHEN} | {
    _SHARE: "%.0f %%"
}


def coping_table(
    before: Mapping[str, Numbers], at_once: Mapping[str, Numbers], now: Mapping[str, Numbers]
) -> pd.DataFrame:
    """A row for each panel that is there by now; a number that nothing learnt or measured is left out."""
    keys = [key for key in now if key in before]
    columns: dict[str, object] = {"Panel": [visible(now[key].title) for key in keys]}
    for title, (name, _) in _NUMBERS.items():
        for when, numbers in zip(_WHEN, (before, at_once, now), strict=True):
            columns[f"{title} {when}"] = [getattr(numbers[key], name) for key in keys]
    columns[_SHARE] = [100 * now[key].weight for key in keys]
    return pd.DataFrame(columns).dropna(axis=1, how="all")

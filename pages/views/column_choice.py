"""The columns of a table and what the plan does with each, as rows that can be ticked; and back into a plan."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pandas as pd

from datasets.columns import ColumnFacts, ColumnPlan
from pages.text.plain_text import visible

USE, AS_CATEGORIES = "Use", "As categories"
_MOST_LETTERS = 40
BY_HAND = "you left it out"


def columns_frame(facts: Sequence[ColumnFacts], plan: ColumnPlan) -> pd.DataFrame:
    """One row a column, the label aside: what it holds, whether it is used, and why not."""
    reasons = dict(plan.left_out)
    used, categories = set(plan.features), set(plan.categories)
    rows = [fact for fact in facts if fact.name != plan.label]
    return pd.DataFrame(
        {
            USE: [fact.name in used for fact in rows],
            "Column": [visible(fact.name) for fact in rows],
            "Holds": [fact.kind for fact in rows],
            AS_CATEGORIES: [fact.name in categories for fact in rows],
            "Different": [fact.n_values for fact in rows],
            "Missing": [fact.n_missing for fact in rows],
            "Examples": [", ".join(visible(cell[:_MOST_LETTERS]) for cell in fact.examples) for fact in rows],
            "Why left out": [visible(reasons.get(fact.name, "")) for fact in rows],
        }
    )


def plan_with_ticks(
    facts: Sequence[ColumnFacts], plan: ColumnPlan, ticks: Mapping[int, Mapping[str, Any]]
) -> ColumnPlan:
    """`plan` after `ticks`, {row of columns_frame: {its column: new value}}.

    Words can only be used as categories, so a column of words that is put back becomes some.
    """
    rows = [fact for fact in facts if fact.name != plan.label]
    used, categories = set(plan.features), set(plan.categories)
    reasons = dict(plan.left_out)
    for place, changed in ticks.items():
        fact = rows[int(place)]
        if AS_CATEGORIES in changed:
            (categories.add if changed[AS_CATEGORIES] else categories.discard)(fact.name)
        if USE in changed:
            (used.add if changed[USE] else used.discard)(fact.name)
    categories |= {fact.name for fact in rows if fact.kind in ("words", "dates")}
    names = [fact.name for fact in rows]
    return replace(
        plan,
        features=tuple(name for name in names if name in used),
        categories=tuple(name for name in names if name in used & categories),
        left_out=tuple((name, reasons.get(name, BY_HAND)) for name in names if name not in used),
    )

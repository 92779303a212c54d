"""The table of rules on a screen."""

from __future__ import annotations

from nca_core.classifiers import CLASSIFIERS
from pages.views.rules_table import how_rules_were_asked, rules_notes, rules_table
from study.measure import Classified, RulesOf


def test_a_row_for_each_panel_and_a_column_for_each_rule():
    nothing = float("nan")
    some = {
        key: Classified(0.1 * number, f"K = {number}" if number == 1 else "") for number, key in enumerate(CLASSIFIERS)
    }
    measured = [
        RulesOf("All features", 60, 30, {key: Classified(nothing) for key in CLASSIFIERS}),
        RulesOf("NCA", 60, 30, some),
    ]
    table = rules_table(measured)
    assert list(table["Places"]) == ["All features", "NCA"]
    assert list(table.columns[1:]) == [rule.title for rule in CLASSIFIERS.values()]
    assert list(table.iloc[1, 1:]) == [0.1 * number for number in range(len(CLASSIFIERS))]
    assert table.iloc[0, 1:].isna().all()
    second = list(CLASSIFIERS.values())[1]
    assert rules_notes(measured) == [f"{second.title}. NCA: K = 1."]
    assert how_rules_were_asked(measured).startswith("Shares of 30 held-out rows, told from 60 training rows.")

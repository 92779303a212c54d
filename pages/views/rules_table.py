"""The table of rules: how well each tells the held-out rows, in each panel."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from nca_core.classifiers import CLASSIFIERS
from study.measure import RulesOf


def rules_table(measured: Sequence[RulesOf]) -> pd.DataFrame:
    """One row a panel, one column a rule, shares of held-out rows that are told rightly."""
    columns: dict[str, list[object]] = {"Places": [one.title for one in measured]}
    for key, rule in CLASSIFIERS.items():
        columns[rule.title] = [one.by_rule[key].accuracy for one in measured]
    return pd.DataFrame(columns)


def rules_notes(measured: Sequence[RulesOf]) -> list[str]:
    """What the rules chose or had to change, a line for each rule that says anything."""
    lines = []
    for key, rule in CLASSIFIERS.items():
        said = [f"{one.title}: {one.by_rule[key].note}" for one in measured if one.by_rule[key].note]
        if said:
            lines.append(f"{rule.title}. {'; '.join(said)}.")
    return lines


def how_rules_were_asked(measured: Sequence[RulesOf]) -> str:
    """Of how many rows the shares are, and what is left empty."""
    most = max(measured, key=lambda one: one.n_train)
    return (
        f"Shares of {most.n_asked:,} held-out rows, told from {most.n_train:,} training rows. Rules by p_ij are "
        "asked only where the scale was learnt; t-SNE and UMAP have no place for new rows."
    )

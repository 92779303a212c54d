"""Nothing in a long table is parsed twice, whatever is asked of it."""

from __future__ import annotations

import dataclasses

from datasets.columns import build_dataset, cells
from datasets.proposals import Choices, apply, propose
from datasets.reading import read_table


def test_each_column_is_parsed_once(monkeypatch):
    parsed = []
    plain = cells._parsed
    monkeypatch.setattr(cells, "_parsed", lambda column: parsed.append(column.name) or plain(column))
    rows = "".join(f"{k * 0.37:.3f},{(k * k) % 97},{'pqr'[k % 3]},{'xy'[k % 2]}\n" for k in range(2_000))
    plan = apply(propose(read_table(f"a,b,c,label\n{rows}".encode(), "t.csv")))
    for choices in (Choices(), Choices(label="c"), Choices(label="c").saying("roles", "a", "left_out")):
        plan = apply(plan.proposal, choices)
        build_dataset(plan.table, plan.columns)
    assert sorted(parsed) == ["a", "b", "c", "label"]


def test_what_was_parsed_goes_with_the_table():
    table = read_table(b"a,label\n" + b"1,x\n2,y\n" * 9, "t.csv")
    propose(table)
    assert table.parsed
    assert dataclasses.replace(table, name="u.csv").parsed == {}

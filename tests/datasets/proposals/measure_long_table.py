"""What a table of 400,000 x 9 costs in seconds of CPU: python -m tests.datasets.proposals.measure_long_table"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from datasets.columns import build_dataset
from datasets.proposals import Choices, Plan, apply, propose
from datasets.reading import read_table

N = 400_000


def long_table(n: int = N) -> bytes:
    """An identifier, five numbers, a category, a bit and the label, 23 MB of CSV."""
    rng = np.random.default_rng(0)
    label = rng.integers(0, 4, n)
    X = rng.normal(size=(n, 5)) + label[:, None]
    town, flag = rng.integers(0, 12, n), rng.integers(0, 2, n)
    lines = ["id,u,v,w,x,z,city,flag,class"]
    for k, row in enumerate(X.tolist()):
        lines.append(f"{k},{','.join(f'{v:.5f}' for v in row)},town{town[k]},{flag[k]},{'abcd'[label[k]]}")
    return "\n".join(lines).encode()


def _timed(what: str, step: Callable[[], Any]) -> Any:
    begin = time.process_time()
    result = step()
    print(f"{what:28s} {time.process_time() - begin:5.2f} s")
    return result


def _built(plan: Plan) -> Plan:
    build_dataset(plan.table, plan.columns)
    return plan


def main() -> None:
    data = long_table()
    begin = time.process_time()
    table = _timed("reading", lambda: read_table(data, "long.csv"))
    proposal = _timed("describing and proposing", lambda: propose(table))
    plan = _timed("applying", lambda: apply(proposal))
    print(f"{'until the preview':28s} {time.process_time() - begin:5.2f} s")
    _timed("building", lambda: _built(plan))
    flag = _timed("another label, built", lambda: _built(apply(plan.proposal, Choices(label="flag"))))
    _timed("a tick, built", lambda: _built(apply(flag.proposal, flag.choices.with_role("z", "left_out"))))


if __name__ == "__main__":
    main()

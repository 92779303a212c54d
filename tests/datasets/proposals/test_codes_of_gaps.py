"""Counts of many genes or species hold no codes of gaps, and long names are shortened."""

import pytest

from datasets.proposals import apply, propose, sentinel_offer
from datasets.reading import ReadOptions
from tests.datasets.proposals.tables import normal, table_of

N = 60


def with_codes(n_counts, largest=70, least=0):
    """Answers of which a few are 99, beside columns of counts."""
    answers = {f"q{k}": ["99" if j in (3 + k, 30 + k) else str(j * j % 5) for j in range(N)] for k in range(3)}
    counts = {
        f"sp{k}": [
            str(largest if j == k else least if j == 40 else (j * j + k * 7) % 11 * (j % 3 == 0)) for j in range(N)
        ]
        for k in range(n_counts)
    }
    return table_of(x=normal(N), **answers, **counts, kind=["uv"[j % 2] for j in range(N)])


@pytest.mark.parametrize(
    ("table", "asked"),
    [
        (with_codes(9), True),
        (with_codes(10), False),
        (with_codes(10, largest=20), True),  # answers
        (with_codes(10, largest=99), True),
        (with_codes(10, least=-1), True),
    ],
)
def test_many_columns_of_counts_hold_no_codes_of_gaps(table, asked):
    assert (sentinel_offer(apply(propose(table)), ReadOptions()) is not None) == asked

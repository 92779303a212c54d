"""Small tables for the tests of proposals."""

import numpy as np

from datasets.reading import Table, read_table


def table_of(**columns) -> Table:
    """A table of the columns, cell by cell; blanks in a keyword are written as two underlines."""
    names = [name.replace("__", " ") for name in columns]
    lines = ["\t".join(names), *("\t".join(map(str, row)) for row in zip(*columns.values(), strict=True))]
    return read_table(("\n".join(lines) + "\n").encode(), "t.tsv")


def normal(n: int, seed: int = 0) -> list[str]:
    return [f"{value:.3f}" for value in np.random.default_rng(seed).normal(size=n)]


def cycled(values, n: int) -> list[str]:
    """The values in an order that neither counts nor repeats with a short period."""
    return [str(values[(k * k + k // 3) % len(values)]) for k in range(n)]

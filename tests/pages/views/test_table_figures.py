"""The preview, the chips and the checks of a table."""

from dataclasses import replace

import numpy as np

from datasets.base.dataset import Dataset, Source
from datasets.reading import Table, read_table
from pages.views.uploaded_table import preview_caption, preview_frame, size_sentence


def test_the_preview_is_bounded_and_says_so():
    text = ",".join(f"c{k}" for k in range(40)) + "\n" + (",".join("7" * 40) + "\n") * 60
    table = read_table(text.encode(), "t.csv")
    frame = preview_frame(table)
    assert frame.shape == (50, 31)
    assert frame["line"].tolist() == list(range(2, 52))
    assert preview_caption(table) == "The first 50 of 60 rows, the first 30 of 40 columns."


def test_cells_stay_as_written_and_controls_are_spelt_out():
    table = Table.from_rows("t", ("line", "a\u202e", "a\\u202e"), [("=1+1", "007", "x\ny")], [3])
    frame = preview_frame(table)
    assert frame.iloc[0].tolist() == [3, "=1+1", "007", "x⏎y"]
    assert len(set(frame.columns)) == 4
    assert preview_caption(table) == "The only row, all 3 columns."


def test_checks_and_what_the_size_means():
    y = np.array([0] * 5 + [1] * 3 + [2] * 4 + [-1] * 2)
    dataset = Dataset("t", np.zeros((14, 3)), y, ("a", "b", "c"), ("u", "v", "w"), Source("t"))
    assert "sample of 10 of the 14 rows" in size_sentence(dataset, 10)
    assert size_sentence(dataset, 100) == "Trains on 12 of the 14 rows: 2 have no label."
    said = size_sentence(dataset, 100, 0.25)
    assert said == "Trains on 9 of the 14 rows: 3 are held out for testing, 2 have no label."
    assert size_sentence(dataset.of_rows(np.arange(12)), 100) == "Trains on all 12 rows."
    numeric = replace(dataset, target=y.astype(float))
    assert "36 pairs" in size_sentence(numeric, 100, 0.25)
    assert "45 pairs" in size_sentence(numeric, 10)
    large = dataset.of_rows(np.arange(250_000) % 14)
    assert "visits every row" in size_sentence(large, 100_000)
    assert "visits every row" not in size_sentence(large, 5_000)

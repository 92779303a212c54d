"""A workbook on the Data page: how many of its rows hold names can be overruled, and nothing else that is text's."""

from __future__ import annotations

import io

import openpyxl

from tests.pages.test_data import bring, choose, dataset, page  # noqa: F401 (a fixture)


def test_the_rows_of_names_of_a_workbook_can_be_overruled(page):  # noqa: F811
    book = openpyxl.Workbook()
    for row in (["a", "b", "label"], *([k + 0.5, k % 3, "xy"[k % 2]] for k in range(8))):
        book.active.append(row)
    data = io.BytesIO()
    book.save(data)
    bring(page, "t.xlsx", data.getvalue())
    assert dataset(page).n_samples == 8
    assert [box.key for box in page.selectbox if box.key.startswith("data.read.")] == ["data.read.header_lines"]
    choose(page, "data.read.header_lines", 2)
    assert dataset(page).feature_names == ("a 0.5", "b 0")
    assert dataset(page).n_samples == 7
    choose(page, "data.read.header_lines", "as detected")
    assert dataset(page).n_samples == 8

"""A workbook on the Data page: how many of its rows hold names can be overruled, and nothing else that is text's."""

from __future__ import annotations

from tests.pages.app_page import bring, built, choose, workbook


def test_the_rows_of_names_of_a_workbook_can_be_overruled(data_page):
    page = data_page
    bring(page, "t.xlsx", workbook(one=[["a", "b", "label"], *([k + 0.5, k % 3, "xy"[k % 2]] for k in range(8))]))
    assert built(page).n_samples == 8
    assert [box.key for box in page.selectbox if box.key.startswith("data.read.")] == ["data.read.header_lines"]
    choose(page, "data.read.header_lines", 2)
    assert built(page).feature_names == ("a 0.5", "b 0")
    assert built(page).n_samples == 7
    choose(page, "data.read.header_lines", "as detected")
    assert built(page).n_samples == 8

"""Cubes of statistical offices, JSON-stat and SDMX-JSON, become records."""

import json

import pytest

from datasets.reading import read_table

SEX = {"label": "sex", "category": {"index": {"f": 1, "m": 0}, "label": {"f": "women", "m": "men"}}}
YEAR = {"category": {"index": ["2020", "2021", "2022"]}}
WHAT = {"label": "contents", "category": {"index": ["n", "r"], "label": {"n": "persons", "r": "rate"}}}
VALUES = [1, 0.5, 2, 0.25, 3, 0.75, 4, 0.1, 5, 0.2, None, 0.3]


def rows_of(content):
    table = read_table(json.dumps(content).encode(), "t.json")
    cells = table.cells.to_pydict()
    return table.columns, list(zip(*cells.values(), strict=True))


@pytest.mark.parametrize("version", ["2", "1", "named"])
def test_a_json_stat_cube_has_a_row_for_each_cell_and_a_column_for_each_thing_measured(version):
    axes = {"sex": SEX, "year": YEAR, "what": WHAT}
    about = {"id": ["sex", "year", "what"], "size": [2, 3, 2], "role": {"metric": ["what"]}}
    if version == "2":
        content = {"class": "dataset", "version": "2.0", **about, "dimension": axes, "value": VALUES}
    else:
        content = {"dataset" if version == "1" else "t1": {"dimension": axes | about, "value": VALUES}}
    names, rows = rows_of(content)
    assert names == ("sex", "year", "persons", "rate")
    assert rows[0] == ("men", "2020", "1", "0.5")
    assert rows[4] == ("women", "2021", "5", "0.2")
    assert rows[5] == ("women", "2022", "", "0.3")
    assert len(rows) == 6


def test_values_by_place_are_put_there_and_missing_ones_are_no_rows():
    content = {
        "id": ["sex", "year"],
        "size": [2, 3],
        "dimension": {"sex": SEX, "year": YEAR},
        "value": {"1": 7, "5": 9},
    }
    names, rows = rows_of(content)
    assert names == ("sex", "year", "value")
    assert rows == [("men", "2021", "7"), ("women", "2022", "9")]


def test_a_cube_whose_sizes_do_not_fit_is_read_as_any_other_record():
    content = {"id": ["sex", "year"], "size": [2, 4], "dimension": {"sex": SEX, "year": YEAR}, "value": VALUES[:8]}
    names, _ = rows_of(content)
    assert "sex" not in names


@pytest.mark.parametrize("in_series", [False, True])
def test_observations_of_sdmx_are_named_by_their_keys(in_series):
    def axis(name, *values):
        return {"id": name, "values": [{"id": value, "name": value.upper()} for value in values]}

    area, time = axis("area", "de", "fr", "it"), axis("time", "q1", "q2")
    if in_series:
        dimensions = {"series": [area], "observation": [time]}
        sets = {"series": {"0": {"observations": {"0": [1.5, 0], "1": [2.5]}}, "2": {"observations": {"1": [3.5]}}}}
    else:
        dimensions = {"observation": [area, time]}
        sets = {"observations": {"0:0": [1.5, 0], "0:1": [2.5], "2:1": [3.5]}}
    names, rows = rows_of({"data": {"structure": {"dimensions": dimensions}, "dataSets": [sets]}})
    assert names == ("area", "time", "value")
    assert rows == [("DE", "Q1", "1.5"), ("DE", "Q2", "2.5"), ("IT", "Q2", "3.5")]

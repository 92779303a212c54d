"""Tables as SPSS and Stata save them, written here with pyreadstat and pandas."""

import io
import math
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

pyreadstat = pytest.importorskip("pyreadstat")

from datasets.base.errors import DataError  # noqa: E402
from datasets.reading import Limits, read_table  # noqa: E402
from datasets.reading.packages import PACKAGES, _without_gap_codes  # noqa: E402

FRAME = pd.DataFrame(
    {
        "sex": [1.0, 2.0, 2.0, np.nan],
        "liked": [1.0, 4.0, 7.0, 3.0],
        "weight": [70.5, 61.0, np.nan, 80.25],
        "town": ["Brno", "Zürich", "", "東京"],
    }
)
WORDS = {"sex": {1.0: "male", 2.0: "female"}, "liked": {1.0: "not at all", 7.0: "very much"}}


@pytest.fixture
def sav(tmp_path):
    pyreadstat.write_sav(FRAME, tmp_path / "t.sav", variable_value_labels=WORDS)
    return (tmp_path / "t.sav").read_bytes()


def test_codes_stand_as_words_where_each_has_one_and_stay_numbers_where_only_some_have(sav):
    table = read_table(sav, "t.sav")
    assert table.columns == ("sex", "liked", "weight", "town")
    assert table.rows == [
        ("male", "1", "70.5", "Brno"),
        ("female", "4", "61", "Zürich"),
        ("female", "7", "", ""),
        ("", "3", "80.25", "東京"),
    ]
    assert table.notes == (
        "Codes stand as the words the file has for them in 1 column.",
        "Only some codes have words, and all stay numbers, in liked.",
    )


@pytest.mark.parametrize(
    ("odd", "are_words"), [([0.0] * 4, True), ([0.0] * 5, False), ([0.0, 7.0], True), ([0.0, 7.0, 8.0], False)]
)
def test_a_few_codes_without_words_stay_beside_words(tmp_path, odd, are_words):
    frame = pd.DataFrame({"work": [*odd, *[1.0, 2.0] * 100][:200], "a": np.arange(200.0)})
    pyreadstat.write_sav(frame, tmp_path / "t.sav", variable_value_labels={"work": {1.0: "none", 2.0: "full time"}})
    table = read_table((tmp_path / "t.sav").read_bytes(), "t.sav")
    assert set(table.column("work")) == {"0", *map("{:g}".format, odd), *(("none", "full time") if are_words else "12")}
    assert any("except codes without words: '0' in work" in note for note in table.notes) == are_words


@pytest.mark.parametrize("version", [114, 118])
def test_stata_of_old_and_new_versions_with_numbers_as_short_as_they_were_saved(version):
    frame = pd.DataFrame({"x": np.array([0.1, 2.0, 3.25], dtype=np.float32), "group": pd.Categorical(["b", "a", "b"])})
    stream = io.BytesIO()
    frame.to_stata(stream, write_index=False, version=version)
    assert read_table(stream.getvalue(), "t.dta").rows == [("0.1", "b"), ("2", "a"), ("3.25", "b")]


def test_a_portable_file_of_spss_is_read(tmp_path):
    frame = pd.DataFrame({"SEX": [1.0, 2.0, 2.0, np.nan], "WEIGHT": [70.5, 61.0, np.nan, 80.25], "TOWN": list("abca")})
    pyreadstat.write_por(frame, tmp_path / "t.por")
    data = (tmp_path / "t.por").read_bytes()
    for text in (data, data.replace(b"\n", b"\r\n")):
        table = read_table(text, "t.por")
        assert (table.columns, table.rows[1]) == (("SEX", "WEIGHT", "TOWN"), ("2", "61", "b"))
    with pytest.raises(DataError, match=r"t\.por has 4 rows of 3 columns; at most 11 cells are read"):
        read_table(data, "t.por", limits=Limits(cells=11))
    assert read_table(b"program,SPSSPORT\n1,x\n2,y\n3,x\n", "t.csv").n_rows == 3


def test_more_columns_or_cells_than_are_read_are_refused_by_the_header_alone(sav):
    with pytest.raises(DataError, match=r"t\.sav has 4 columns; at most 3 are read"):
        read_table(sav, "t.sav", limits=Limits(columns=3))
    with pytest.raises(DataError, match=r"t\.sav has 4 rows of 4 columns; at most 15 cells are read: save a sample"):
        read_table(sav, "t.sav", limits=Limits(cells=15))


def test_a_table_without_rows_is_refused(tmp_path):
    pyreadstat.write_sav(FRAME.iloc[:0], tmp_path / "t.sav")
    with pytest.raises(DataError, match="holds no rows"):
        read_table((tmp_path / "t.sav").read_bytes(), "t.sav")


def test_codes_that_the_file_calls_missing_are_counted(tmp_path):
    frame = pd.DataFrame({"age": [30.0, -9, 41, -9, -8, 52], "size": [1.0, 2, 3, 4, 5, 6]})
    words, ranges = {"age": {-9.0: "refused"}}, {"age": [{"lo": -9, "hi": -8}]}
    pyreadstat.write_sav(frame, tmp_path / "t.sav", variable_value_labels=words, missing_ranges=ranges)
    table = read_table((tmp_path / "t.sav").read_bytes(), "t.sav")
    assert table.column("age") == ["30", "", "41", "", "", "52"]
    assert table.notes[0] == "3 cells hold what the file calls missing: 'refused' (2), '-8' (1)."


def test_letters_that_stata_calls_missing_are_gaps():
    about = SimpleNamespace(missing_user_values={"age": ["a", "b"]}, missing_ranges={})
    values, found = _without_gap_codes([30.0, "a", None, math.nan, "a", "b", 41.0], about, "age")
    assert (values[:3], values[4:], found) == ([30.0, None, None], [None, None, 41.0], {"a": 2, "b": 1})
    assert _without_gap_codes(["a"], about, "name") == (["a"], {})


def test_a_new_stata_file_whose_words_are_not_utf_8_is_read(tmp_path):
    frame = pd.DataFrame({"food": pd.Categorical(["K_se", "Brot"] * 6), "n": range(12)})
    frame.to_stata(tmp_path / "t.dta", version=118, write_index=False)
    data = (tmp_path / "t.dta").read_bytes().replace(b"K_se", b"K\xe4se")
    assert read_table(data, "t.dta").column("food")[:2] == ["Käse", "Brot"]


def test_an_old_stata_file_in_another_encoding(tmp_path, monkeypatch):
    def latin(text):
        return text.encode("cp950").decode("latin-1")

    frame = pd.DataFrame({"id": range(8), "town": [latin("臺北市" if k % 2 else "高雄市") for k in range(8)]})
    frame["remark"] = ["x" * 3000] * 8
    labels = {"id": latin("樣本編號"), "town": latin("訪問地點與鄉鎮市區名稱")}
    saved = {"write_index": False, "version": 117, "variable_labels": labels}
    frame.to_stata(tmp_path / "t.dta", convert_strl=["remark"], **saved)
    data = (tmp_path / "t.dta").read_bytes()
    cells = PACKAGES["stata"](data, Limits())
    assert [row[1] for row in cells.rows[:2]] == ["高雄市", "臺北市"]
    read = pyreadstat.read_dta

    def undecoded(*args, **more):
        if more.get("metadataonly") or "usecols" in more:
            return read(*args, **more)
        return b"\xa4".decode()

    monkeypatch.setattr(pyreadstat, "read_dta", undecoded)
    cells = PACKAGES["stata"](data, Limits())
    assert (cells.columns, cells.rows[1]) == (("id", "town"), ("1", "臺北市"))
    assert cells.notes == ["Left out, as long texts in an encoding of their own: remark."]

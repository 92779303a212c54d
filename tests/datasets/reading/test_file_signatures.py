"""What is no table says what it is; what only looks strange is read."""

import bz2
import gzip
import io
import json
import re
import zipfile

import numpy as np
import pytest

from datasets.base.errors import DataError
from datasets.columns import build_dataset
from datasets.reading import ReadOptions, read_table
from tests.datasets.files import npz
from tests.datasets.planned import column_plan

TEXT = b"a,b,label\n" + b"1.5,2,x\n2.5,7,y\n3.5,1,x\n4.5,8,y\n" * 20
RECORDS = [{"a": 1.5, "b": 2, "label": "x"}, {"a": 2.5, "b": 7, "label": "y"}, {"a": 3.5, "b": 1, "label": "x"}]


def zipped(name, data):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr(name, data)
    return stream.getvalue()


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (gzip.compress(gzip.compress(TEXT)), "is compressed twice; unpack it"),
        (bz2.compress(TEXT), "is compressed with bzip2; unpack it"),
        (zipped("train.csv", TEXT), "is a zip archive (with 'train.csv'); unpack it"),
        (b"%PDF-1.7\n" + TEXT, "is a PDF document"),
        (b"\xef\xbb\xbf <HTML><body><table><tr><td>1,5</td></tr></table>", "is a web page without a table"),
        (b"<?xml version='1.0'?><svg></svg>", "is XML that holds no records"),
        (b"<?xml version='1.0'?><svg>", "is not valid XML: no element found"),
        (b"<!DOCTYPE html><p>a</p>", "is a web page without a table"),
        (b"<?xml version='1.0'?><html></html>", "is a web page without a table"),
        (b"$FL2@(#) SPSS DATA FILE" + bytes(9), "is damaged and cannot be read as an SPSS file"),
        (b"<stata_dta><header>", "is damaged and cannot be read as a Stata file"),
        (gzip.compress(b"RDX3\nX\n" + bytes(9)), "is R data; save it with write.csv"),
        (gzip.compress(b"X\n" + bytes(9)), "is R data; save it with write.csv"),
        (npz(x_train=np.zeros((3, 2))), "must hold the arrays X and y, as numpy.savez"),
        (npz(X=np.zeros((4, 2)), y=np.eye(4)), "y must hold one label for each row"),
    ],
)
def test_a_known_signature_is_told_what_it_is_and_what_to_do(data, words):
    with pytest.raises(DataError) as error:
        read_table(data, "t.csv")
    assert str(error.value).startswith("t.csv ")
    assert words in str(error.value)


@pytest.mark.parametrize("name", ["BZh", "RDX2", "GIF8", "MATLAB", "Rar", "PDF"])
def test_columns_called_like_formats_are_columns(name):
    assert read_table(TEXT.replace(b"a", name.encode(), 1), "t.csv").columns[0] == name


ROWS = [list(record.values()) for record in RECORDS]


@pytest.mark.parametrize(
    "content",
    [
        {"source": "here", "data": RECORDS},
        {name: {str(k): record[name] for k, record in enumerate(RECORDS)} for name in RECORDS[0]},
        {str(k): record for k, record in enumerate(RECORDS)},
        {"status": {"code": 200}, "response": {"total": 3, "page": {"items": RECORDS}}},
        {"columns": list(RECORDS[0]), "index": [0, 1, 2], "data": ROWS},
        {"signature": {"version": "1.2"}, "count": "3", "Fields": list(RECORDS[0]), "data": ROWS},
        {"result": {"records": ROWS, "cols": [{"name": "field", "id": k} for k in RECORDS[0]]}},
        {"records": [*ROWS, *ROWS][:3], "fields": [{"type": "t", "name": k} for k in RECORDS[0]], "licence": ["x"]},
        [list(RECORDS[0]), *ROWS],
        {"response": {"fields": list(RECORDS[0]), "data": ROWS}},
    ],
    ids=["wrapped", "columns", "index", "deep", "split", "fields", "described", "square", "names first", "deep fields"],
)
def test_json_as_pandas_and_web_services_write_it(content):
    table = read_table(json.dumps(content).encode(), "t.json")
    assert table.columns == ("a", "b", "label")
    assert table.rows == [("1.5", "2", "x"), ("2.5", "7", "y"), ("3.5", "1", "x")]


def test_rows_of_json_have_the_names_beside_them_of_which_some_may_be_equal():
    content = {"which": ["a", "b", "a"], "values": [[1, 2, 3], [4, 5, 6], [7, 8, 9], [0, 1, 2]]}
    assert read_table(json.dumps(content).encode(), "t.json").columns == ("a", "b", "a (2)")


def test_a_list_of_words_beside_as_many_lists_of_numbers_is_a_column():
    content = {"point": [[1, 2], [3, 5], [4, 4]], "kind": ["x", "y", "z"]}
    table = read_table(json.dumps(content).encode(), "t.json")
    assert (table.columns, len(table.notes)) == (("point 1", "point 2", "kind"), 1)
    assert "Left out" not in table.notes[0]
    content = {"point": [[1, 2, 1], [3, 5, 2], [4, 4, 0]], "kind": ["x", "y", "z"]}
    assert read_table(json.dumps(content).encode(), "t.json").columns == (*(f"point {k}" for k in (1, 2, 3)), "kind")


@pytest.mark.parametrize("between", ["\n", ",\n", " ", ",\n\n"])
@pytest.mark.parametrize("indent", [None, 1])
def test_json_records_behind_each_other(between, indent):
    records = [{"a": k, "b": [k, 1]} for k in range(6)]
    text = "\n" + between.join(json.dumps(each, indent=indent) for each in records) + ","
    table = read_table(text.encode(), "t.json")
    assert table.columns == ("a", "b 1", "b 2")
    assert [row[0] for row in table.rows] == list("012345")
    broken = "\n".join(['{"a": 1}', '{"a": 2}', '{"a": 3', '{"a": 4}'])
    with pytest.raises(DataError, match=r"is not sound JSON: line 4, column 1: "):
        read_table(broken.encode(), "t.json")


def test_the_only_point_of_several_is_a_point():
    def read(*points):
        records = [
            {"kind": "xy"[k % 2], "at": {"type": "MultiPoint", "coordinates": at}} for k, at in enumerate(points)
        ]
        return read_table(json.dumps({"features": records}).encode(), "t.geojson").columns

    points = [[[k, k * k]] for k in range(6)]
    assert read(*points) == ("kind", "at.type", "at.coordinates 1", "at.coordinates 2")
    assert read(*points, [[1, 2], [3, 4]]) == ("kind", "at.type")


def test_xml_records_with_their_attributes_and_what_they_hold():
    stations = "".join(
        f'<s:station id="{k}" kind="{"xy"[k % 2]}"><s:at lat="{k}.5">here</s:at><s:n>{k * k}</s:n></s:station>'
        for k in range(6)
    )
    data = f'<?xml version="1.0"?><list xmlns:s="http://a.org" made="today"><of>{stations}</of></list>'.encode()
    table = read_table(data, "t.xml")
    assert table.columns == ("id", "kind", "at.lat", "at.text", "n")
    assert table.rows[2] == ("2", "x", "2.5", "here", "4")
    assert table.notes == ("Left out beside the records: made.",)


def test_a_record_of_another_list_is_none_of_each_of_these():
    content = [{"customer": "a", "houses": [{"rooms": 9}], "flats": [{"rooms": k, "fee": k * k} for k in range(6)]}]
    table = read_table(json.dumps(content).encode(), "t.json")
    assert (table.columns, table.n_rows) == (("rooms", "fee"), 6)
    assert table.notes == ("Left out beside the records: customer, houses.",)


def test_lists_below_keys_are_records_where_they_hold_the_same_kinds_at_the_same_places():
    def read(**lists):
        return read_table(json.dumps(lists).encode(), "t.json")

    reviews = {f"r{k}": ["good" if k % 2 else "bad", k % 5, "blue"] for k in range(12)}
    table = read(**reviews)
    assert (table.columns, table.row(1)) == (("key", "item 1", "item 2", "item 3"), ("r1", "good", "1", "blue"))
    assert read(**{f"c{k}": [k, 2 * k, 3] for k in range(12)}).n_rows == 3  # columns of numbers
    assert read(**{f"c{k}": ["x", k, 3] if k % 2 else [k, "x", 3] for k in range(12)}).n_rows == 3


@pytest.mark.parametrize(
    ("field", "more", "n_rows"), [("url", {}, 12), ("stars", {}, 36), ("stars", {"lon": 2.5, "size": 7}, 12)]
)
def test_records_inside_others_are_rows_where_they_hold_as_many_numbers(field, more, n_rows):
    inner = [{"title": "about", field: 4 if field == "stars" else "https://a.b"}] * 3
    places = [{"name": f"p{k}", "lat": k / 7, **more, "more": inner} for k in range(12)]
    assert read_table(json.dumps(places).encode(), "t.json").n_rows == n_rows


@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_xml_of_several_elements_next_to_each_other(mark):
    stations = "".join(f"<station><id>{k}</id><docks>{k * k % 7}</docks></station>" for k in range(9))
    text = f'{mark}<?xml version="1.0"?>\n<time>06:52</time>{stations}'
    assert read_table(text.encode(), "t.xml").columns == ("id", "docks")
    with pytest.raises(DataError, match="is not valid XML"):
        read_table(f"{text}<station>".encode(), "t.xml")


def test_json_that_is_not_utf_8_is_read():
    places = [{"lugar": name, "n": k} for k, name in enumerate(["Compostela", "Acaponeta", "San Blas", "Peñas Ñañá"])]
    table = read_table(json.dumps(places, ensure_ascii=False).encode("cp1252"), "t.json")
    assert table.rows[3] == ("Peñas Ñañá", "3")
    assert "The text is not UTF-8; it was read as Windows-1252." in table.notes


def test_json_records_below_their_names():
    table = read_table(json.dumps({f"r{k}": record for k, record in enumerate(RECORDS)}).encode(), "t.json")
    assert table.columns == ("key", "a", "b", "label")
    assert table.rows[1] == ("r1", "2.5", "7", "y")


@pytest.mark.parametrize(("n", "names"), [(7, ("key", "SO2", "NO2", "O3")), (6, tuple(f"2017-0{k}" for k in range(6)))])
def test_many_objects_of_numbers_with_the_same_few_keys_are_records(n, names):
    days = {f"2017-0{k}": {"SO2": k / 2, "NO2": k * k, "O3": None} for k in range(n)}
    assert read_table(json.dumps(days).encode(), "t.json").columns == names
    counted = {f"c{k}": {str(j): j for j in range(3)} for k in range(9)}  # as pandas writes columns
    assert read_table(json.dumps(counted).encode(), "t.json").n_rows == 3


@pytest.mark.parametrize(("n", "columns"), [(2, ("x", "y")), (12, ("key", "unit", "scale"))])
def test_few_records_below_names_are_settings_beside_others(n, columns):
    content = {"units": {f"u{k}": {"unit": "m", "scale": k} for k in range(n)}, "rows": [{"x": 1, "y": 2}]}
    assert read_table(json.dumps(content).encode(), "t.json").columns == columns


def test_dates_in_arff_are_left_out_as_dates():
    text = "@relation r\n@attribute 'the day' DATE \"yyyy-MM-dd\"\n@attribute a numeric\n@attribute k {x,y}\n@data\n"
    text += "".join(f'"2024-01-0{k}",{k}.5,{"xy"[k % 2]}\n' for k in range(1, 7))
    table = read_table(text.encode(), "t.arff")
    assert table.line_numbers[0] == 6
    assert column_plan(table).left_out == (("the day", "it holds dates"),)


def test_utf_32_and_what_windows_1252_lacks():
    assert read_table(TEXT.decode().encode("utf-32"), "t.csv").columns == ("a", "b", "label")
    japanese = "a,b,色\n1,2,赤\n3,4,青\n5,6,赤\n7,8,青\n".encode("shift-jis")
    for options in (None, ReadOptions(encoding="shift-jis")):
        table = read_table(japanese, "t.csv", options)
        assert build_dataset(table, column_plan(table)).class_names == ("赤", "青")
    serbian = "a,b,Ћ\n1,2,x\n3,4,y\n5,6,x\n7,8,y\n".encode("cp1251").replace("Ћ".encode("cp1251"), b"\x8d")
    guessed = " ".join(read_table(serbian, "t.csv").notes)
    assert "none of its (the first on line 1)" in guessed
    assert "choose another encoding" in guessed


def test_classes_come_in_the_order_people_count():
    labels = ["klasse 10", "klasse 2", "klasse 1", "B", "A"]
    text = "a,b,label\n" + "".join(f"{k},{k % 3},{label}\n" for k, label in enumerate(labels * 2))
    table = read_table(text.encode(), "t.csv")
    names = build_dataset(table, column_plan(table)).class_names
    assert names == ("A", "B", "klasse 1", "klasse 2", "klasse 10")
    numbers = text
    for label, number in zip(labels, ["10", "9", "-1", "01", "1"], strict=True):
        numbers = numbers.replace(label, number)
    table = read_table(numbers.encode(), "t.csv")
    assert build_dataset(table, column_plan(table)).class_names == ("-1", "01", "1", "9", "10")


def test_texts_and_lists_of_texts_share_a_column():
    records = [{"a": k, "message": ["up", "and", k] if k % 5 == 0 else f"text {k}"} for k in range(12)]
    table = read_table(json.dumps(records).encode(), "t.json")
    assert table.columns == ("a", "message")
    assert [table.row(k)[1] for k in (4, 5)] == ["text 4", "up; and; 5"]
    assert table.notes == ("Lists in one cell: message.",)
    mixed = read_table(json.dumps([{"p": [k, 2 * k] if k % 2 else k} for k in range(8)]).encode(), "t.json")
    assert [row[0] for row in mixed.rows[:2]] == ["0", "1; 2"]


def test_lists_of_one_record_are_flattened():
    records = [{"a": k, "weather": [{"main": "ab"[k % 2], "id": 7}]} for k in range(6)]
    table = read_table(json.dumps(records).encode(), "t.json")
    assert (table.columns, table.row(1)) == (("a", "weather.main", "weather.id"), ("1", "b", "7"))
    records[0]["weather"] *= 2
    assert read_table(json.dumps(records).encode(), "t.json").sheets == ("outer records", "weather")


@pytest.mark.parametrize(("value", "kept"), [("z", True), ("x", False)])
def test_values_that_arff_does_not_declare_are_kept_and_said(value, kept):
    rows = ["1,2.5,x", f"2,3.5,{value}", "3,4.5,'x y'", "4,5.5,x\u3000y", *(f"{k},{k}.5,y" for k in range(5, 60))]
    head = ["@relation r", "@attribute a numeric", "@attribute b numeric", "@attribute k {x,y,'x y',x\u3000y}", "@data"]
    table = read_table("\n".join([*head, *rows]).encode(), "t.arff")
    assert table.column("k")[:5] == ["x", value, "x y", "x\u3000y", "y"]
    said = "The file has, on line 7, the value 'z', which its attribute does not declare; such values are kept."
    assert (said in table.notes) == kept


def squads(n_teams=3, n_players=5, cell="", text=""):
    """Players, five in each team, as web interfaces write them, without a declaration."""
    players = "".join(f'<player id="p{k}" position="{"FD"[k % 2]}">{cell}{text}</player>\n' for k in range(n_players))
    teams = "".join(f'<team name="t{k}"><roster>\n{players}</roster></team>\n' for k in range(n_teams))
    return f'<league season="2015">\n{teams}<ground name="a" town="b"/>\n</league>'.encode()


def test_elements_within_several_others_are_rows_with_what_these_say():
    table = read_table(squads(), "t.xml")
    assert table.columns == ("id", "position", "season of league", "name of team")
    assert (table.n_rows, table.row(7)) == (15, ("p2", "F", "2015", "t1"))


@pytest.mark.parametrize(
    "data",
    [
        squads(n_teams=1, n_players=12),
        squads(text="x"),
        squads(n_players=4),
        squads().replace(b"<ground", b"<player><name>x</name></player><ground"),
        re.sub(rb' position="."', b"", squads()),
    ],
)
def test_other_elements_are_read_by_their_nesting(data):
    assert "name of team" not in read_table(data, "t.xml").columns


def test_a_lone_element_is_a_record():
    assert read_table(b"<league season='2015' name='a'/>", "t.xml").columns == ("season", "name")


def test_signs_around_names_make_no_xml():
    table = read_table(b"<DATE>,<CLOSE>,<KIND>\n1,2.5,x\n2,3.5,y\n3,4.5,x\n4,5.5,y\n", "t.csv")
    assert table.columns == ("<DATE>", "<CLOSE>", "<KIND>")


@pytest.mark.parametrize("end", [b"\0", b"\r\n\0\0", b"\x1a"])
def test_the_bytes_with_which_old_programs_end_a_file_are_no_cells(end):
    rows = b"\n".join(b"%d,%d.5,%s" % (k, k * 3 % 7, b"xy"[k % 2 : k % 2 + 1]) for k in range(8))
    table = read_table(b"a,b,kind\n" + rows + end, "t.csv")
    assert (table.n_rows, table.row(7)) == (8, ("7", "0.5", "y"))


def test_a_part_of_a_page_with_a_table_is_read():
    rows = "".join(f"<tr><td>{k}</td><td>{k * 3 % 7}</td><td>{'xy'[k % 2]}</td></tr>" for k in range(8))
    page = f"<div class='a'><table><tr><th>a</th><th>b</th><th>kind</th></tr>{rows}</table><br></div>"
    assert read_table(page.encode(), "t.html").columns == ("a", "b", "kind")


def plans(n_permits=(0, 3, 1, 0)):
    """Records with a list of others each, of which some are empty."""
    permits = [[{"status": "xy"[k % 2], "units": k + j, "key": j} for k in range(n)] for j, n in enumerate(n_permits)]
    return json.dumps({f"p{j}": {"error": "", "permits": each} for j, each in enumerate(permits)}).encode()


def test_a_list_in_each_record_can_be_chosen_in_place_of_the_records():
    table = read_table(plans(), "t.json")  # of as many fields
    assert (table.columns, table.n_rows) == (("key", "error"), 4)
    assert (table.sheets, table.sheet) == (("outer records", "permits"), "outer records")
    assert table.notes == ("Lists of records: 'permits'; 'outer records' was read. Another can be chosen as 'Sheet'.",)
    table = read_table(plans(), "t.json", sheet="permits")
    assert (table.columns, table.n_rows) == (("key", "error", "status", "units", "permits.key"), 4)
    assert (table.row(0), table.row(3)) == (("p1", "", "x", "1", "1"), ("p2", "", "x", "2", "2"))
    wide = plans().replace(b'"units"', b'"area": 1, "units"')
    assert read_table(wide, "t.json").sheet == "permits"
    fewer = plans((0, 2, 1, 0)).replace(b'"units"', b'"area": 1, "units"')
    assert read_table(fewer, "t.json").sheet == "outer records"
    table = read_table(plans((2, 3, 3, 0)), "t.json")  # twice as many as records
    assert (table.sheet, table.n_rows) == ("permits", 8)
    assert read_table(plans((2, 3, 3, 0)), "t.json", sheet="outer records").n_rows == 4
    assert table.notes[0].endswith("'permits' was read. Another can be chosen as 'Sheet'. 1 record holds none of it.")


def test_of_several_lists_in_several_records_none_is_taken_unasked():
    records = [{"town": k, "flats": [{"fee": k}] * 3, "houses": [{"rooms": j} for j in range(5)]} for k in range(4)]
    table = read_table(json.dumps(records).encode(), "t.json")
    assert (table.columns, table.n_rows, table.sheets) == (("town",), 4, ("outer records", "flats", "houses"))
    table = read_table(json.dumps(records).encode(), "t.json", sheet="flats")
    assert (table.columns, table.n_rows) == (("town", "fee"), 12)


def test_the_longest_list_in_a_single_record_is_read():
    tracks = "".join(f'<TRACK id="{k}" genre="{"xy"[k % 2]}"><TEMPO bpm="{k}"/></TRACK>' for k in range(8))
    lists = "".join(f'<NODE name="n{k}"><TRACK key="{k}"/></NODE>' for k in range(3))
    data = f'<MUSIC v="1"><COLLECTION>{tracks}</COLLECTION><LISTS>{lists}</LISTS></MUSIC>'.encode()
    table = read_table(data, "t.xml")
    assert (table.columns, table.n_rows) == (("v", "id", "genre", "TEMPO.bpm"), 8)
    assert table.sheets == ("outer records", "COLLECTION.TRACK", "LISTS.NODE")
    assert read_table(data, "t.xml", sheet="LISTS.NODE").columns == ("v", "name", "TRACK.key")


def test_ranges_of_attributes_and_what_keel_says_of_these_are_no_part_of_arff():
    head = "@relation t\n@attribute a real [1.5, 9.5]\n@attribute b integer[0,4]\n@attribute kind {x, y}\n"
    rows = "".join(f"{k}.5, {k % 5}, {'xy'[k % 2]}\n" for k in range(8))
    table = read_table(f"{head}@inputs a, b\n@outputs kind\n@data\n{rows}".encode(), "t.dat")
    assert (table.columns, table.row(3)) == (("a", "b", "kind"), ("3.5", "3", "y"))


def test_lists_of_records_with_the_same_fields_are_one_with_their_keys():
    lists = {kind: [{"a": k, "b": k * k % 3} for k in range(n)] for kind, n in (("x", 4), ("y", 5))}
    table = read_table(json.dumps({"n": 9, **lists}).encode(), "t.json")
    assert (table.columns, table.n_rows) == (("key", "a", "b"), 9)
    assert table.cells.column("key").to_pylist() == ["x"] * 4 + ["y"] * 5
    assert "Left out beside the records: n." in table.notes
    lists["y"][0]["c"] = 1
    assert read_table(json.dumps(lists).encode(), "t.json").columns == ("a", "b", "c")


def test_the_names_of_rows_may_stand_deeper_than_these():
    columns = [{"name": name, "top": [{"item": k} for k in range(9)]} for name in ("height", "kind")]
    content = {"meta": {"view": {"columns": columns}}, "data": [[k, "uv"[k % 2]] for k in range(12)]}
    table = read_table(json.dumps(content).encode(), "t.json")
    assert (table.columns, table.n_rows) == (("height", "kind"), 12)
    assert "Left out beside the records: meta." in table.notes
    content["data"][3].append(1)
    assert read_table(json.dumps(content).encode(), "t.json").columns != ("height", "kind")


def test_a_brace_right_behind_the_name_of_an_attribute_opens_its_values():
    head = "@relation t\n@attribute a real\n@attribute RUM{3,2}\n@attribute kind{x,y}\n@data\n"
    rows = "".join(f"{k}.5, {2 + k % 2}, {'xy'[k % 2]}\n" for k in range(8))
    assert read_table((head + rows).encode(), "t.arff").row(3) == ("3.5", "3", "y")

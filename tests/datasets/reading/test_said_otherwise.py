"""Encodings, marks and missing words: what was detected is told, and what a person says counts instead."""

import numpy as np
import pytest

from datasets.base.errors import DataError
from datasets.columns import build_dataset
from datasets.reading import (
    Detected,
    ReadOptions,
    bare_number,
    encoding_question,
    is_missing,
    missing_words,
    read_table,
)
from datasets.reading.numerals import decimal_mark
from tests.datasets.planned import column_plan

TEXT = "a;b;label\n1,5;2;x\n2,5;?;y\n3,5;NA;x\n4,5;-999;y\n5,5;7;x\n"


def load(text, **options):
    table = read_table(text.encode(), "t.csv", ReadOptions(**options))
    return build_dataset(table, column_plan(table, label="label"))


@pytest.mark.parametrize(
    ("data", "detected"),
    [
        (TEXT.encode(), Detected("utf-8", ";", 1, 0, "LF")),
        (b"\xef\xbb\xbf" + TEXT.replace("\n", "\r\n").encode(), Detected("utf-8-sig", ";", 1, 0, "CRLF")),
        (TEXT.replace("\n", "\r").encode("utf-16"), Detected("utf-16", ";", 1, 0, "CR")),
        (b"# one\n# two\n" + TEXT.replace(";", "\t").encode(), Detected("utf-8", "\t", 1, 2, "LF")),
        (b"1,2,0\n3,4,1\n", Detected("utf-8", ",", 0, 0, "LF")),
    ],
)
def test_what_was_detected_is_told(data, detected):
    assert read_table(data, "t.csv").detected == detected


def test_missing_words_of_the_table_and_those_added():
    table = read_table(TEXT.encode(), "t.csv")
    assert missing_words(table) == ("?", "NA")
    assert build_dataset(table, column_plan(table)).n_samples == 3
    longer = TEXT + "6,5;3;y\n7,5;4;x\n8,5;9;y\n"
    dataset = load(longer, missing=("-999", " 7 "))
    np.testing.assert_array_equal(dataset.X, [[1.5, 2], [6.5, 3], [7.5, 4], [8.5, 9]])
    assert "2 cells that say '-999' or '7' count as missing." in dataset.notes


def test_usual_missing_words_in_any_case_and_no_others():
    assert all(
        map(is_missing, ["", "?", "na", "Na", "N/A", "NaN", "NULL", "None", "NONE", "-", "_", ".", "<NA>", "NaT"])
    )
    assert all(map(is_missing, ["#N/A", "#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!", "#NULL!"]))  # of spreadsheets
    assert is_missing("\\N")  # of databases
    assert not any(map(is_missing, ["NAT", "nat"]))  # natural
    assert all(map(is_missing, [":", "..", "...", "*", "\u2013", "\u2014"]))  # of statistical offices
    assert all(map(is_missing, ["--", "---"]))
    assert not any(map(is_missing, ["0", "no", "missing", "----", "n a", "::", "NAN "]))


@pytest.mark.parametrize(
    ("cell", "options", "number"),
    [
        ("1.234", {}, 1.234),
        ("1.234.567,5", {"thousands": "."}, 1234567.5),
        ("1,234", {}, 1.234),
        ("1,234", {"decimal": "."}, 1234.0),
        ("1,234", {"thousands": ","}, 1234.0),
        ("1 234", {}, 1234.0),
        ("1'234.5", {"thousands": "'"}, 1234.5),
        ("1’234", {"thousands": "'"}, 1234.0),
    ],
)
def test_34_thousands_mark_as_it_is_said(cell, options, number):
    text = f"a;label\n{cell};x\n2;y\n3;x\n4;y\n"
    assert load(text, separator=";", **options).X[0, 0] == number


@pytest.mark.parametrize(
    ("cell", "options"),
    [("1,234", {"thousands": ""}), ("1 234", {"thousands": ","}), ("1'234", {"thousands": " "})],
)
def test_34_grouping_by_another_mark_than_said_is_no_number(cell, options):
    dataset = load(f"a;label\n{cell};x\n2;y\n3;x\n4;y\n", decimal=".", **options)
    assert dataset.X[:, 0].tolist() == [2, 3, 4]
    assert "1 cell that is not a usable number counts as missing (the first on line 2" in " ".join(dataset.notes)


def test_marks_that_cannot_be_are_one_sentence():
    with pytest.raises(DataError, match="The comma cannot be both the decimal and the thousands mark"):
        load(TEXT, decimal=",", thousands=",")


@pytest.mark.parametrize(
    ("cells", "doubtful"),
    [
        (("1,234", "2,500"), "1,234"),
        (("1,234", "2,5"), ""),
        (("0,234", "1,500"), ""),
        (("1.234", "12.500"), "1.234"),
    ],
)
def test_34_marks_that_could_be_either_are_told(cells, doubtful):
    text = "a;label\n" + "".join(f"{cell};x\n" for cell in cells)
    assert read_table(text.replace(",", ".").replace(";", ",").encode(), "t.csv").detected.doubtful == ""
    table = read_table(text.encode(), "t.csv")
    assert table.detected.doubtful == doubtful
    assert ("could as well be thousands" in " ".join(table.notes)) == bool(doubtful)
    assert read_table(text.encode(), "t.csv", ReadOptions(decimal=table.decimal)).detected.doubtful == ""


@pytest.mark.parametrize(
    ("cell", "bare"),
    [
        ("$1,200.50", "1,200.50"),
        ("-$5", "-5"),
        ("€ -5,50", "-5,50"),
        ("1\u00a0000,5\u00a0€", "1\u00a0000,5"),
        ("CHF 5'100.00", "5'100.00"),
        ("−7 %", "-7"),
        ("1٬204٫5", "1204.5"),
        ("12 kr.", "12"),
        ("31.6 ]", "31.6"),
        ("7 )", "7"),
        ("7)", "7)"),
        ("*-6,913", "-6,913"),
        ("† 8", "8"),
        ("*see 4", "*see 4"),
        ("12 kg", "12 kg"),
        ("price in €", "price in €"),
    ],
)
def test_signs_around_a_number_are_taken_off_and_nothing_else(cell, bare):
    assert bare_number(cell) == bare


@pytest.mark.parametrize(
    ("cells", "separator", "mark"),
    [
        (["1.100,00", "2.300,05"], "\t", ","),
        (["1,100.00", "2,300.05"], "\t", "."),
        (["1.100.200", "7"], ";", ","),
        (["1 100,5 €", "3 €"], ";", ","),
        (["1,5", "2,25"], ",", ","),  # quoted
        (["1,5", "2,3", "1,3,5"], ",", "."),  # the codes of answers
        (["1", "0,5", "2,5", "3,5"], "\t", ","),
        (["1,234", "2,500"], ",", "."),  # quoted thousands
        (["20,3 °C", "1,015 bar"], ";", ","),  # of a sensor, with units
        (["5,5 apples", "1.5"], ";", "."),
        ([], ";", "."),
        (["1,234", "22,500", "7"], ";", "."),  # beside plain numbers below 1000
        (["1,234", "22,500", "7000"], ";", ","),
        (["1.234", "22.500", "7"], ",", ","),
        (["1.234", "22.500", "0"], ";", "."),  # 0 is written alike in both
        ([*["1.234", "22.500"] * 50, "7"], ";", "."),  # a number that lost its zeros
        ([*["1.234", "22.500"] * 50, *"789"], ";", ","),
        (["1.234", "2.500", "1.25", "7"], ",", "."),  # rounded to three decimals
        (["$1,234", "$22,500"], ";", "."),  # money has no three decimals
        (["1,234", "22,500"], "\t", "."),
        (["0,234", "22,500"], "\t", ","),
    ],
)
def test_the_decimal_mark_is_the_one_that_explains_more_cells(cells, separator, mark):
    assert decimal_mark([cells], separator)[0] == mark


def test_grouped_cells_count_by_their_column_and_from_all_rows():
    assert decimal_mark([["1,234"] * 9, ["1.5"]], "\t") == (".", "")
    assert decimal_mark([["1,234"] * 9, ["1,5"]], "\t") == (",", "")
    assert decimal_mark([["599.994", "3,995.383"]], "\t") == (".", "")  # of the IMF
    rows = "".join(f"{k},{100 + k};x\n" for k in range(1, 3000)) + "1,5;y\n" * 30
    assert read_table(("a;label\n" + rows).encode(), "t.csv").decimal == ","
    table = read_table(b"a\tlabel\n1,234\tx\n22,500\ty\n", "t.tsv")
    assert (table.decimal, table.detected.doubtful) == (".", "1,234")
    assert any("were read as thousands, but could as well be decimals" in note for note in table.notes)


def test_quotes_inside_a_quoted_cell_are_parts_of_it_where_a_separator_shows_its_end():
    data = b'a,b,label\n1,"the "x" ""one""",u\n2,"",v\n"3","say "no"",u\n4,"5","w"\n'
    table = read_table(data, "t.csv")
    assert table.rows == [("1", 'the "x" "one"', "u"), ("2", "", "v"), ("3", 'say "no"', "u"), ("4", "5", "w")]
    said = "Quotes inside a quoted cell that are not doubled were taken as parts of it (lines 2, 4)."
    assert said in table.notes
    assert said not in read_table(b'a,b,label\n1,"the ""x"" one",u\n2,w,v\n', "t.csv").notes


def test_a_quote_whose_cell_ends_nowhere_is_named_with_its_line():
    with pytest.raises(DataError, match="line 2: a quote stands inside a quoted cell, where it must be doubled"):
        read_table(b'a,label\n1,"the "x" one\n2,y\n', "t.csv")
    with pytest.raises(DataError, match="line 2: a quote stands inside a quoted cell, where it must be doubled"):
        read_table(b'a,label\n1,"the\n"x" one"\n2,y\n', "t.csv")
    with pytest.raises(DataError, match="line 2: a cell is longer than"):
        read_table(b'a,label\n1,"' + b"x" * 200_000 + b'"\n2,y\n', "t.csv")


TEXTS = {
    "gb18030": [
        "类别,温度\n苹果,3\n香蕉,4\n",
        "姓名,性别\n张伟,男\n王芳,女\n",
        "品种,长度\n大豆,2\n小麦,3\n",
        "学号,姓名\n1,赵钱\n2,李周\n",
    ],
    "big5": ["類別,溫度\n蘋果,3\n香蕉,4\n", "姓名,性別\n張偉,男\n王芳,女\n", "編號,姓名,體重\n1,陳美玲,50\n"],
    "shift-jis": ["種類,温度\nりんご,3\nバナナ,4\n", "名前,性別\n田中,男\n山田,女\n", "色,a\n赤,1\n"],
    "euc-kr": ["종류,온도\n사과,3\n바나나,4\n", "이름,성별\n김철수,남\n이영희,여\n"],
    "cp1251": ["Имя,Класс\nИван,да\nПётр,нет\n", "рост,пол\n180,м\n170,ж\n175,муж\n", "КЛАСС,a\nда,1\nнет,2\n"],
    "cp1250": [
        "Płeć;Wiek\nMężczyzna;3\nKobieta;4\nDużo pracy;5\n",
        "ręka;ręce\nmęża;węża\nosób;mówić\nże też;łóżko\nżona;była\nmoże;mówi\n",
        "DZIAŁ;STAŻ;WIEK\nIT;2;64\nHR;3;55\n",
        "Město;Třída\nČeská Třebová;špatně\nBrno;dobře\n",
    ],
    "iso8859-2": ["Płeć;Wiek\nMężczyzna;3\nKobieta;ś\nDużo pracy ąś;5\n"],
    "cp1254": ["şehir;yaş\nİstanbul;ağır\nIğdır;düşük\nMuş;çok\n"],
    "cp1253": ["Περιοχή,Πληθυσμός\nΑθήνα,3\nΘεσσαλονίκη,4\nΠάτρα και άλλα,5\n"],
    "koi8-r": ["Имя,Класс,город\nИван,да,Москва\nПётр,нет,Санкт-Петербург\n"],
    "cp866": ["Имя,Класс,город\nИван,да,Москва\nПётр,нет,Санкт-Петербург\n"],
    "cp1252": [
        "année;qualité;été\nélevée;très bon;où\ncôté;forêt;çà\n",
        "ação;não\nsaúde;três\npõe;água\n",
        "città;perché\npiù;così\nè;lunedì\n",
        "kind;a\nsss;1\nššš;2\npas;3\n",
        "a µg/l;b µg/l;c µg/l;d µg/l;e µg/l\n1;2;3;4;5\n2;2;3;4;7\n",
        "größe,art\nsüß,3\nherb,4\n",
        "COST IN GB£;A\nUSD¥;2\n3£;4\n",
        "año,señal\n1,niño\n",
        "Åre,Mälaren\n1,2\n",
    ],
}


@pytest.mark.parametrize(("encoding", "text"), [(name, text) for name, texts in TEXTS.items() for text in texts])
def test_detected(encoding, text):
    table = read_table(text.encode(encoding), "t.csv")
    assert table.detected.encoding == encoding
    assert ",".join(table.columns) == text.split("\n")[0].replace(";", ",")
    question = encoding_question(table, ReadOptions())
    if question is not None:
        assert question.answers[0].options.encoding == encoding
        assert question.answers[0].preview.startswith(text.split("\n")[0])


def test_a_doubtful_one_asks_with_previews():
    # Two bytes that are a Korean syllable and a common Chinese character as well.
    data = "a,b\n김,1\n철,2\n".encode("euc-kr")
    table = read_table(data, "t.csv")
    question = encoding_question(table, ReadOptions())
    assert question is not None
    encodings = [answer.options.encoding for answer in question.answers]
    assert encodings[0] == table.detected.encoding
    assert {"euc-kr", "gb18030"} <= set(encodings)
    for answer in question.answers:
        again = read_table(data, "t.csv", answer.options)
        assert again.rows[0][0] in answer.preview
        assert encoding_question(again, answer.options) is None
    assert "doubtful" in " ".join(table.notes)


@pytest.mark.parametrize(
    ("encoding", "codec", "rare"), [("shift-jis", "cp932", "№"), ("euc-kr", "cp949", "똠"), ("big5", "cp950", "€")]
)
def test_characters_that_only_windows_has(encoding, codec, rare):
    text = TEXTS[encoding][0] + f"{rare},5\n"
    for options in (None, ReadOptions(encoding=encoding)):
        table = read_table(text.encode(codec), "t.csv", options)
        assert (table.detected.encoding, table.rows[-1]) == (encoding, (rare, "5"))


def test_each_encoding_that_is_offered_can_be_chosen():
    data = "a,b\nё,1\nИван,2\n\u0403\u0452,3\n".encode("cp1251")
    assert b"\x81" in data  # none of Windows-1252
    table = read_table(data, "t.csv", ReadOptions(encoding="cp1252"))
    assert table.n_rows == 3
    assert "2 characters are none of its (the first on line 4)" in " ".join(table.all_notes)


@pytest.mark.parametrize(("encoding", "asked"), [("gb18030", False), ("euc-kr", True)])
def test_a_greek_letter_alone_is_read_and_asked_where_it_could_be_latin_letters(encoding, asked):
    table = read_table("Flow,ΔPcham\n1,2\n2,3\n3,5\n".encode(encoding), "t.csv")
    assert table.columns == ("Flow", "ΔPcham")
    assert (encoding_question(table, ReadOptions()) is not None) == asked


def test_indents_of_hard_blanks_are_no_chinese():
    text = "cause;rate;kind\n" + "".join(f"\xa0\xa0\xa0\xa0part {k};{k}.5;{'uv'[k % 2]}\n" for k in range(9))
    table = read_table(text.encode("cp1252"), "t.csv")
    assert (table.detected.encoding, table.detected.encodings) == ("cp1252", ())


@pytest.mark.parametrize(
    ("cell", "encoding"), [("Universe?梧", "cp1252"), ("梧,梧", "cp1252"), ("国", "shift-jis"), ("梧桐", "shift-jis")]
)
def test_a_single_rare_letter_decides_nothing(cell, encoding):
    text = f"name,{cell},kind\n" + "yes,no,maybe\n" * 30
    assert read_table(text.encode("shift-jis"), "t.csv").detected.encoding == encoding


def test_utf_8_is_never_asked():
    table = read_table("a,b\n苹果,1\n김,2\n".encode(), "t.csv")
    assert (table.detected.encoding, table.detected.encodings) == ("utf-8", ())


@pytest.mark.parametrize(("end", "encoding"), [("\r", "mac-roman"), ("\r\n", "cp1252"), ("\r\n", "mac-roman")])
def test_letters_of_an_old_macintosh_are_told_by_the_ends_of_lines_and_by_words(end, encoding):
    names = ["Québec", "Montréal", "Trois-Rivières", "Chibougamau", "Île d'Anticosti"]
    rows = [f"{names[k % 5]};{k}.5;{'uv'[k % 2]}" for k in range(30)]
    data = end.join(["place;depth;kind", *rows]).encode(encoding)
    table = read_table(data, "t.csv")
    assert (table.detected.encoding, table.rows[4][0]) == (encoding, "Île d'Anticosti")


def test_accented_letters_that_a_chinese_program_wrote_in_two_bytes_are_read_as_such():
    lines = ["name,size,kind", *(f"Andalucía {k},{k},{'uv'[k % 2]}" for k in range(12))]
    table = read_table("\n".join(lines).encode("gb18030"), "t.csv")
    assert table.detected.encoding == "gb18030"
    assert table.cells.column("name")[0].as_py() == "Andalucía 0"

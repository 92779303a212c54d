"""East Asian files are read right or ask with a preview; Western ones stay Windows-1252."""

from __future__ import annotations

import pytest

from datasets.reading import ReadOptions, encoding_question, read_table

TEXTS = {
    "gb18030": ["类别,温度\n苹果,3\n香蕉,4\n", "姓名,性别\n张伟,男\n王芳,女\n", "品种,长度\n大豆,2\n小麦,3\n"],
    "big5": ["類別,溫度\n蘋果,3\n香蕉,4\n", "姓名,性別\n張偉,男\n王芳,女\n"],
    "shift-jis": ["種類,温度\nりんご,3\nバナナ,4\n", "名前,性別\n田中,男\n山田,女\n", "色,a\n赤,1\n"],
    "euc-kr": ["종류,온도\n사과,3\n바나나,4\n", "이름,성별\n김철수,남\n이영희,여\n"],
    "cp1251": ["Имя,Класс\nИван,да\nПётр,нет\n", "рост,пол\n180,м\n170,ж\n175,муж\n", "КЛАСС,a\nда,1\nнет,2\n"],
    "cp1252": [
        "größe,art\nsüß,3\nherb,4\n",
        "café,thé\n1,2\n",
        "año,señal\n1,niño\n",
        "a,°C\n1,5\n",
        "Åre,Mälaren\n1,2\n",
        "à,è\nÉÈ,où\n",
    ],
}


@pytest.mark.parametrize(("encoding", "text"), [(name, text) for name, texts in TEXTS.items() for text in texts])
def test_detected(encoding, text):
    table = read_table(text.encode(encoding), "t.csv")
    assert table.detected.encoding == encoding
    assert ",".join(table.columns) == text.split("\n")[0]
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


def test_utf_8_is_never_asked():
    table = read_table("a,b\n苹果,1\n김,2\n".encode(), "t.csv")
    assert (table.detected.encoding, table.detected.encodings) == ("utf-8", ())

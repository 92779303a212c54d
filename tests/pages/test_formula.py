"""Formulas as HTML: every symbol can be focused and says its meaning; nothing in one is markup."""

from html.parser import HTMLParser

import pytest

from lessons.base import material as formulas
from lessons.base.material import FORMULAS, Symbol
from pages.controls.lessons import formula_html


class Reader(HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags, self.text, self.described, self.ids = [], "", [], []

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self.tags.append(tag)
        self.ids += [given["id"]] if "id" in given else []
        if given.get("class") == "symbol":
            self.described.append((given["tabindex"], given["aria-describedby"]))

    def handle_data(self, data):
        self.text += data


@pytest.mark.parametrize("key", list(FORMULAS))
def test_every_symbol_can_be_asked(key):
    reader = Reader()
    reader.feed(formula_html(key))
    symbols = [part for part in formulas.formula_parts(key) if isinstance(part, Symbol)]
    assert len(reader.described) == len(symbols)
    assert [tab for tab, _ in reader.described] == ["0"] * len(symbols)
    assert [name for _, name in reader.described] == reader.ids
    assert len(set(reader.ids)) == len(reader.ids)
    for symbol in symbols:
        assert symbol.meaning in reader.text


def test_nothing_in_a_formula_is_markup(monkeypatch):
    monkeypatch.setitem(FORMULAS, "odd", "<b>{odd}</b>")
    monkeypatch.setitem(formulas.SYMBOLS, "odd", Symbol("<i>", "<script>", "<u>"))
    reader = Reader()
    reader.feed(formula_html("odd"))
    assert {"b", "script", "u"}.isdisjoint(reader.tags)

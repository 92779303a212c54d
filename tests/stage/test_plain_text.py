"""Users' words stay words: what Markdown, LaTeX, icons or directions could make of a name is written out."""

import re

import pytest

from stage.plain_text import as_text, visible

JOINER = "\u2060"  # is not seen


@pytest.mark.parametrize(
    "hostile",
    ["![x](http://evil/p.png)", "<img src=x onerror=alert(1)>", "$x^2$", ":smile:", "# title", "a_b*c*"],
)
def test_every_special_character_is_escaped(hostile):
    escaped = as_text(hostile)
    assert escaped.replace("\\", "").replace(JOINER, "") == hostile
    for index, character in enumerate(escaped):
        if character in "![]()<>$:#*_":
            assert escaped[index - 1] == "\\"


@pytest.mark.parametrize("address", ["http://evil.test", "HTTPS://evil.test", "www.evil.test", "a@evil.test"])
def test_addresses_are_broken_up_so_that_no_link_is_made(address):
    broken = as_text(address).replace("\\", "")
    assert broken.replace(JOINER, "") == address
    assert not re.search(r"https?://|www\.|\w@\w", broken, re.IGNORECASE)


def test_directions_and_controls_are_shown_as_code_points():
    assert visible("abc\u202egpj") == "abc\\u202egpj"
    assert visible("a\nb\x00") == "a\\u000ab\\u0000"
    assert visible("a\u2028b\u3164") == "a\\u2028b\\u3164"  # a line separator, and a letter without a shape
    assert visible("a\u200db") == "a\\u200db"


def test_ordinary_words_of_any_language_stay():
    for words in ("Größe 東京 é", "\u0645\u06cc\u200c\u062e", "\U0001f469\u200d\U0001f52c", "\u0915\u094d\u200d\u0937"):
        assert visible(words) == words  # joiners are part of Persian and Indic words and of emoji

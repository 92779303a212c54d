"""The font of pictures that are drawn on the server."""

from __future__ import annotations

import pytest

from export import font as font_module
from export.font import font


@pytest.mark.parametrize(("one", "other"), [("Ж", "Ш"), ("λ", "π"), ("ł", "ñ"), ("K̂", "K")])
def test_letters_of_several_alphabets_are_no_boxes(one, other):
    assert bytes(font(13).getmask(one)) != bytes(font(13).getmask(other))


def test_where_it_has_gone_pillow_s_own_is_taken(monkeypatch):
    monkeypatch.setattr(font_module, "_FILE", "nowhere/*.woff2")
    font.cache_clear()
    assert font(13).getlength("iteration") > 20
    font.cache_clear()

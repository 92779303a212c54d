"""Shares as people read them."""

from __future__ import annotations

from datasets.base.percent import percent


def test_a_share_keeps_its_sign_in_the_line():
    assert percent(0.256) == "26\N{NO-BREAK SPACE}%"
    assert percent(1 / 3, 1) == "33.3\N{NO-BREAK SPACE}%"

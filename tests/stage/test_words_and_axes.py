"""How the stage writes names and chooses the ticks of its charts."""

from __future__ import annotations

import pytest

from tests.stage.javascript import run


@pytest.mark.parametrize(
    ("values", "chart", "texts"),
    [
        ([4.76, 37.0], {"bounds": [1, None], "from": 1}, ["1", "20", "40"]),
        ([1.01, 6.5], {"bounds": [1, None], "from": 1}, ["1", "2", "4", "6", "8"]),
        ([0.909, 1.0], {"bounds": [0, 1]}, ["0.90", "0.95", "1.00"]),
        ([0.5, 0.5], {"bounds": [0, 1]}, None),
        ([-123.0, -40.0], {"bounds": [None, None]}, ["-150", "-100", "-50", "0"]),
        ([-3.2e6, -1.1e6], {"bounds": [None, None]}, None),
        (None, {"bounds": [0, 1]}, ["0.0", "0.5", "1.0"]),
        (None, {"bounds": [1, None], "from": 1}, ["1", "5", "10"]),
        ([40, 50], {"bounds": [1, None], "from": 1}, ["1", "20", "40", "60"]),
    ],
)
def test_ticks_are_round_and_the_axis_holds_the_values(values, chart, texts):
    axis = run(
        """async ([values, chart]) => {
          const { axisOf } = await import("./curves.js");
          const [least, most] = chart.bounds;
          return axisOf(values, { ...chart, bounds: [least ?? -Infinity, most ?? Infinity] });
        }""",
        [values, chart],
    )
    assert axis["low"] < axis["high"]
    if values:
        assert axis["low"] <= values[0]
        assert axis["high"] >= values[1]
    assert 2 <= len(axis["ticks"]) <= 7
    assert axis["low"] == pytest.approx(axis["ticks"][0])
    assert axis["high"] == pytest.approx(axis["ticks"][-1])
    assert len(set(axis["texts"])) == len(axis["texts"])
    if chart.get("from"):
        assert axis["ticks"][0] == 1
    if texts:
        assert axis["texts"] == texts


def test_names_keep_their_ends_and_hide_nothing():
    """Long names with one beginning stay apart; characters that cannot be seen are written out."""
    long = "a very long beginning that both of these classes share, "
    names = [long + "first", "short", "a\u200bb\u202ec", "\u0645\u06cc\u200c\u062e"]
    halves, visible = run(
        """async (names) => {
          const { inTwo, visibleName } = await import("./text.js");
          return [names.map(inTwo), names.map(visibleName)];
        }""",
        names,
    )
    assert halves[0][1].endswith("first")
    assert ["".join(half) for half in halves] == names
    assert visible[2:] == ["a[U+200B]b[U+202E]c", names[3]]  # the joiner is part of a Persian word

"""What the browser reports: of the scene that is shown, in rows as they were before thinning; nonsense is unset."""

from types import SimpleNamespace

import numpy as np
import pytest

from stage import streamlit_host
from stage.streamlit_host import ViewState


@pytest.fixture
def reported(monkeypatch):
    """A function: (what `live_stage` makes of what the browser sent, what it gave to the browser)."""

    def of(**sent):
        names = {"selection": "selection", "point": "pinned", "grabbed": "grabbed", "view": "view"}
        answer = SimpleNamespace(**{name: sent.pop(key, None) for name, key in names.items()})
        given = {}
        monkeypatch.setattr(streamlit_host, "_stage", lambda **options: given.update(options) or answer)
        space = SimpleNamespace(token="t", shown=SimpleNamespace(version=3, rows=np.array([4, 9, 11, 30])), runs={})
        return streamlit_host.live_stage(space, key="k", **sent), given

    return of


SELECTIONS = [
    ({"scene": 3, "indices": [0, 2, 3], "total": 3}, (4, 11, 30), 3),
    ({"scene": 3, "indices": [1], "total": 7000}, (9,), 7000),
    ({"scene": 3, "indices": [-1, 1, 4, 99], "total": 1}, (9,), 1),
    ({"scene": 3, "indices": [0, "1", None, np.nan, 1e300, [2], True, 2], "total": None}, (4, 9, 11), 3),
    ({"scene": 2, "indices": [0], "total": 1}, (), 0),
    ({"scene": 3, "indices": 7, "total": "many"}, (), 0),
    *((nonsense, (), 0) for nonsense in (None, 5, "x", [1], {"scene": 3})),
]
VIEWS = [
    ({"scene": 3, "iteration": 4, "hidden": [1, 2], "same": True}, ViewState(4, frozenset({1, 2}), True)),
    (
        {"scene": 3, "iteration": None, "held": {"nca": [2, 5], "nca-2": [1], "pca": "x", "lda": [1, "y"]}},
        ViewState(held={"nca": (2, 5), "lda": (1, -1)}),
    ),
    ({"scene": 2, "iteration": 4, "hidden": [1], "same": True}, ViewState()),
    ({"scene": 3, "iteration": -1, "hidden": ["x"], "same": "yes", "held": [4]}, ViewState()),
    *((nonsense, ViewState()) for nonsense in (None, 5, {"scene": 3})),
]
PINNED = [
    ({"scene": 3, "wish": 5, "index": 2}, 11),
    ({"scene": 3, "wish": 5, "index": -1}, -1),  # released
    ({"scene": 3, "wish": 4, "index": 2}, None),  # pressed before the page asked for another one
    ({"scene": 2, "wish": 5, "index": 2}, None),
    (None, None),
]
GRABBED = [
    ({"scene": 3, "panel": "nca", "frame": [1, 2.5]}, ("nca", (1.0, 2.5))),
    *(({"scene": scene, "panel": "nca", "frame": [1, odd]}, None) for scene, odd in ((2, 2.5), (3, np.nan))),
    ({"scene": 3, "panel": "nca", "frame": ["x"]}, None),
    (None, None),
]


def test_what_is_reported_is_of_the_scene_that_is_shown(reported):
    for sent, rows, total in SELECTIONS:
        state, _ = reported(selection=sent)
        assert (state.selection, max(state.selected_total, 0)) == (rows, total), sent
    for sent, view in VIEWS:
        assert reported(view=sent)[0].view == view, sent
    for sent, row in PINNED:
        assert reported(pinned=sent, point=(5, 30))[0].point == row, sent
    for sent, taken in GRABBED:
        assert reported(grabbed=sent)[0].grabbed == taken, sent


@pytest.mark.parametrize(
    ("wish", "heard"),
    [
        ({"panel": "nca", "what": "branch", "iteration": 12}, [("nca", "branch", 12)]),
        ({"panel": "nca", "what": "seed", "iteration": 0.0}, [("nca", "seed", 0)]),
        ({"panel": "nca", "what": "drop", "iteration": 1}, []),
        *(({"panel": "nca", "what": "branch", "iteration": at}, []) for at in (-1, 1_000_000, "3", None)),
        (None, []),
    ],
)
def test_what_the_browser_asks_for_is_heard_where_one_can_ask_for_it(monkeypatch, reported, wish, heard):
    said = []
    monkeypatch.setattr(streamlit_host.st, "session_state", {"k": {"action": wish}})
    _, given = reported(on_action=lambda *words: said.append(words))
    assert given["data"]["compares"] is True
    given["on_action_change"]()
    assert said == heard
    assert reported()[1]["data"]["compares"] is False


def test_rows_to_pin_and_to_select_are_given_as_they_are_shown(reported):
    for row, index in ((30, 3), (5, -1), (None, -1)):
        assert reported(point=(2, row))[1]["data"]["point"] == [2, index]
    assert reported(select=(7, [30, 9, 5]))[1]["data"]["select"] == [7, [1, 3]]
    assert reported()[1]["data"]["select"] is None

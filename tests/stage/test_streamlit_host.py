"""What the browser tells of a selection: only of the scene that is shown, and in rows as they were before thinning."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from stage import streamlit_host


@pytest.fixture
def told(monkeypatch):
    """A function: what `live_stage` makes of a selection that the browser sent."""

    def of(selection, version=3, pinned=None, grabbed=None, seen=None, **options):
        answer = SimpleNamespace(selection=selection, point=pinned, grabbed=grabbed, view=seen)
        monkeypatch.setattr(streamlit_host, "_stage", lambda **_: answer)
        space = SimpleNamespace(token="t", scene_version=version, shown_rows=np.array([4, 9, 11, 30]), runs={})
        return streamlit_host.live_stage(space, key="k", **options)

    return of


def test_rows_are_those_before_thinning(told):
    state = told({"scene": 3, "indices": [0, 2, 3], "total": 3})
    assert (state.selection, state.selected_total) == ((4, 11, 30), 3)


def test_of_many_some_are_named_and_all_are_counted(told):
    assert told({"scene": 3, "indices": [1], "total": 7000}).selected_total == 7000


def test_a_selection_of_another_scene_is_none(told):
    assert told({"scene": 2, "indices": [0], "total": 1}).selection == ()
    assert told(None).selection == ()


def test_points_that_are_not_there_do_not_count(told):
    assert told({"scene": 3, "indices": [-1, 1, 4, 99], "total": 1}).selection == (9,)


@pytest.mark.parametrize(
    ("seen", "heard"),
    [
        ({"scene": 3, "iteration": 4, "hidden": [1, 2], "same": True}, (4, {1, 2}, True)),
        ({"scene": 3, "iteration": None, "hidden": [], "same": False}, (None, set(), False)),
        ({"scene": 2, "iteration": 4, "hidden": [1], "same": True}, (None, set(), False)),
        ({"scene": 3, "iteration": -1, "hidden": ["x"], "same": "yes"}, (None, set(), False)),
        ({"scene": 3}, (None, set(), False)),
        ({"scene": 3, "held": [4]}, (None, set(), False)),
        (None, (None, set(), False)),
    ],
)
def test_what_is_seen_is_of_the_scene_that_is_shown(told, seen, heard):
    assert told(None, seen=seen).view == streamlit_host.ViewState(heard[0], frozenset(heard[1]), heard[2])


@pytest.mark.parametrize(
    ("wish", "heard"),
    [
        ({"panel": "nca", "what": "branch", "iteration": 12}, [("nca", "branch", 12)]),
        ({"panel": "nca", "what": "seed", "iteration": 0.0}, [("nca", "seed", 0)]),
        ({"panel": "nca", "what": "drop", "iteration": 1}, []),
        ({"panel": 3, "what": "again", "iteration": 1}, []),
        ({"panel": "nca", "what": "branch", "iteration": -1}, []),
        ({"panel": "nca", "what": "branch", "iteration": 1_000_000}, []),
        ({"panel": "nca", "what": "branch", "iteration": "3"}, []),
        ({"panel": "nca", "what": "branch"}, []),
        (None, []),
        ("branch", []),
    ],
)
def test_what_the_browser_asks_for_is_heard_where_one_can_ask_for_it(monkeypatch, wish, heard):
    given, said = {}, []
    answer = SimpleNamespace(selection=None, point=None, grabbed=None, view=None)
    monkeypatch.setattr(streamlit_host, "_stage", lambda **options: given.update(options) or answer)
    monkeypatch.setattr(streamlit_host.st, "session_state", {"k": {"action": wish}})
    space = SimpleNamespace(token="t", scene_version=3, shown_rows=np.array([4]), runs={})
    streamlit_host.live_stage(space, key="k", on_action=lambda *words: said.append(words))
    assert given["data"]["compares"] is True
    given["on_action_change"]()
    assert said == heard
    streamlit_host.live_stage(space, key="k")
    assert given["data"]["compares"] is False


@pytest.mark.parametrize(
    ("pinned", "row"),
    [
        ({"scene": 3, "wish": 5, "index": 2}, 11),
        ({"scene": 3, "wish": 5, "index": -1}, -1),  # let go
        ({"scene": 3, "wish": 5, "index": 99}, -1),
        ({"scene": 3, "wish": 4, "index": 2}, None),  # pressed before the page asked for another one
        ({"scene": 2, "wish": 5, "index": 2}, None),
        (None, None),
    ],
    ids=str,
)
def test_the_point_that_was_pressed_counts_until_the_page_asks_for_another(told, pinned, row):
    assert told(None, pinned=pinned, point=(5, 30)).point == row
    assert told({"scene": 3, "indices": [0], "total": 1}, pinned=pinned, point=(5, 30)).point == row


@pytest.mark.parametrize(
    ("grabbed", "taken"),
    [
        ({"scene": 3, "panel": "nca", "frame": [1, 2.5]}, ("nca", (1.0, 2.5))),
        ({"scene": 2, "panel": "nca", "frame": [1, 2.5]}, None),
        ({"scene": 3, "panel": "nca", "frame": [1, float("nan")]}, None),
        ({"scene": 3, "panel": "nca", "frame": ["x"]}, None),
        (None, None),
    ],
    ids=["taken", "another scene", "not a number", "a word", "nothing"],
)
def test_a_matrix_that_a_hand_moved_is_taken_where_it_is_one_of_this_scene(told, grabbed, taken):
    assert told(None, grabbed=grabbed).grabbed == taken


def test_the_point_to_pin_is_handed_on_as_it_is_shown(monkeypatch):
    given = {}
    answer = SimpleNamespace(selection=None, point=None, grabbed=None, view=None)
    monkeypatch.setattr(streamlit_host, "_stage", lambda **options: given.update(options) or answer)
    space = SimpleNamespace(token="t", scene_version=3, shown_rows=np.array([4, 9, 11, 30]), runs={})
    for row, index in ((30, 3), (5, -1), (None, -1)):
        streamlit_host.live_stage(space, key="k", point=(2, row))
        assert given["data"]["point"] == [2, index]


def test_rows_to_select_are_handed_on_as_they_are_shown(monkeypatch):
    given = {}
    monkeypatch.setattr(
        streamlit_host,
        "_stage",
        lambda **options: given.update(options) or SimpleNamespace(selection=None, point=None, grabbed=None, view=None),
    )
    space = SimpleNamespace(token="t", scene_version=3, shown_rows=np.array([4, 9, 11, 30]), runs={})
    streamlit_host.live_stage(space, key="k", select=(7, [30, 9, 5]))
    assert given["data"]["select"] == [7, [1, 3]]
    streamlit_host.live_stage(space, key="k")
    assert given["data"]["select"] is None


@pytest.mark.parametrize("nonsense", [5, "x", [1], {"scene": 3}, {"scene": 3, "indices": 7, "total": "many"}])
def test_what_no_stage_tells_is_passed_over(told, nonsense):
    state = told(nonsense, pinned=nonsense, grabbed=nonsense)
    assert state.selection == ()
    assert state.grabbed is None


def test_of_a_selection_only_whole_numbers_count(told):
    odd = [0, "1", None, float("nan"), 1e300, [2], True, 2]
    state = told({"scene": 3, "indices": odd, "total": None})
    assert state.selection == (4, 9, 11)
    assert state.selected_total == 3


def test_held_panels_are_named_with_run_and_snapshot(told):
    """Malformed pairs, and those of another scene, count as unset."""
    seen = {"scene": 3, "held": {"nca": [2, 5], "nca-2": [1], "pca": "x", "lda": [1, "y"]}}
    assert told(None, seen=seen).view.held == {"nca": (2, 5), "lda": (1, -1)}
    assert told(None, seen={**seen, "scene": 2}).view.held == {}

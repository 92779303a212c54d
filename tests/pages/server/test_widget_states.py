"""A value that no page sends is as good as none, for each kind of widget; what a page does send is taken as it is."""

from __future__ import annotations

import pytest
from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from streamlit.runtime.state import session_state
from streamlit.runtime.state.common import WidgetMetadata
from streamlit.runtime.state.session_state import WStates

from pages.server import widget_states

W = "$$ID-w"


@pytest.fixture(autouse=True)
def installed(monkeypatch):
    monkeypatch.setattr(session_state.WStates, "__getitem__", WStates.__getitem__)  # and as it was afterwards
    monkeypatch.setattr(session_state.WStates, "set_widget_from_proto", WStates.set_widget_from_proto)
    widget_states.install()
    widget_states.install()


def states(kind, deserializer=lambda value: value, **said):
    made = WStates()
    made.set_widget_from_proto(WidgetState(id=W, **said))
    made.set_widget_metadata(WidgetMetadata(W, deserializer, lambda value: value, kind))
    return made


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("double_value", {"string_value": "NaN"}),
        ("int_value", {"json_value": "[1]"}),
        ("json_value", {"json_value": '{"scene": 1'}),
    ],
)
def test_nonsense_counts_as_nothing_said(kind, said, caplog):
    there = states(kind, **said)
    assert [(widget, there[widget]) for widget in there] == [(W, None)]  # as a field that was emptied
    assert [each.WhichOneof("value") for each in there.as_widget_states()] == [None]
    assert len(caplog.records) == 1
    assert caplog.records[0].exc_info is None


def test_what_a_widget_cannot_make_sense_of_counts_as_nothing_said():
    assert states("int_value", deserializer=lambda value: None if value is None else 1 // value, int_value=0)[W] is None


def test_what_could_not_be_written_again_counts_as_nothing_said():
    there = states("double_value", deserializer=lambda value: None if value is None else "x", double_value=1.0)
    assert there[W] is None


def test_a_field_that_was_emptied_may_be_filled_again():
    there = states("double_value")
    assert there[W] is None
    there.set_widget_from_proto(WidgetState(id=W, double_value=2.0))
    assert there[W] == 2.0


@pytest.mark.parametrize(
    ("kind", "said", "taken"),
    [
        ("double_value", {"double_value": 2.5}, 2.5),
        ("json_value", {"json_value": '{"scene": 1}'}, {"scene": 1}),
        ("int_value", {}, None),  # a field that was emptied
    ],
)
def test_what_pages_send_is_taken(kind, said, taken):
    assert states(kind, **said)[W] == taken


def test_a_widget_that_is_not_there_yet_is_asked_for_later():
    made = WStates()
    made.set_widget_from_proto(WidgetState(id=W, int_value=3))
    with pytest.raises(KeyError):
        made[W]
    made.set_widget_metadata(WidgetMetadata(W, lambda value: value, lambda value: value, "int_value"))
    assert made[W] == 3


def test_what_is_of_no_widget_does_not_stand_among_what_a_page_has_put_there(caplog):
    there = session_state.SessionState()
    there.set_widgets_from_proto(WidgetStates(widgets=[WidgetState(id=f"d{W[1:]}", int_value=3)]))
    assert there.filtered_state == {}
    assert [each.exc_info for each in caplog.records] == [None]

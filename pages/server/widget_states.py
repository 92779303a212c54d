"""What a page says of its widgets: nonsense that none of ours sends counts as nothing said, and fails nowhere.

Streamlit takes any kind of value for any widget. Text for a slider, or what is no JSON, would raise far inside it, at
this rerun or at a later one.
"""

from __future__ import annotations

import logging
from typing import Any

_NUMBERS = "int_value", "double_value"
_log = logging.getLogger(__name__)


def install() -> None:
    """Look at each value where Streamlit unpacks it, which is one place for all widgets."""
    try:
        from streamlit.proto.WidgetStates_pb2 import WidgetState
        from streamlit.runtime.state.common import GENERATED_ELEMENT_ID_PREFIX
        from streamlit.runtime.state.session_state import STREAMLIT_INTERNAL_KEY_PREFIX, Serialized, WStates

        unpack, take = WStates.__getitem__, WStates.set_widget_from_proto
    except (ImportError, AttributeError):  # a version with other insides does without
        return
    if getattr(unpack, "refuses", False):
        return
    of_widgets = GENERATED_ELEMENT_ID_PREFIX, STREAMLIT_INTERNAL_KEY_PREFIX  # with which their ids begin

    def checked(states: WStates, widget: str) -> Any:
        said, known = states.states.get(widget), states.widget_metadata.get(widget)
        if not isinstance(said, Serialized) or known is None:
            return unpack(states, widget)
        try:
            if known.value_type in _NUMBERS and said.value.WhichOneof("value") not in (None, *_NUMBERS):
                raise TypeError("no number")
            value = unpack(states, widget)
            states.get_serialized(widget)  # as Streamlit will at a later rerun
            return value
        except Exception as error:
            _log.warning("A value was refused that no page of ours sends: %s", type(error).__name__)
            states.set_widget_metadata(known)
            states.states[widget] = Serialized(WidgetState(id=widget))  # and stays there: somebody may be counting
            return unpack(states, widget)

    def taken(states: WStates, said: WidgetState) -> None:
        if said.id.startswith(of_widgets):
            take(states, said)
        else:  # it would be looked up as if the page itself had put it there
            _log.warning("A value was refused that no page of ours sends: it is of no widget")

    checked.refuses = True  # type: ignore[attr-defined]
    own: Any = WStates
    own.__getitem__, own.set_widget_from_proto = checked, taken

"""How the setting of a widget is kept: keywords to hand it, as in `st.slider(..., **IN_ADDRESS)`."""

from __future__ import annotations

from typing import Any

# Streamlit forgets what a widget says as soon as a page without it is shown, unless it is kept with the session.
IN_SESSION: dict[str, Any] = {"persist_state": "session"}
# What belongs to a run stands in the address as well: a link opens the same one.
IN_ADDRESS: dict[str, Any] = {"bind": "query-params", **IN_SESSION}

"""How the setting of a widget that belongs to no recipe outlives its page: keywords to hand it."""

from __future__ import annotations

from typing import Any

# Streamlit forgets what a widget says as soon as a page without it is shown, unless it is kept with the session.
IN_SESSION: dict[str, Any] = {"persist_state": "session"}

"""A setting of Streamlit's is read without waiting for whoever else reads one.

A page asks for some seventy settings, each under one lock for all threads. Where a thread that holds it is held up
itself, while others compute, all pages stand behind it: beside a hundred trainings they waited for nothing longer.
"""

from __future__ import annotations

from typing import Any


def install() -> None:
    """Read what is there; where nothing is yet, and in a version with other insides, Streamlit sees to it."""
    from streamlit import config

    own: Any = config
    ask = own.get_option
    if getattr(ask, "at_once", False) or not isinstance(getattr(own, "_config_options", None), dict | None):
        return

    def get_option(key: str) -> Any:
        there = getattr(own, "_config_options", None)
        option = there.get(key) if there else None
        return ask(key) if option is None else option.value

    get_option.at_once = True  # type: ignore[attr-defined]
    own.get_option = get_option

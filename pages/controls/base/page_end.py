"""How a page ends before its last line: what stands below every page is still drawn, as it is not after `st.stop()`."""

from __future__ import annotations

from typing import NoReturn


class PageEnd(Exception):
    """The page has nothing more to show."""


def end_page() -> NoReturn:
    """End the page here."""
    raise PageEnd

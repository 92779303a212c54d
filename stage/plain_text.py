"""Users' words shown as words: nothing in a name or a cell becomes Markdown, HTML, LaTeX or a foreign image."""

import re
import unicodedata
from itertools import pairwise

_SPECIAL = re.compile(r"([\\`*_{}\[\]()#+\-.!|~$:<>&@/^=])")
# Streamlit's Markdown turns these into links; an invisible word joiner keeps them text.
_LINK = re.compile(r"(https?(?=://)|www(?=\.)|@)", re.IGNORECASE)
# What cannot be seen, such as a directional override, can make a name look like another; it is shown as its code point.
_UNSEEN, _FILLERS = {"Cc", "Cf", "Zl", "Zp"}, "\u115f\u1160\u3164"
_JOINERS = "\u200c\u200d"  # belong to words in Persian and Indic scripts, and to emoji
_JOINED = {"Mc", "Me", "Mn", "So"}


def visible(text: str) -> str:
    """`text` on one line, with characters that cannot be seen written out as \\uXXXX."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(c if _is_seen(c, before) else f"\\u{ord(c):04x}" for before, c in pairwise(f" {text}"))


def _is_seen(character: str, before: str) -> bool:
    if character in _JOINERS:
        return unicodedata.category(before) in _JOINED or unicodedata.name(before, "").startswith("ARABIC ")
    return unicodedata.category(character) not in _UNSEEN and character not in _FILLERS


def as_text(text: str) -> str:
    """`text` escaped so that Streamlit's Markdown shows exactly these characters."""
    return _SPECIAL.sub(r"\\\1", _LINK.sub("\\1\u2060", visible(text)))


def safe_markdown(text: str) -> str:
    """Markdown that Streamlit may render for strangers: images are shown as text, so that nothing is fetched.

    Streamlit escapes HTML and drops links that would run a script.
    """
    return re.sub(r"!(?=\[)", r"!\\", "\n".join(visible(line) for line in text.splitlines()))

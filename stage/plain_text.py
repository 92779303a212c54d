"""Users' words shown as words: nothing in a name or a cell becomes Markdown, HTML, LaTeX or a foreign image."""

import re
import unicodedata

_SPECIAL = re.compile(r"([\\`*_{}\[\]()#+\-.!|~$:<>&@/^=])")
# Streamlit's Markdown turns these into links; an invisible word joiner keeps them text.
_LINK = re.compile(r"(https?(?=://)|www(?=\.)|@)", re.IGNORECASE)
# Directional overrides can make a name read as another one; they are shown as their code points.
_HIDDEN = {"Cc", "Cf"}


def visible(text: str) -> str:
    """`text` on one line, with control and direction characters written out as \\uXXXX."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(f"\\u{ord(c):04x}" if unicodedata.category(c) in _HIDDEN else c for c in text)


def as_text(text: str) -> str:
    """`text` escaped so that Streamlit's Markdown shows exactly these characters."""
    return _SPECIAL.sub(r"\\\1", _LINK.sub("\\1\u2060", visible(text)))


def safe_markdown(text: str) -> str:
    """Markdown that Streamlit may render for strangers: images are shown as text, so that nothing is fetched.

    Streamlit escapes HTML and drops links that would run a script.
    """
    return re.sub(r"!(?=\[)", r"!\\", "\n".join(visible(line) for line in text.splitlines()))

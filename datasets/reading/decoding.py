"""Bytes -> text: byte order marks first, the zero bytes of UTF-16, strict UTF-8, then East Asian or Windows-1252."""

from __future__ import annotations

from dataclasses import dataclass

from datasets.base.counted import counted
from datasets.base.errors import DataError
from datasets.reading.east_asian import ENCODING_NAMES, Guess, confidence, guesses, is_sure

# UTF-32's mark begins like UTF-16's.
_MARKS = (
    *((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe\0\0", "utf-32"), (b"\0\0\xfe\xff", "utf-32")),
    *((b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16")),
)
_SAMPLE = 2000


@dataclass(frozen=True)
class Decoded:
    """Text, and how its bytes were read.

    Attributes
    ----------
    text : str
        All of it.
    encoding : str
        One of ENCODINGS.
    notes : tuple[str, ...]
        A sentence where it is not plain UTF-8.
    confidence : float
        0 to 1; 1 where it was said or cannot be anything else.
    alternatives : tuple[Guess, ...]
        Where it is doubtful, all that it could be with a preview, the one that was taken first.
    """

    text: str
    encoding: str
    notes: tuple[str, ...] = ()
    confidence: float = 1.0
    alternatives: tuple[Guess, ...] = ()


def decoded(data: bytes, filename: str, encoding: str | None = None) -> Decoded:
    """The text, its encoding, and how sure that is.

    Raises
    ------
    DataError
        For zero bytes that are not UTF-16's, or bytes that the asked-for encoding does not allow.
    """
    found = encoding or next((name for mark, name in _MARKS if data.startswith(mark)), None) or _utf16(data)
    if found:
        try:
            text = data.decode(found).removeprefix("\ufeff")
        except (UnicodeError, LookupError):
            raise DataError(f"{filename} cannot be read as {found.upper()}; save it as UTF-8.") from None
        if "\0" not in text:
            wide = found.startswith(("utf-16", "utf-32"))
            return Decoded(text, found, (f"The text is {found.upper()}.",) if wide else ())
    if b"\0" in data:
        line = data[: data.index(b"\0")].count(b"\n") + 1
        raise DataError(f"{filename}, line {line} holds a zero byte: this is not a text table. Save it as CSV.")
    try:
        return Decoded(data.decode("utf-8"), "utf-8")
    except UnicodeDecodeError:
        found_by_use = guesses(data)
    sure, best = is_sure(found_by_use), found_by_use[0].encoding
    others = () if sure else tuple(guess for guess in found_by_use if guess.score > 0.0)
    if best != "cp1252":
        try:
            text = data.decode(best)
        except UnicodeDecodeError:  # beyond the sample that was looked at
            best = "cp1252"
        else:
            read_as = f"The text is not UTF-8; it was read as {ENCODING_NAMES[best]}"
            doubt = "" if sure else ", which is doubtful: choose another encoding if the preview looks wrong"
            return Decoded(text, best, (f"{read_as}{doubt}.",), confidence(found_by_use), others)
    text = data.decode("cp1252", errors="replace")
    notes = ["The text is not UTF-8; it was read as Windows-1252."]
    if "\ufffd" in text:
        line = text[: text.index("\ufffd")].count("\n") + 1
        n_unread = counted(text.count("\ufffd"), "character is", "characters are")
        notes.append(
            f"{n_unread} none of its (the first on line {line}) and shown as \ufffd: choose another encoding, or "
            "save the file as UTF-8."
        )
    return Decoded(text, "cp1252", tuple(notes), confidence(found_by_use), others)


def _utf16(data: bytes) -> str | None:
    """UTF-16 without its mark: in Latin text every second byte is zero."""
    sample = data[:_SAMPLE]
    even, odd = sample[::2].count(0), sample[1::2].count(0)
    if len(data) % 2 or max(even, odd) < 0.4 * len(sample) / 2 or min(even, odd) > 0:
        return None
    return "utf-16-le" if odd > even else "utf-16-be"

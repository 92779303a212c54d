"""Comment lines: blanked, so that the numbers of the lines below stay what they are in the file."""

from __future__ import annotations

_MARKS = ("#", "%", "//")


def without_comments(text: str, separator: str, mark: str | None = None) -> tuple[str, int]:
    """(the text with its comment lines blanked, how many).

    Without a given mark, lines that begin with one count as comments where they cut into another number of cells
    than the first line that does not, and never inside quotes.
    """
    marks = _MARKS if mark is None else (mark,)
    if mark == "" or not any(text.startswith(m) or f"\n{m}" in text or f"\r{m}" in text for m in marks):
        return text, 0
    lines = text.splitlines(keepends=True)
    usual = next((line.count(separator) for line in lines if line.strip() and not line.startswith(marks)), None)
    if usual is None:
        return text, 0
    n_comments, quoted = 0, False
    for k, line in enumerate(lines):
        if not quoted and line.startswith(marks) and (mark is not None or line.count(separator) != usual):
            lines[k] = line[len(line.rstrip("\r\n")) :]
            n_comments += 1
        elif line.count('"') % 2:
            quoted = not quoted
    return "".join(lines), n_comments

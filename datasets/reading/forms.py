"""Kinds of text whose columns their own reader cuts and names: plate readers, logs, lists of records and others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from datasets.reading.byte_table import bar_cells, byte_cells, cast_cells, las_cells
from datasets.reading.glued import glued_cells
from datasets.reading.landmarks import landmark_cells
from datasets.reading.listed import listed_cells
from datasets.reading.logs import log_cells
from datasets.reading.messages import message_cells
from datasets.reading.plates import PLATES
from datasets.reading.px import px_cells
from datasets.reading.series import series_cells
from datasets.reading.shapes import cells_of_one_shape
from datasets.reading.table import FIXED, LOG

Known = tuple[tuple[str, ...], str]  # names of the columns, the text with tabs between the cells


class Form(NamedTuple):
    """A kind of file whose columns its own reader cuts and names."""

    cells: Callable[[str], Known | None]
    separator: str  # as it is shown
    note: str
    is_rewritten: bool = False  # whether its rows are no lines of the file


FORMS = (
    Form(byte_cells, FIXED, "Columns are cut as the file describes their bytes."),
    Form(bar_cells, FIXED, "Columns are cut where bars stand between their names."),
    Form(las_cells, " ", "The columns are the curves that the file lists."),
    Form(cast_cells, " ", "The columns are those that the head of the cast lists."),
    *(Form(cells, "\t", note, is_rewritten=True) for cells, note in PLATES),
    Form(
        landmark_cells,
        "\t",
        "Landmarks of tpsDig: one row per specimen, two or three columns per point.",
        is_rewritten=True,
    ),
    Form(
        series_cells,
        "\t",
        "The series matrix holds no values: one row per sample, with its description.",
        is_rewritten=True,
    ),
    Form(px_cells, "\t", "The rows are those of a PC-Axis cube.", is_rewritten=True),
    Form(
        listed_cells,
        "\t",
        "Each line of a record names a value; a row is made of each record.",
        is_rewritten=True,
    ),
    Form(
        glued_cells,
        FIXED,
        "Some numbers have no blank between them; columns were cut where numbers end in other lines. Check them.",
    ),
    Form(log_cells, LOG, "The lines are those of a log; names of its columns were added."),
    Form(message_cells, LOG, "Each line begins with cells of one kind each; what follows is their text."),
)


ONE_SHAPE = Form(
    cells_of_one_shape,
    LOG,
    "No mark cuts most lines alike, so lines of the most frequent form were read. What differs between them became "
    "columns, and so did what differs in the lines above them.",
)


def known_form(text: str, wanted: str | None, forms: Sequence[Form]) -> tuple[Form, Known] | tuple[None, None]:
    """The first form that the text has, and its cells; only one whose separator is `wanted`, if any is."""
    for form in forms:
        could_be = wanted is None or (wanted == form.separator and not form.is_rewritten)
        if could_be and (known := form.cells(text)) is not None:
            return form, known
    return None, None

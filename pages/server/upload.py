"""Upload: a file that somebody brought along, what was proposed for it, and everything that was said about it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from datasets.proposals import Choices, Plan
from datasets.reading import ReadOptions, ReadQuestion, Table

MOST_PAST = 50


@dataclass(frozen=True)
class Upload:
    """A file and everything that was said about it.

    Attributes
    ----------
    filename, data : str, bytes
        The file.
    options : ReadOptions
        What a person said about how to read it.
    sheet : str or None
        Of a workbook, the one that was asked for.
    choices : Choices
        What a person said about its columns and rows.
    past : tuple of Choices
        What was said before that, oldest first, for undo.
    recalled : bool
        Whether the choices are those about an earlier table with the same columns.
    table : Table or None
        The cells as they were read; None where the file could not be read.
    missing : tuple of str
        The words for missing values that the table holds.
    plan : Plan or None
        The table as it is used: its proposal and the choices joined.
    image_shape : (int, int) or None
        (rows, columns) where a person said that the rows are images.
    error : str
        One sentence where the file could not be read or the data set not be built.
    question : ReadQuestion or None
        What is asked about how the file is read.
    key : str
        Of the data set among the session's own; "" until one was built.
    edition : int
        Counts the changes that were not made in the table of columns.
    """

    filename: str
    data: bytes = field(repr=False)
    options: ReadOptions = field(default_factory=ReadOptions)
    sheet: str | None = None
    choices: Choices = field(default_factory=Choices)
    past: tuple[Choices, ...] = ()
    recalled: bool = False
    table: Table | None = field(default=None, repr=False)
    missing: tuple[str, ...] = ()
    plan: Plan | None = field(default=None, repr=False)
    image_shape: tuple[int, int] | None = None
    error: str = ""
    question: ReadQuestion | None = field(default=None, repr=False)
    key: str = ""
    edition: int = 0

    def with_choices(self, choices: Choices) -> Upload:
        """The upload with something else said; what was said before can be had back."""
        if choices == self.choices:
            return self
        past = (*self.past, self.choices)[-MOST_PAST:]
        return replace(self, choices=choices, past=past, recalled=False)

    def undone(self) -> Upload:
        """The upload as it was before the last thing that was said."""
        if not self.past:
            return self
        return replace(self, choices=self.past[-1], past=self.past[:-1], recalled=False)

    @property
    def why_not_ready(self) -> str:
        """What keeps the table from being trained on, for people; "" where nothing does."""
        blocking = [q for q in self.plan.questions if q.blocking] if self.plan is not None else []
        hopeless = any(question.key == "features" and not question.answers for question in blocking)
        if blocking and not hopeless:
            return f"{self.filename} waits for an answer to its question."
        no = f"{self.filename} cannot be trained on as it stands; its message says why."
        return no if self.error or hopeless else ""

"""Question and Answer: what is asked in place, each answer with the choices it makes, the best one first."""

from __future__ import annotations

from dataclasses import dataclass

from datasets.proposals.choices import Choices


@dataclass(frozen=True)
class Answer:
    """A button: its words, what it costs, and the choices that hold once it is pressed."""

    text: str
    choices: Choices
    cost: str = ""


@dataclass(frozen=True)
class Question:
    """Something the user may decide.

    Attributes
    ----------
    key : str
        What it is about: "label", "odd_cells", "missing", "spellings" or "rows".
    text : str
        The question, one or two sentences.
    answers : tuple[Answer, ...]
        The proposed one stands first.
    blocking : bool
        It has to be answered before anything is trained, and build_dataset may refuse the table until then;
        else it is an offer, and the first answer holds meanwhile.
    column : str
        The column it is about, "" for none.
    """

    key: str
    text: str
    answers: tuple[Answer, ...]
    blocking: bool
    column: str = ""

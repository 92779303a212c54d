"""ColumnPlan: every choice between a table and a data set, frozen; and the words the choices have."""

from __future__ import annotations

from dataclasses import dataclass

LABEL_MODES = {
    "classes": "each value is a class",
    "bins": "numbers, cut into classes of equal frequency",
    "continuous": "numbers, kept as they are beside the classes of equal frequency that colour them",
}
MISSING_CHOICES = {
    "drop_rows": "leave out rows with a missing value",
    "drop_columns": "leave out columns with a missing value",
    "impute": "fill each gap with its column's median",
}
CATEGORY_GAPS = {
    "gap": "a missing value like any other",
    "level": "a level of its own",
    "most_frequent": "the most frequent level",
}
SINGLES_CHOICES = {
    "keep": "keep them",
    "leave_out": "draw them, but do not train on them",
    "merge": "merge them into one class",
}


@dataclass(frozen=True)
class ColumnPlan:
    """Which columns are used, and how.

    Attributes
    ----------
    label : str | None
        Name of the label column; None where none was found.
    label_reason : str
        Why this one was proposed.
    features : tuple[str, ...]
        Names of the columns that become features, categories included.
    left_out : tuple[tuple[str, str], ...]
        (name, reason) of the others.
    categories : tuple[str, ...]
        Those of the features that are one-hot encoded.
    label_mode : str
        A key of LABEL_MODES.
    n_bins : int
        Classes of equal frequency for the modes "bins" and "continuous".
    missing : str
        A key of MISSING_CHOICES.
    singles : str
        A key of SINGLES_CHOICES, for classes with one row.
    category_gaps : str
        A key of CATEGORY_GAPS: what a missing cell of a category counts as.
    odd_as_missing : tuple[str, ...]
        Those of the features whose cells that are not usable numbers count as missing.
    spellings : tuple[tuple[str, str], ...]
        (as written, class it counts as) for labels that are merged into another spelling.
    """

    label: str | None
    label_reason: str
    features: tuple[str, ...]
    left_out: tuple[tuple[str, str], ...]
    categories: tuple[str, ...] = ()
    label_mode: str = "classes"
    n_bins: int = 3
    missing: str = "drop_rows"
    singles: str = "keep"
    category_gaps: str = "gap"
    odd_as_missing: tuple[str, ...] = ()
    spellings: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class MissingCost:
    """What one way of handling missing values leaves: rows, columns of the table, and how many cells it fills in."""

    n_rows: int
    n_columns: int
    n_filled: int

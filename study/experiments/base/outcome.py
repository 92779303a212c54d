"""Outcome: what came of one cell, as it is stored."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Outcome:
    """What came of one cell.

    Attributes
    ----------
    numbers : dict of str to float
        By name: "own_1nn", "test_1nn", "test_knn", "mean_p" and so on; accuracies are shares from 0 to 1.
    n_train, n_test : int
        Rows on either side of the split.
    seconds : float
        Of preparing, fitting, training and measuring.
    ended : str
        How a training ended, as a sentence; "" of what is solved in one go.
    problem : str
        Why there are no numbers; "" where there are.
    failed : bool
        An error ended it, so that it is not stored.
    places : list of list of float
        Where some rows lie, (n_shown, n_dimensions), where a picture is wanted.
    codes : list of int
        Their classes.
    versions : dict of str to str
        Of Python and the libraries.
    """

    numbers: dict[str, float] = field(default_factory=dict)
    n_train: int = 0
    n_test: int = 0
    seconds: float = 0.0
    ended: str = ""
    problem: str = ""
    failed: bool = False
    places: list[list[float]] = field(default_factory=list)
    codes: list[int] = field(default_factory=list)
    versions: dict[str, str] = field(default_factory=dict)

"""Classifier: a rule that tells the classes of new rows from places of labelled ones, in one entry of CLASSIFIERS."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Told:
    """What a rule says.

    Attributes
    ----------
    codes : ndarray of shape (n_queries,)
        Class codes.
    note : str
        What was chosen or had to be changed, for people; empty where there is nothing to say.
    """

    codes: np.ndarray
    note: str = ""


@dataclass(frozen=True)
class Classifier:
    """An entry of CLASSIFIERS.

    Attributes
    ----------
    key, title, description : str
        Its name in the program, and what people read.
    tell : callable
        ``tell(Y, y, queries) -> Told`` from labelled places Y, (n_samples, n_components), with class codes y from 0,
        each of which has a member, to the codes of `queries`, (n_queries, n_components). ValueError, with a sentence,
        where it cannot.
    by_scale : bool
        It goes by p_ij, so it means something only where the scale of Y was learnt.
    """

    key: str
    title: str
    description: str
    tell: Callable[[np.ndarray, np.ndarray, np.ndarray], Told]
    by_scale: bool = False

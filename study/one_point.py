"""One row of a comparison: what each rule takes it for, and which rows lie among other classes than their own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from datasets.base.counted import counted
from datasets.base.dataset import Dataset
from nca_core.accuracy.stochastic_rule import class_probabilities, perplexity_of_queries
from nca_core.classifiers import CLASSIFIERS
from nca_core.evaluator import Evaluator
from nca_core.sampling import stratified_sample
from nca_core.snapshot import Snapshot
from study.compare import Comparison
from study.differences import NOBODY
from study.measure import MOST_RULE_ROWS, places_of

MOSTLY = 0.5  # of p_ij: a row with less than this for its own class lies among others


def told_of_row(
    comparison: Comparison, key: str | None, row: int, snapshot: Snapshot | None = None
) -> dict[str, int | None]:
    """The class that each rule of CLASSIFIERS takes a row for, by the training rows without it.

    Parameters
    ----------
    comparison : Comparison
        What is compared.
    key : str or None
        Key of the panel; None for the distances of all features as prepared.
    row : int
        Index of the row.
    snapshot : Snapshot, optional
        The iteration of the panel's training; without one, what was fitted.

    Returns
    -------
    dict of str to (int or None)
        Class codes by the rule's key; None where the rule has no meaning there or cannot run. A training row is told
        without itself, but the projection was fitted to it.
    """
    space = places_of(comparison, key, snapshot)
    train = np.flatnonzero(comparison.prepared.train & (space.y >= 0))
    train = train[train != row]
    train = train[stratified_sample(space.y[train], MOST_RULE_ROWS, np.random.default_rng(space.random_state))]
    found: dict[str, int | None] = dict.fromkeys(CLASSIFIERS)
    if not len(train) or (space.embedded and comparison.prepared.held_out[row]):
        return found
    classes, codes = np.unique(space.y[train], return_inverse=True)
    for rule in CLASSIFIERS.values():
        if rule.by_scale and not space.learnt:
            continue
        try:
            told = rule.tell(space.Y[train], codes, space.Y[[row]])
        except (ValueError, np.linalg.LinAlgError):
            continue
        found[rule.key] = int(classes[told.codes[0]])
    return found


@dataclass(frozen=True)
class Doubtful:
    """The labelled rows with the least chance of picking their own class, the least first.

    Attributes
    ----------
    rows : ndarray of shape (n_listed,)
        Indices of rows.
    p, k : ndarray of shape (n_listed,)
        p_i, the chance of picking a training row of the own class, and exp of the entropy of p_ij.
    likely : ndarray of shape (n_listed,)
        The class that is picked most probably.
    share : ndarray of shape (n_listed,)
        The chance of that.
    n_among_others, n_asked : int
        Rows with p_i below one half, and all that were asked.
    """

    rows: np.ndarray
    p: np.ndarray
    k: np.ndarray
    likely: np.ndarray
    share: np.ndarray
    n_among_others: int
    n_asked: int


def doubtful_rows(comparison: Comparison, key: str, snapshot: Snapshot | None = None, most: int = 20) -> Doubtful:
    """The rows with the lowest p_i in a panel, training rows leave-one-out and held-out rows by the training rows.

    Parameters
    ----------
    comparison, key, snapshot
        As for `told_of_row`; p_ij means something only where the scale was learnt.
    most : int
        How many are listed.

    References
    ----------
    Goldberger, Roweis, Hinton, Salakhutdinov: Neighbourhood Components Analysis, NIPS 2004, eq. 1 and 2.
    """
    space = places_of(comparison, key, snapshot)
    Y, y, prepared = space.Y, space.y, comparison.prepared
    train, new = np.flatnonzero(prepared.train & (y >= 0)), np.flatnonzero(prepared.held_out & (y >= 0))
    if space.embedded:
        new = new[:0]
    n_classes = prepared.dataset.n_classes
    at = Evaluator(Y[train], y[train]).evaluate_places(Y[train])
    p, k = at.p, np.exp(at.entropy)
    if len(new):
        own = class_probabilities(Y[train], y[train], Y[new], n_classes)[np.arange(len(new)), y[new]]
        p, k = np.concatenate([p, own]), np.concatenate([k, perplexity_of_queries(Y[train], Y[new])])
    asked = np.concatenate([train, new])
    least = np.argsort(p, kind="stable")[:most]
    rows = asked[least]
    shares = np.array([_shares(Y, y, train, row, n_classes) for row in rows]).reshape(len(rows), n_classes)
    likely = shares.argmax(axis=1)
    return Doubtful(rows, p[least], k[least], likely, shares.max(axis=1), int(np.count_nonzero(p < MOSTLY)), len(asked))


def _shares(Y: np.ndarray, y: np.ndarray, train: np.ndarray, row: int, n_classes: int) -> np.ndarray:
    others = train[train != row]
    return class_probabilities(Y[others], y[others], Y[[row]], n_classes)[0]


def doubtful_sentence(found: Doubtful, dataset: Dataset, title: str) -> str:
    """What the lowest p_i say of these data."""
    if not len(found.rows):
        return f"{title}: no row has a label."
    row, p = int(found.rows[0]), float(found.p[0])
    number, own = dataset.row_numbers[row], dataset.class_names[dataset.y[row]]
    if p >= MOSTLY:
        return (
            f"{title}: none of {counted(found.n_asked, 'row')} lies mostly among other classes; row {number} ({own}) "
            f"is nearest to that, with a chance of {p:.2f} to pick its own."
        )
    those = counted(found.n_among_others, "row lies", "rows lie")
    return (
        f"{title}: {those} mostly among other classes, of {found.n_asked:,}. Row {number} is labelled {own} and picks "
        f"{dataset.class_names[found.likely[0]]} with a chance of {found.share[0]:.2f}: a wrong label, or an odd row?"
    )


def matching_rows(dataset: Dataset, text: str, cells: Mapping[int, Sequence[str]] | None = None) -> np.ndarray:
    """Indices of the rows with that number, else of those whose class, or a cell of whose line, holds the text.

    Parameters
    ----------
    dataset : Dataset
        As it came.
    text : str
        What is looked for, in letters of any case.
    cells : mapping of int to sequence of str, optional
        The cells of a table of one's own by the row's number.
    """
    wanted = text.strip().casefold()
    if not wanted:
        return np.empty(0, dtype=np.int64)
    if wanted.isdecimal():
        found = np.flatnonzero(dataset.row_numbers == int(wanted[:18]))
        if len(found):
            return found
    classes = np.array([wanted in name.casefold() for name in dataset.class_names], dtype=bool)
    held = np.where(dataset.y == NOBODY, False, classes[dataset.y]) if len(classes) else np.zeros(len(dataset.y), bool)
    if cells:
        numbers = dataset.row_numbers.tolist()
        held |= np.array([any(wanted in cell.casefold() for cell in cells.get(number, ())) for number in numbers])
    return np.flatnonzero(held)

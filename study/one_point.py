"""One row of a comparison: the class that each rule predicts, and which rows lie among other classes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from datasets.base.dataset import Dataset
from datasets.base.words import counted, percent
from nca_core.accuracy import class_probabilities, perplexity_of_queries
from nca_core.classifiers import CLASSIFIERS
from nca_core.features.rows import stratified_sample
from nca_core.objectives.evaluator import Evaluator
from nca_core.snapshot import Snapshot
from study.compare import Comparison
from study.measure import MOST_RULE_ROWS, classes_by, projection

MOSTLY = 0.5  # of p_ij: a row with less than this for its own class lies among others


def predicted_classes(
    comparison: Comparison, key: str | None, row: int, snapshot: Snapshot | None = None
) -> dict[str, int | None]:
    """The class that each rule of CLASSIFIERS predicts for a row, by the training rows without it.

    key: key of the panel; None for the distances of all features as prepared.
    snapshot: the iteration of the panel's training; without one, what was fitted.

    Returns class codes by the rule's key; None where the rule has no meaning there or cannot run. A training row is
    left out, but the projection was fitted to it.
    """
    at = projection(comparison, key, snapshot)
    train = at.labelled()[0]
    train = train[train != row]
    train = train[stratified_sample(at.y[train], MOST_RULE_ROWS, np.random.default_rng(at.random_state))]
    if comparison.prepared.held_out[row] and not at.tested[row]:
        return dict.fromkeys(CLASSIFIERS)
    predicted = {key: classes_by(rule, at, train, np.array([row]))[0] for key, rule in CLASSIFIERS.items()}
    return {key: None if codes is None else int(codes[0]) for key, codes in predicted.items()}


@dataclass(frozen=True)
class Doubtful:
    """The labelled rows with the least chance of picking their own class, the least first."""

    rows: np.ndarray  # (n_listed,); indices of rows
    # (n_listed,); p_i, the chance of picking a training row of the own class, and exp of the entropy of p_ij
    p: np.ndarray
    k: np.ndarray
    likely: np.ndarray  # (n_listed,); the class that is picked most probably
    share: np.ndarray  # (n_listed,); the chance of that
    n_among_others: int  # n_among_others, n_queries: rows with p_i below one half, and all rows
    n_queries: int


def doubtful_rows(comparison: Comparison, key: str, snapshot: Snapshot | None = None, most: int = 20) -> Doubtful:
    """The rows with the lowest p_i in a panel, training rows leave-one-out and held-out rows by the training rows.

    comparison, key, snapshot: as for `predicted_classes`; p_ij means something only where the scale was learnt.
    most: how many are listed.

    Goldberger, Roweis, Hinton, Salakhutdinov: Neighbourhood Components Analysis, NIPS 2004, eq. 1 and 2.
    """
    at = projection(comparison, key, snapshot)
    Y, y, n_classes = at.Y, at.y, comparison.prepared.dataset.n_classes
    train, new = at.labelled()
    evaluated = Evaluator(Y[train], y[train]).evaluate_embedding(Y[train])
    p, k = evaluated.p, np.exp(evaluated.entropy)
    if len(new):
        own = class_probabilities(Y[train], y[train], Y[new], n_classes)[np.arange(len(new)), y[new]]
        p, k = np.concatenate([p, own]), np.concatenate([k, perplexity_of_queries(Y[train], Y[new])])
    queries = np.concatenate([train, new])
    least = np.argsort(p, kind="stable")[:most]
    rows = queries[least]
    shares = np.empty((len(rows), n_classes))
    for place, row in enumerate(rows):
        others = train[train != row]
        shares[place] = class_probabilities(Y[others], y[others], Y[[row]], n_classes)[0]
    likely, share = shares.argmax(axis=1), shares.max(axis=1)
    return Doubtful(rows, p[least], k[least], likely, share, int(np.count_nonzero(p < MOSTLY)), len(queries))


def doubtful_sentence(found: Doubtful, dataset: Dataset, title: str) -> str:
    """What the lowest p_i say of these data."""
    if not len(found.rows):
        return f"{title}: no row has a label."
    row, p = int(found.rows[0]), float(found.p[0])
    own = dataset.class_names[dataset.y[row]]
    if p >= MOSTLY:
        return (
            f"{title}: none of {counted(found.n_queries, 'row')} lies mostly among other classes; "
            f"{dataset.row_title(row)}, labelled {own}, comes nearest, with a chance of {percent(p)} to pick its own."
        )
    likely = dataset.class_names[found.likely[0]]
    those = counted(found.n_among_others, "row lies", "rows lie")
    return (
        f"{title}: {those} mostly among other classes, of {found.n_queries:,}. "
        f"{dataset.row_title(row, capital=True)} is labelled {own} and picks {likely} with a chance of "
        f"{percent(found.share[0])}: a wrong label, or an odd row?"
    )


def matching_rows(dataset: Dataset, text: str, cells: Mapping[int, Sequence[str]] | None = None) -> np.ndarray:
    """Indices of the rows with that number, else of those whose class, name, or a cell of whose line, holds the text.

    text: what is looked for, in letters of any case.
    cells: the cells of a table of one's own by the row's number.
    """
    wanted = text.strip().casefold()
    if not wanted:
        return np.empty(0, dtype=np.int64)
    if wanted.isdecimal():
        found = np.flatnonzero(dataset.row_numbers == int(wanted[:18]))
        if len(found):
            return found
    classes = [wanted in name.casefold() for name in dataset.class_names]
    held = np.array([*classes, False])[dataset.y]  # the last one, at -1, is for rows without a label
    if dataset.row_names is not None:
        held |= np.array([wanted in name.casefold() for name in dataset.row_names.tolist()])
    if cells:
        numbers = dataset.row_numbers.tolist()
        held |= np.array([any(wanted in cell.casefold() for cell in cells.get(number, ())) for number in numbers])
    return np.flatnonzero(held)


def matching_cells(dataset: Dataset, rows: np.ndarray, text: str, cells: Mapping[int, Sequence[str]]) -> list[str]:
    """The first cell of each row's line that holds the text; "" where there is none, or the row's name shows it."""
    wanted, found = text.strip().casefold(), []
    for row, number in zip(rows, dataset.row_numbers[rows].tolist(), strict=True):
        held = (cell for cell in cells.get(number, ()) if wanted in cell.casefold())
        found.append("" if wanted in dataset.row_title(row).casefold() else next(held, ""))
    return found

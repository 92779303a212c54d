"""measure: the one place where a panel's numbers come from, for tables, curves and experiments alike.

A training measures each iteration by the engine's `Recorder`; a projection that was solved in one go is measured here
by the same functions on the same rows with the same sample, so a curve and a table can never differ.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np

from nca_core.accuracy.accuracies import QUERIES, Accuracies, accuracies_of, points_of
from nca_core.accuracy.evaluation import Neighbourhood
from nca_core.accuracy.k_estimate import k_mean_entropy, k_mean_perplexity, local_perplexity, rounded_k
from nca_core.classifiers import CLASSIFIERS, Classifier
from nca_core.evaluation import Evaluation, EvaluationOfPlaces
from nca_core.evaluator import Evaluator
from nca_core.sampling import stratified_sample
from nca_core.snapshot import Snapshot
from study.codes import engine_codes
from study.compare import Comparison
from study.fitting import Compared

MOST_RULE_ROWS = 20_000  # training rows that the rules of CLASSIFIERS go by


@dataclass(frozen=True)
class Measurement:
    """The numbers of one panel at one place of its history.

    Attributes
    ----------
    key, title : str
        The panel.
    iteration : int or None
        Of a training; None for a projection that was solved in one go, or a training that has not begun.
    mean_p : float
        f/n, the mean of p_i over the training rows (NCA paper, eq. 3); NaN where the scale of the projection was not
        learnt, as p_ij then says nothing about the method.
    k_mean_entropy, k_mean_perplexity : float
        K̂ by both averages; NaN as for `mean_p`.
    k : int
        The K of the K-nearest-neighbour accuracies; 0 where none was asked for.
    accuracies : Accuracies
        Leave-one-out on training rows and on held-out rows, by one and by k neighbours.
    n_asked : int
        Training rows that were asked for the leave-one-out accuracies.
    """

    key: str
    title: str
    iteration: int | None
    mean_p: float
    k_mean_entropy: float
    k_mean_perplexity: float
    k: int
    accuracies: Accuracies
    n_asked: int


def points_that_are_asked(comparison: Comparison, key: str) -> Neighbourhood:
    """The training rows of a panel that was solved in one go, to be given to `measure` with one k after another."""
    panel, rows = comparison.panel(key), comparison.prepared.train
    y = true_where_none(comparison, panel)
    return points_of(panel.projected()[rows], y[rows], panel.recipe.random_state, remember=True)


def measure(
    comparison: Comparison,
    key: str,
    snapshot: Snapshot | None = None,
    *,
    k: int = 0,
    points: Neighbourhood | None = None,
) -> Measurement:
    """The numbers of the panel `key`.

    Parameters
    ----------
    comparison : Comparison
        What is compared.
    key : str
        Key of the panel.
    snapshot : Snapshot, optional
        The iteration of its training that is measured; without one, what was fitted.
    k : int, optional
        Of a projection that was solved in one go: the K of the K-nearest-neighbour accuracies, 0 for none. A training
        brings its own, round(K̂).
    points : Neighbourhood, optional
        `points_that_are_asked`, where this is not the first time.

    Raises
    ------
    ValueError
        For a panel with a problem.
    """
    panel = comparison.panel(key)
    n_asked = min(QUERIES, int(comparison.prepared.train.sum()))
    if snapshot is not None:
        return Measurement(
            key,
            panel.recipe.shown_title,
            snapshot.iteration,
            snapshot.mean_p,
            snapshot.k_mean_entropy,
            snapshot.k_mean_perplexity,
            rounded_k(snapshot.k_mean_entropy),
            Accuracies(snapshot.accuracy_1nn, snapshot.accuracy_knn, snapshot.held_out_1nn, snapshot.held_out_knn),
            n_asked,
        )
    if panel.problem:
        raise ValueError(f"{key} has nothing to measure: {panel.problem}")
    Y = panel.projected()
    rows, held_out = comparison.prepared.train, comparison.prepared.held_out
    y = true_where_none(comparison, panel)
    # An embedding placed the held-out rows along with the others: that is no answer for new rows.
    places_new_rows = panel.recipe.method.kind != "embedding"
    tested = (Y[held_out], y[held_out]) if held_out.any() and places_new_rows else None
    nothing = float("nan")
    return Measurement(
        key,
        panel.recipe.shown_title,
        None,
        nothing,
        nothing,
        nothing,
        k,
        accuracies_of(Y[rows], y[rows], tested, k, panel.recipe.random_state, points),
        n_asked,
    )


def true_where_none(comparison: Comparison, panel: Compared) -> np.ndarray:
    """The labels that accuracy is measured by, (n_samples,): those the method saw, the true ones where it saw none."""
    return engine_codes(comparison.prepared.dataset.y) if panel.recipe.labels == "none" else panel.y


def evaluator_of(comparison: Comparison, key: str, rows: np.ndarray) -> Evaluator:
    """f among these rows of a panel, a mask or indices; of a training that goes by numbers, f does so too."""
    panel = comparison.panel(key)
    similarity = None if panel.config is None else panel.config.target_similarity
    targets = None if similarity is None or panel.target is None else panel.target[rows]
    y = true_where_none(comparison, panel)[rows]
    return Evaluator(panel.X[rows], y, target_similarity=similarity, targets=targets)


def own_p_and_k(comparison: Comparison, key: str, snapshot: Snapshot) -> tuple[np.ndarray, np.ndarray]:
    """(p_i, exp(H_i)) of each training row at an iteration, both (n_train,); of projections that bend, too."""
    rows = comparison.prepared.train
    evaluator = evaluator_of(comparison, key, rows)
    at: Evaluation | EvaluationOfPlaces
    if snapshot.coordinates is None:
        at = evaluator.evaluate(snapshot.transformation)
    else:
        at = evaluator.evaluate_places(snapshot.coordinates[rows])
    return at.p, local_perplexity(at.entropy)


def scale_measures(comparison: Comparison, key: str, transformation: np.ndarray) -> tuple[float, float, float]:
    """(f/n, exp(mean entropy), mean exp(entropy)) of the training rows at any A, for a scale that is meant."""
    at = evaluator_of(comparison, key, comparison.prepared.train).evaluate(transformation)
    return at.mean_p, k_mean_entropy(at.entropy), k_mean_perplexity(at.entropy)


def scale_at(comparison: Comparison, key: str, snapshot: Snapshot) -> tuple[float, float, float]:
    """The same of an iteration; some trainings leave them out together with the accuracies on their way."""
    if np.isnan(snapshot.k_mean_entropy):
        return scale_measures(comparison, key, snapshot.transformation)
    return snapshot.mean_p, snapshot.k_mean_entropy, snapshot.k_mean_perplexity


def shared_k(comparison: Comparison, newest: Mapping[str, Snapshot | None]) -> int:
    """K̂ of the first training that has an iteration, rounded; 0 before any.

    What has no K̂ of its own is asked with it, so that all vote with as many neighbours.

    Parameters
    ----------
    newest : mapping of str to Snapshot or None
        Where the trainings are, by the panel's key.
    """
    for panel in comparison.panels:
        at = newest.get(panel.key)
        if at is not None and not panel.problem:
            return rounded_k(scale_at(comparison, panel.key, at)[1])
    return 0


@dataclass(frozen=True)
class Space:
    """Where all rows lie in a panel, or among all features.

    Attributes
    ----------
    title : str
        The panel.
    Y : ndarray of shape (n_samples, n_dimensions)
        Places.
    y : ndarray of shape (n_samples,)
        The labels that count there.
    random_state : int
        The panel's seed.
    learnt : bool
        The scale of Y was learnt, so p_ij means something.
    embedded : bool
        Held-out rows were placed along with the others, so nothing can be said of new rows.
    """

    title: str
    Y: np.ndarray
    y: np.ndarray
    random_state: int = 0
    learnt: bool = False
    embedded: bool = False


def places_of(comparison: Comparison, key: str | None, snapshot: Snapshot | None = None) -> Space:
    """Where the panel `key` puts all rows, at an iteration of its training or as fitted; None for all features."""
    if key is None:
        dataset = comparison.prepared.dataset
        return Space("All features", dataset.X, dataset.y)
    panel = comparison.panel(key)
    if snapshot is not None and snapshot.coordinates is not None:
        Y = snapshot.coordinates
    else:
        Y = panel.projected(None if snapshot is None else snapshot.transformation)
    return Space(
        panel.recipe.shown_title,
        Y,
        true_where_none(comparison, panel),
        panel.recipe.random_state,
        learnt=panel.trains and snapshot is not None,
        embedded=panel.recipe.method.kind == "embedding",
    )


@dataclass(frozen=True)
class Classified:
    """How well one rule tells the held-out rows in one panel.

    Attributes
    ----------
    accuracy : float
        Share of the labelled held-out rows that are told rightly; NaN where the rule has no meaning or cannot run.
    note : str
        What the rule chose or had to change, or why it cannot run.
    """

    accuracy: float
    note: str = ""


@dataclass(frozen=True)
class RulesOf:
    """The rules of CLASSIFIERS on one panel, or on all features.

    Attributes
    ----------
    title : str
        The panel.
    n_train, n_asked : int
        Training rows that the rules go by, and held-out rows that they are asked.
    by_rule : dict of str to Classified
        In the order of CLASSIFIERS.
    """

    title: str
    n_train: int
    n_asked: int
    by_rule: dict[str, Classified]


def measure_rules(
    comparison: Comparison, key: str | None, snapshot: Snapshot | None = None, rules: Collection[str] = CLASSIFIERS
) -> RulesOf:
    """Rules of CLASSIFIERS on the held-out rows.

    Parameters
    ----------
    comparison : Comparison
        With rows held out.
    key : str or None
        Key of the panel; None for the distances of all features as prepared.
    snapshot : Snapshot, optional
        As for `measure`.
    rules : collection of str
        Keys of those that are asked; all of them by default.
    """
    prepared, space = comparison.prepared, places_of(comparison, key, snapshot)
    Y, y = space.Y, space.y
    rng = np.random.default_rng(space.random_state)
    train = np.flatnonzero(prepared.train & (y >= 0))
    train = train[stratified_sample(y[train], MOST_RULE_ROWS, rng)]
    asked = np.flatnonzero(prepared.held_out & (y >= 0))
    if len(asked) > QUERIES:
        asked = np.sort(rng.choice(asked, QUERIES, replace=False))
    found: dict[str, Classified] = {}
    for rule in (CLASSIFIERS[key] for key in CLASSIFIERS if key in rules):
        found[rule.key] = Classified(float("nan"))
        if not rule.by_scale or space.learnt:
            found[rule.key] = _told_by(rule, Y[train], y[train], Y[asked], y[asked])
    return RulesOf(space.title, len(train), len(asked), found)


def _told_by(rule: Classifier, Y: np.ndarray, y: np.ndarray, asked: np.ndarray, right: np.ndarray) -> Classified:
    if not len(y) or not len(right):
        return Classified(float("nan"), "no labelled rows")
    classes, codes = np.unique(y, return_inverse=True)
    try:
        told = rule.tell(Y, codes, asked)
    except (ValueError, np.linalg.LinAlgError) as error:
        return Classified(float("nan"), f"cannot run here: {error}")
    return Classified(float(np.mean(classes[told.codes] == right)), told.note)

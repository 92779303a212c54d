"""measure: the numbers of a panel, for tables, curves, experiments and exports alike.

A snapshot has the numbers that the engine measured. Other projections, and snapshots without accuracies, are
measured here by the same functions on the same rows. Training rows are measured leave-one-out; as the projection was
fitted to them, these numbers are optimistic. Held-out rows were not seen by the method.
"""

from collections.abc import Collection, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from sklearn.manifold import trustworthiness

from nca_core.accuracy import (
    ACCURACIES,
    QUERIES,
    Neighbourhood,
    class_probabilities,
    k_mean_entropy,
    k_mean_perplexity,
    leave_one_out_local_k,
    leave_one_out_stochastic,
    local_k_classes,
    rounded_k,
)
from nca_core.classifiers import CLASSIFIERS, Classifier
from nca_core.features.rows import stratified_sample
from nca_core.objectives.evaluator import Evaluation, Evaluator
from nca_core.snapshot import Numbers, Snapshot
from study.compare import Comparison
from study.fitting import FittedPanel

MOST_RULE_ROWS = 20_000  # training rows for the rules of CLASSIFIERS
NEIGHBOURS = 5  # of trustworthiness, as in scikit-learn
MOST_OWN_K = 1_000  # a point's own K is cut to it, so that the vote of a very flat p_ij stays cheap


@dataclass(frozen=True, kw_only=True)
class Measurement(Numbers):
    """The numbers of one panel; those that depend on the scale of A are NaN where the scale was not learnt."""

    key: str
    title: str
    iteration: int | None = None  # None for a solved projection, or a training that has not begun
    n_queries: int = 0  # training rows behind the leave-one-out accuracies
    # "" at the last iteration of a training, and without one; else which iteration it is, and how it was chosen
    moment: str = ""
    # the K of `accuracy_knn` and `held_out_knn`: round(K̂) of a training, else the K that was given; NaN without one
    k: float = float("nan")
    # accuracy_local, held_out_local: accuracy of the K-nearest-neighbour rule with each row's own K = exp(H_i); NaN
    # unless measured in full
    accuracy_local: float = float("nan")
    # accuracy_stochastic, held_out_stochastic: accuracy of the most probable class by p_ij; NaN unless measured in full
    accuracy_stochastic: float = float("nan")
    held_out_local: float = float("nan")
    held_out_stochastic: float = float("nan")
    # of the training rows (Venna and Kaski 2001), by 5 neighbours of at most 2,000 rows; NaN unless measured in full
    trustworthiness: float = float("nan")

    def numbers(self) -> dict[str, float]:
        """The numbers by name, in the order of NAMES."""
        return {name: float(getattr(self, name)) for name in NAMES}


_ABOUT = ("key", "title", "iteration", "n_queries", "moment")
NAMES: tuple[str, ...] = tuple(field.name for field in fields(Measurement) if field.name not in _ABOUT)
CHOSEN = "chosen on the held-out rows, so optimistic"


def moment_of(history: Sequence[Snapshot], place: int) -> str:
    """Name an iteration that is not the last of its training; of the best held-out accuracy, say that it was chosen."""
    last, at = len(history) - 1, history[place]
    if place in (last, -1):
        return ""
    words = f"iteration {at.iteration} of {history[-1].iteration}"
    best = max((one.held_out_1nn for one in history if not np.isnan(one.held_out_1nn)), default=np.inf)
    return f"{words}, {CHOSEN}" if at.held_out_1nn >= best else words


def accuracy_labels(comparison: Comparison, panel: FittedPanel) -> np.ndarray:
    """Labels that accuracy is measured by, (n_samples,): those the method saw, the true ones where it saw none."""
    return comparison.prepared.dataset.y if panel.recipe.labels == "none" else panel.y


@dataclass(frozen=True)
class ProjectedRows:
    """All rows in a panel, or with all features."""

    title: str
    Y: np.ndarray  # (n_samples, n_dimensions); projected rows
    y: np.ndarray  # (n_samples,); `accuracy_labels`
    # (n_samples,); training rows, and held-out rows. An embedding tests no rows: it placed them along with the others.
    train: np.ndarray
    tested: np.ndarray
    random_state: int = 0  # the panel's seed
    learnt: bool = False  # the scale of Y was learnt, so p_ij means something

    def labelled(self) -> tuple[np.ndarray, np.ndarray]:
        """Row numbers of the labelled training rows and of the labelled tested rows."""
        return np.flatnonzero(self.train & (self.y >= 0)), np.flatnonzero(self.tested & (self.y >= 0))

    def accuracies(self, k: int = 0, points: Neighbourhood | None = None) -> dict[str, float]:
        """By the nearest neighbour, and by k neighbours unless k is 0."""
        new = (self.Y[self.tested], self.y[self.tested]) if self.tested.any() else None
        return (points or self.query_points()).accuracies(new, k)

    def query_points(self, every_k: bool = False) -> Neighbourhood:
        """The training rows, of which at most QUERIES are classified; `every_k` as for Neighbourhood."""
        Y, y = self.Y[self.train], self.y[self.train]
        return Neighbourhood(Y, y, max_queries=QUERIES, random_state=self.random_state, every_k=every_k)


def projection(comparison: Comparison, key: str | None, snapshot: Snapshot | None = None) -> ProjectedRows:
    """The panel `key` at an iteration of its training, or as fitted; None for all features."""
    prepared = comparison.prepared
    if key is None:
        dataset = prepared.dataset
        return ProjectedRows("All features", dataset.X, dataset.y, prepared.train, prepared.held_out)
    panel = comparison.panel(key)
    embedded = panel.recipe.method.kind == "embedding"
    return ProjectedRows(
        panel.recipe.shown_title,
        panel.projected(snapshot),
        accuracy_labels(comparison, panel),
        prepared.train,
        np.zeros_like(prepared.held_out) if embedded else prepared.held_out,
        panel.recipe.random_state,
        learnt=panel.trains and snapshot is not None,
    )


def query_points(comparison: Comparison, key: str) -> Neighbourhood:
    """The training rows of a solved panel, prepared so that `measure` is fast for one K after another."""
    return projection(comparison, key).query_points(every_k=True)


def measure(
    comparison: Comparison,
    key: str,
    snapshot: Snapshot | None = None,
    *,
    k: int = 0,
    points: Neighbourhood | None = None,
    full: bool = False,
    moment: str = "",
) -> Measurement:
    """The numbers of the panel `key`.

    snapshot: the iteration of its training to measure; by default the projection as fitted.
    k: neighbours for a solved projection, 0 for none. A training uses round(K̂).
    points: `query_points` of the panel, for repeated calls.
    full: also measure trustworthiness and, of a training, the rules by each row's own K and by the most probable class.
    moment: `moment_of` the snapshot.

    Raises ValueError for a panel with a problem.
    """
    panel = comparison.panel(key)
    if snapshot is None and panel.problem:
        raise ValueError(f"{key} has nothing to measure: {panel.problem}")
    numbers: dict[str, Any] = {"seconds": panel.seconds, "moment": moment}
    if snapshot is not None:
        mean_p, entropy, perplexity = scale_at(comparison, key, snapshot)
        k = rounded_k(entropy)
        numbers |= {"mean_p": mean_p, "k_mean_entropy": entropy, "k_mean_perplexity": perplexity}
        numbers |= {"iteration": snapshot.iteration, "seconds": snapshot.seconds}
    if snapshot is not None and not np.isnan(snapshot.accuracy_1nn):
        numbers |= {name: getattr(snapshot, name) for name in ACCURACIES}
    else:
        numbers |= projection(comparison, key, snapshot).accuracies(k, points)
    if full:
        at = projection(comparison, key, snapshot)
        numbers["trustworthiness"] = _trustworthiness(comparison.prepared.dataset.X[at.train], at)
        if snapshot is not None:
            numbers |= _rules_by_p(at, own_p_and_k(comparison, key, snapshot)[1])
    n_queries = min(QUERIES, int(comparison.prepared.train.sum()))
    return Measurement(key=key, title=panel.recipe.shown_title, n_queries=n_queries, k=k or float("nan"), **numbers)


def _rules_by_p(at: ProjectedRows, own_k: np.ndarray) -> dict[str, float]:
    """Accuracies by each row's own K and by the most probable class, of training rows and of held-out rows."""
    Y, tested = at.Y[at.train], np.flatnonzero(at.tested)
    if np.isnan(own_k).any():  # of many rows in many components only a sample is evaluated
        tested = tested[_sample(len(tested), at.random_state)]
    new = at.Y[tested]
    present, codes = np.unique(at.y[at.train], return_inverse=True)
    largest = min(MOST_OWN_K, len(Y))
    found = {
        "accuracy_local": leave_one_out_local_k(Y, codes, own_k, largest)[1],
        "accuracy_stochastic": leave_one_out_stochastic(Y, codes, _sample(len(Y), at.random_state)),
    }
    if len(new):
        voted = local_k_classes(Y, codes, new, len(present), largest)[0]
        likeliest = class_probabilities(Y, codes, new, len(present)).argmax(axis=1)
        found["held_out_local"] = float(np.mean(present[voted] == at.y[tested]))
        found["held_out_stochastic"] = float(np.mean(present[likeliest] == at.y[tested]))
    return found


def _trustworthiness(X: np.ndarray, at: ProjectedRows) -> float:
    rows, Y = _sample(len(X), at.random_state), at.Y[at.train]
    if len(rows) <= 2 * NEIGHBOURS or not np.isfinite(Y[rows]).all():
        return float("nan")
    return float(trustworthiness(X[rows], Y[rows], n_neighbors=NEIGHBOURS))


def _sample(n: int, random_state: int) -> np.ndarray:
    """Row numbers of at most QUERIES of n rows, drawn at random, ascending."""
    if n <= QUERIES:
        return np.arange(n)
    return np.sort(np.random.default_rng(random_state).choice(n, QUERIES, replace=False))


def panel_evaluator(comparison: Comparison, key: str, rows: np.ndarray) -> Evaluator:
    """f among these rows of a panel, a mask or indices; of a training that goes by numbers, f does so too."""
    panel = comparison.panel(key)
    similarity = None if panel.config is None else panel.config.target_similarity
    targets = None if similarity is None or panel.target is None else panel.target[rows]
    y = accuracy_labels(comparison, panel)[rows]
    return Evaluator(panel.X[rows], y, target_similarity=similarity, targets=targets)


def _evaluation(comparison: Comparison, key: str, snapshot: Snapshot) -> Evaluation:
    """f among the training rows at an iteration."""
    rows = comparison.prepared.train
    evaluator = panel_evaluator(comparison, key, rows)
    if snapshot.coordinates is None:
        return evaluator.evaluate(snapshot.transformation)
    return evaluator.evaluate_embedding(snapshot.coordinates[rows])


def own_p_and_k(comparison: Comparison, key: str, snapshot: Snapshot) -> tuple[np.ndarray, np.ndarray]:
    """(p_i, exp(H_i)) of each training row at an iteration, both (n_train,); NaN for all but a sample of the rows where
    the training estimates f, as all of them take hours."""
    if snapshot.sampled is None:
        at = _evaluation(comparison, key, snapshot)
        return at.p, np.exp(at.entropy)
    rows = np.flatnonzero(comparison.prepared.train)
    sample = _sample(len(rows), comparison.panel(key).recipe.random_state)
    at = panel_evaluator(comparison, key, rows).estimate(snapshot.transformation, [sample], nullcontext)
    found = np.full((2, len(rows)), np.nan)
    found[:, sample] = at.p, np.exp(at.entropy)
    return found[0], found[1]


def scale_at(comparison: Comparison, key: str, snapshot: Snapshot) -> tuple[float, float, float]:
    """(f/n, exp(mean entropy), mean exp(entropy)) of the training rows at an iteration.

    Taken from the snapshot, or measured where it comes without, as some trainings leave them out with the accuracies.
    """
    if not np.isnan(snapshot.k_mean_entropy):
        return snapshot.mean_p, snapshot.k_mean_entropy, snapshot.k_mean_perplexity
    at = _evaluation(comparison, key, snapshot)
    return at.mean_p, k_mean_entropy(at.entropy), k_mean_perplexity(at.entropy)


def shared_k(comparison: Comparison, newest: Mapping[str, Snapshot | None]) -> int:
    """K̂ of the first training that has an iteration, rounded; 0 before any.

    Panels without a K̂ of their own use it, so that all vote with as many neighbours.

    newest: where the trainings are, by the panel's key.
    """
    for panel in comparison.panels:
        at = newest.get(panel.key)
        if at is not None and not panel.problem:
            return rounded_k(scale_at(comparison, panel.key, at)[1])
    return 0


@dataclass(frozen=True)
class Classified:
    """How well one rule classifies the held-out rows in one panel."""

    # share of the labelled held-out rows that it classifies correctly; NaN where it has no meaning or cannot run
    accuracy: float
    note: str = ""  # what the rule chose or had to change, or why it cannot run


@dataclass(frozen=True)
class RuleScores:
    """The rules of CLASSIFIERS on one panel, or on all features."""

    title: str
    n_train: int  # n_train, n_queries: training rows of the rules, and held-out rows that they classify
    n_queries: int
    by_rule: dict[str, Classified]  # in the order of CLASSIFIERS


def measure_rules(
    comparison: Comparison, key: str | None, snapshot: Snapshot | None = None, rules: Collection[str] = CLASSIFIERS
) -> RuleScores:
    """Rules of CLASSIFIERS on the held-out rows.

    comparison: with rows held out.
    key: key of the panel; None for the distances of all features as prepared.
    snapshot: as for `measure`.
    rules: keys of the rules; all of them by default.
    """
    at = projection(comparison, key, snapshot)
    rng = np.random.default_rng(at.random_state)
    train, queries = at.labelled()
    train = train[stratified_sample(at.y[train], MOST_RULE_ROWS, rng)]
    if len(queries) > QUERIES:
        queries = np.sort(rng.choice(queries, QUERIES, replace=False))
    found: dict[str, Classified] = {}
    for rule in (CLASSIFIERS[key] for key in CLASSIFIERS if key in rules):
        predicted, note = classes_by(rule, at, train, queries)
        right = float("nan") if predicted is None else float(np.mean(predicted == at.y[queries]))
        found[rule.key] = Classified(right, note)
    return RuleScores(at.title, len(train), len(queries), found)


def classes_by(
    rule: Classifier, at: ProjectedRows, train: np.ndarray, queries: np.ndarray
) -> tuple[np.ndarray | None, str]:
    """(class codes of `queries` by `train`, a remark), both row numbers; no codes where the rule cannot run."""
    if rule.by_scale and not at.learnt:
        return None, ""
    if not len(train) or not len(queries):
        return None, "no labelled rows"
    classes, codes = np.unique(at.y[train], return_inverse=True)
    try:
        prediction = rule.predict(at.Y[train], codes, at.Y[queries])
    except (ValueError, np.linalg.LinAlgError) as error:
        return None, f"cannot run here: {error}"
    return classes[prediction.codes], prediction.note

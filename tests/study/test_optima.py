"""Many starts of one training: what they reach, which are the same, and what lies between."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.sparse.csgraph import connected_components
from scipy.spatial.distance import cdist
from scipy.special import softmax
from scipy.stats import ortho_group

from datasets.base.words import percent
from datasets.catalogue import load_dataset
from nca_core.features.covariance import turned_towards
from nca_core.methods import METHODS
from nca_core.training.starts import scaled_start
from study.optima import (
    BEYOND,
    LevelWays,
    LineBetween,
    Optima,
    Reached,
    Trial,
    line_between,
    many_starts,
    plane_through,
    procrustes_distances,
    spread_factor,
    trials,
)
from study.panel import PanelRecipe
from tests.study import oracle
from tests.study.some_data import compared, overlapping


@pytest.fixture(scope="module")
def comparison():
    return compared(PanelRecipe("pca"), PanelRecipe("nca", {"max_iter": 30}), PanelRecipe("neural_nca"))


@pytest.fixture(scope="module")
def found(comparison):
    return list(many_starts(comparison, "nca", 18))[-1]


def test_starts_are_different_and_begin_with_the_named_ones():
    some = trials(64)
    assert len(set(some)) == len(some) == 64
    assert some[0] == Trial("pca", 0, 1.0)
    assert {one.start for one in some} >= {"pca", "lda", "whitening", "random", "uniform"}
    assert {one.scale for one in some if one.start == "random"} == {1.0, 3.0, 0.3}
    assert trials(3) == some[:3]
    assert trials(20, 7)[0].seed == 7


def test_each_is_the_training_from_its_start(comparison, found):
    panel, rows = comparison.panel("nca"), comparison.prepared.train
    y = comparison.prepared.dataset.y[rows]
    for one in (found.reached[0], found.reached[7], found.reached[16]):
        start = scaled_start(panel.X[rows], panel.y[rows], 2, one.trial.start, one.trial.seed).transformation
        np.testing.assert_array_equal(one.initial, start * one.trial.scale)
        run = comparison.new_run("nca", initial=one.initial)
        run.start()
        run.wait_for_end()
        first, last = run.trajectory.snapshots[0], run.trajectory.snapshots[-1]
        np.testing.assert_array_equal(first.transformation, one.initial)
        np.testing.assert_array_equal(last.transformation, one.transformation)
        assert last.iteration == one.iterations
        assert one.mean_p == pytest.approx(oracle.mean_p(oracle.places(one.transformation, panel.X[rows]), y))
    assert len(np.unique(found.mean_p)) > 2


MATRICES = [key for key, method in METHODS.items() if method.kind == "trained" and method.linear]


@pytest.mark.parametrize("key", [key for key in MATRICES if key != "mlkr"])
def test_f_is_told_of_every_training_also_of_one_that_leaves_it_out_on_its_way(key):
    comparison = compared(PanelRecipe(key, {"max_iter": 5} if "max_iter" in METHODS[key].with_defaults({}) else {}))
    panel, rows = comparison.panel(key), comparison.prepared.train
    found = list(many_starts(comparison, key, 3))[-1]
    for one in found.reached:
        places = oracle.places(one.transformation, panel.X[rows])
        assert one.mean_p == pytest.approx(oracle.mean_p(places, comparison.prepared.dataset.y[rows]))
    assert "nan" not in found.sentence
    assert found.mean_p[found.best] == found.mean_p.max()
    assert found.best_of_groups[0] == found.best
    assert [found.groups[one] for one in found.best_of_groups] == list(range(found.groups.max() + 1))


def test_of_a_label_of_numbers_the_ends_of_a_line_are_what_was_reached():
    panel = PanelRecipe("nca", {"max_iter": 8, "target_similarity": "gaussian"})
    comparison = compared(panel, dataset=overlapping(numbers=True))
    found = list(many_starts(comparison, "nca", 2))[-1]
    line = line_between(comparison, "nca", *(one.transformation for one in found.reached))
    ends = [line.mean_p[np.flatnonzero(line.t == end)[0]] for end in (0.0, 1.0)]
    assert ends == pytest.approx(found.mean_p)
    rows, data = comparison.prepared.train, comparison.prepared.dataset
    plain = oracle.mean_p(oracle.places(found.reached[0].transformation, data.X[rows]), data.y[rows])
    assert abs(plain - ends[0]) > 0.01  # by classes it would be another number


def test_what_has_no_matrix_has_no_starts(comparison):
    for key in ("pca", "neural_nca"):
        with pytest.raises(ValueError, match="has no A"):
            next(many_starts(comparison, key, 5))


def made(values, matrices, joined, predicted=None, held_out=True, cut_off=()):
    predicted = [[0, 1, 1, 0]] * len(values) if predicted is None else predicted
    reached = tuple(
        Reached(Trial("random", k, 1.0), A, A, value, 9, k in cut_off, A, np.array(predicted[k]))
        for k, (value, A) in enumerate(zip(values, matrices, strict=True))
    )
    return Optima("NCA", len(reached), reached, joined, np.array([0, 1, 1, 1]), held_out)


A, B = np.eye(2, 4), np.eye(2, 4, 2)
TURNED = ortho_group.rvs(2, random_state=2) @ A


def test_the_first_answer_is_the_largest_of_the_best_and_their_share_is_told():
    some = made([0.7, 0.9, 0.901, 0.65, 0.903, 0.7], [A, A, 3 * TURNED, B, B, A], (5, 2, 2, 3, 4, 5))
    assert some.groups.tolist() == [2, 0, 0, 3, 1, 2]  # 0.903 alone is as good as the two; those of 0.7 are not
    assert some.best_of_groups == [2, 4, 0, 3]
    assert some.best == 4
    several = f"from 0.650 to 0.903; 3 ({percent(0.5)}) come within 0.005 of the best, 2 of them to one answer."
    assert some.sentence == f"No: 6 starts of NCA lead to 4 different answers, f/n {several}"
    alone = made([0.7, 0.9], [A, B], (0, 1)).sentence
    assert alone.endswith(f"f/n from 0.700 to 0.900; 1 ({percent(0.5)}) comes within 0.005 of the best.")
    assert np.linalg.norm(some.map[1] - some.map[4]) > 1
    assert np.linalg.norm(some.map[1] - some.map[2]) == pytest.approx(0, abs=1e-6)


def test_the_sentence_says_where_there_is_no_other_answer():
    one = made([0.9, 0.9], [A, TURNED], (1, 1))
    assert one.sentence == "As far as 2 starts can tell, yes: NCA comes to one answer from all, f/n = 0.900."
    assert "2 starts of 8 can tell" in replace(one, wanted=8).sentence
    two = made([0.9, 0.9], [A, B], (0, 1)).sentence
    assert two.startswith("No, but none is better: 2 starts of NCA lead to 2 different answers, all with f/n near 0.9")
    assert made([0.9], [A], (0,)).map.tolist() == [[0, 0]]
    assert made([0.9, 0.8], [A, B], (0, 1)).map[1, 0] == pytest.approx(np.sqrt(2))


def test_what_it_is_worth_is_told_of_those_that_are_as_good():
    predicted = [[0, 1, 1, 0], [0, 1, 1, 1], [1, 1, 0, 0], [1, 0, 0, 0]]
    some = made([0.9, 0.899, 0.898, 0.5], [A, B, A, B], (0, 1, 2, 3), predicted)
    assert some.accuracy.tolist() == [0.75, 1.0, 0.25, 0.0]
    assert some.like_the_best.tolist() == [1.0, 0.75, 0.5, 0.25]
    words = f"as good take {percent(0.625)} of the held-out rows", f"{percent(0.25)} to {percent(1)} of them correctly"
    assert all(each in some.worth for each in (*words, f"{percent(0.75)} in the best."))
    alone = made([0.5, 0.9, 0.7], [A, B, A], (0, 1, 2), [predicted[0], predicted[1], predicted[3]], held_out=False)
    words = (
        f"next best (f/n = 0.700) takes {percent(0)} of the training rows (leave-one-out)",
        f"classifies {percent(0)} of",
    )
    assert all(each in alone.worth for each in (*words, f"correctly, {percent(1)} in the best."))
    assert made([0.9], [A], (0,)).worth == some.unfinished == ""
    assert made([0.9, 0.8], [A, B], (0, 1), cut_off={1}).unfinished.startswith("1 of 2 was still climbing at the limit")


def test_what_1_nn_tells_is_of_the_labelled_held_out_rows(comparison, found):
    ready = comparison.prepared
    y, train = ready.dataset.y, np.flatnonzero(ready.train & (ready.dataset.y >= 0))
    asked = np.flatnonzero(ready.held_out & (y >= 0))
    assert found.held_out
    np.testing.assert_array_equal(found.right, y[asked])
    for one in (found.reached[3], found.reached[17]):
        Y = oracle.places(one.transformation, ready.dataset.X)
        assert one.predicted.tolist() == [oracle.vote(Y[train], y[train], Y[row], 1) for row in asked]
    assert {one.cut_off for one in found.reached} == {one.iterations == 30 for one in found.reached} == {True, False}


def test_without_held_out_rows_each_training_row_is_told_by_the_others():
    comparison = compared(PanelRecipe("nca", {"max_iter": 2}), held_out=0.0)
    found = next(many_starts(comparison, "nca", 1))
    ready, rows = comparison.prepared, np.flatnonzero(comparison.prepared.train)
    Y, y = oracle.places(found.reached[0].transformation, ready.dataset.X)[rows], ready.dataset.y[rows]
    assert not found.held_out
    assert found.reached[0].predicted.tolist() == [oracle.vote(Y, y, Y[i], 1, left_out=i) for i in range(len(rows))]


def valley(X, y, first, second):
    """How far f/n falls below the lower end on the straight way, the second turned onto the first."""
    places = X @ first.T, X @ second.T
    u, _, vt = np.linalg.svd(places[0].T @ places[1])
    values = []
    for t in (0, 0.25, 0.5, 0.75, 1):
        p = softmax(
            np.where(np.eye(len(X)), -np.inf, -(cdist(*[X @ ((1 - t) * first + t * u @ vt @ second).T] * 2) ** 2)), 1
        )
        values.append(p[y[:, None] == y[None, :]].sum() / len(X))
    return min(values[0], values[-1]) - min(values)


def test_those_are_one_answer_that_a_level_way_leads_between():
    comparison = compared(PanelRecipe("nca", {"max_iter": 15}), dataset=load_dataset("wine"))
    found = list(many_starts(comparison, "nca", 18))[-1]
    rows = comparison.prepared.train
    X, y = comparison.prepared.dataset.X[rows], comparison.prepared.dataset.y[rows]
    X = X - X.mean(axis=0)
    near = np.abs(found.mean_p[:, None] - found.mean_p[None, :]) <= 0.005
    level = np.eye(18, dtype=bool)
    for i, j in zip(*np.nonzero(np.triu(near, 1)), strict=True):
        level[i, j] = valley(X, y, found.reached[i].transformation, found.reached[j].transformation) <= 0.005
    wanted = connected_components(level, directed=False)[1]
    assert (found.groups[:, None] == found.groups).tolist() == (wanted[:, None] == wanted).tolist()
    assert 1 < wanted.max() + 1 < 15
    by_f_alone = connected_components(near, directed=False)[1]
    assert by_f_alone.max() < wanted.max()  # some are as good as others, and yet not the same


def test_a_turned_view_and_one_that_differs_only_where_nothing_varies_are_the_same(comparison):
    A = comparison.trained("nca").snapshots[-1].transformation
    ways = LevelWays(comparison, "nca")
    turned = ortho_group.rvs(2, random_state=1) @ A
    assert [ways.join(matrix) for matrix in (A, 0.2 * A, turned)] == [(0,), (0, 1), (2, 1, 2)]
    assert procrustes_distances([ways.view(A), ways.view(3 * turned)])[0, 1] == pytest.approx(0, abs=1e-6)


def test_f_along_the_line_and_on_the_plane_is_that_of_the_definition(comparison, found):
    rows, y = comparison.prepared.train, comparison.prepared.dataset.y
    X = comparison.prepared.dataset.X[rows]
    first, second, third = (found.reached[k].transformation for k in (0, 16, 17))
    line = line_between(comparison, "nca", first, second, steps=7)
    assert line.t[0] == -BEYOND
    assert {0.0, 1.0} <= set(line.t)
    factor = spread_factor(X)
    to = turned_towards(second, first, factor)
    for t, value in zip(line.t, line.mean_p, strict=True):
        assert value == pytest.approx(oracle.mean_p(oracle.places(first + t * (to - first), X), y[rows]))
    assert line.mean_p[line.t == 1.0] == pytest.approx(found.reached[16].mean_p)
    t, values = plane_through(comparison, "nca", first, second, third, steps=3)
    across, up = to - first, turned_towards(third, first, factor) - first
    at = first + t[2] * across + t[0] * up
    assert values[0, 2] == pytest.approx(oracle.mean_p(oracle.places(at, X), y[rows]))


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ([0.5, 0.9, 0.6, 0.8, 0.4], "falls to 0.600: a valley"),
        # as level as where optima are joined to one answer, and a little less
        ([0.5, 0.8, 0.796, 0.9, 0.1], "never falls more than 0.005 below"),
        ([0.5, 0.8, 0.794, 0.9, 0.1], "a valley"),
    ],
)
def test_the_sentence_of_a_line_is_about_what_lies_between(values, words):
    line = LineBetween(np.array([-0.25, 0.0, 0.5, 1.0, 1.25]), np.array(values), 50, 50)
    assert words in line.sentence
    assert "Measured on" not in line.sentence
    assert replace(line, n_train=60).sentence.endswith("Measured on 50 of 60 training rows.")


RNG = np.random.default_rng(3)
X = RNG.normal(size=(30, 4)) * [1.0, 5.0, 0.2, 1.0] + 9
X[:, 3] = 2.0  # never varies


def by_angles(A, B):
    """The least ‖A − R B‖ over rotations and reflections of the plane, by looking at all angles."""

    def distance(angle, side):
        c, s = np.cos(angle), np.sin(angle)
        return np.linalg.norm(A - np.array([[c, -s * side], [s, c * side]]) @ B)

    starts = [(angle, side) for angle in np.linspace(0, 2 * np.pi, 12) for side in (1, -1)]
    return min(minimize(lambda x, side=side: distance(x[0], side), [angle]).fun for angle, side in starts)


@pytest.mark.parametrize("rows", [30, 3], ids=["many rows", "fewer rows than features"])
def test_by_the_factor_views_are_as_far_apart_as_the_places_of_their_rows(rows):
    A, B = RNG.normal(size=(2, 2, 4))
    factor = spread_factor(X[:rows])
    places = [(X[:rows] - X[:rows].mean(axis=0)) @ matrix.T for matrix in (A, B)]
    wanted = by_angles(*(Y.T / np.linalg.norm(Y) for Y in places))
    assert procrustes_distances([A @ factor.T, B @ factor.T])[0, 1] == pytest.approx(wanted, abs=1e-6)
    assert abs(procrustes_distances([A, B])[0, 1] - wanted) > 0.05
    to = turned_towards(B, A, factor)
    away = np.linalg.norm(places[0].T - to @ (X[:rows] - X[:rows].mean(axis=0)).T)
    assert away == pytest.approx(by_angles(places[0].T, places[1].T), abs=1e-6)
    np.testing.assert_allclose(to.T @ to, B.T @ B)

"""Many starts of one training: what they reach, which are the same, and what lies between."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.stats import ortho_group

from datasets.base.dataset import Dataset, Source
from nca_core.initialisation import start_transformation
from nca_core.methods import METHODS
from nca_core.training import TrainingStopped
from study.compare import compare
from study.landscape import BEYOND, Line, line_between, plane_through
from study.optima import Optima, Reached, Trial, many_starts, procrustes_distances, trials, turned_onto
from study.panel import PanelRecipe
from tests.study import oracle
from tests.study.some_data import compared, recipe_of

RNG = np.random.default_rng(3)


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
        start = start_transformation(panel.X[rows], panel.y[rows], 2, one.trial.start, one.trial.seed)
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
    rng = np.random.default_rng(4)
    X = rng.normal(size=(80, 4))
    target = X[:, 0] + 0.2 * rng.normal(size=80)
    codes = np.digitize(target, np.quantile(target, [0.25, 0.5, 0.75]))
    names = tuple("abcd")
    dataset = Dataset("numbers", X, codes, names, ("1", "2", "3", "4"), Source("made here"), target=target)
    panel = PanelRecipe("nca", {"max_iter": 8, "target_similarity": "gaussian"})
    comparison = compare(recipe_of(panel), dataset)
    found = list(many_starts(comparison, "nca", 2))[-1]
    line = line_between(comparison, "nca", *(one.transformation for one in found.reached))
    ends = [line.mean_p[np.flatnonzero(line.t == end)[0]] for end in (0.0, 1.0)]
    assert ends == pytest.approx(found.mean_p)
    plain = oracle.mean_p(
        oracle.places(found.reached[0].transformation, X[comparison.prepared.train]), codes[comparison.prepared.train]
    )
    assert abs(plain - ends[0]) > 0.01  # by classes it would be another number


def test_it_tells_how_far_it_is_and_can_be_ended(comparison):
    parts = many_starts(comparison, "nca", 5)
    assert [(len(next(parts).reached), next(parts).wanted) for _ in range(1)] == [(1, 5)]

    def stop():
        raise TrainingStopped

    with pytest.raises(TrainingStopped):
        next(many_starts(comparison, "nca", 5, stop))
    for key in ("pca", "neural_nca"):
        with pytest.raises(ValueError, match="has no A"):
            next(many_starts(comparison, key, 5))


def by_angles(A, B):
    """The least ‖A − R B‖ over rotations and reflections of the plane, by looking at all angles."""

    def distance(angle, side):
        c, s = np.cos(angle), np.sin(angle)
        return np.linalg.norm(A - np.array([[c, -s * side], [s, c * side]]) @ B)

    starts = [(angle, side) for angle in np.linspace(0, 2 * np.pi, 12) for side in (1, -1)]
    return min(minimize(lambda x, side=side: distance(x[0], side), [angle]).fun for angle, side in starts)


def test_procrustes_distances_are_the_least_over_all_rotations():
    matrices = [RNG.normal(size=(2, 4)) for _ in range(4)]
    distances = procrustes_distances(matrices)
    units = [A / np.linalg.norm(A) for A in matrices]
    for i in range(4):
        for j in range(4):
            assert distances[i, j] == pytest.approx(by_angles(units[i], units[j]) if i != j else 0, abs=1e-6)
    R = ortho_group.rvs(2, random_state=1)
    same = procrustes_distances([matrices[0], 7 * R @ matrices[0]])
    assert same[0, 1] == pytest.approx(0, abs=1e-6)
    A, B = matrices[:2]
    assert np.linalg.norm(A - turned_onto(A, B)) == pytest.approx(by_angles(A, B), abs=1e-6)
    np.testing.assert_allclose(turned_onto(A, B).T @ turned_onto(A, B), B.T @ B)


def made(values, matrices):
    reached = tuple(
        Reached(Trial("random", k, 1.0), A, A, value, 9)
        for k, (value, A) in enumerate(zip(values, matrices, strict=True))
    )
    return Optima("NCA", len(reached), reached)


A, B = np.eye(2, 4), np.eye(2, 4, 2)
TURNED = ortho_group.rvs(2, random_state=2) @ A


def test_equal_optima_are_one_group_and_the_best_is_the_first():
    some = made([0.7, 0.9, 0.901, 0.7, 0.9], [A, A, 3 * TURNED, B, B])
    assert some.groups.tolist() == [2, 0, 0, 3, 1]  # one A with another f/n is another place of the climb
    assert some.as_good == 3
    assert "5 starts reach 4 different optima, f/n from 0.700 to 0.901. 3 of 5 (60\N{NO-BREAK SPACE}%)" in some.sentence
    assert "start 3 found it" in some.sentence
    # On the map the distances are kept as far as two dimensions can.
    apart = np.linalg.norm(some.map[1] - some.map[4])
    assert apart > 1
    assert np.linalg.norm(some.map[1] - some.map[2]) == pytest.approx(0, abs=1e-6)


def test_the_sentence_says_where_there_is_no_other_answer():
    assert "all reach one optimum, f/n = 0.900: no other" in made([0.9, 0.9], [A, TURNED]).sentence
    assert "different views, all about as good" in made([0.9, 0.9], [A, B]).sentence
    part = replace(made([0.9, 0.9], [A, TURNED]), wanted=8)
    assert part.sentence.startswith("NCA: 2 starts of 8 all reach")
    assert made([0.9], [A]).map.tolist() == [[0, 0]]
    assert made([0.9, 0.8], [A, B]).map[1, 0] == pytest.approx(np.sqrt(2))


def test_f_along_the_line_and_on_the_plane_is_that_of_the_definition(comparison, found):
    rows, y = comparison.prepared.train, comparison.prepared.dataset.y
    X = comparison.prepared.dataset.X[rows]
    first, second, third = (found.reached[k].transformation for k in (0, 16, 17))
    line = line_between(comparison, "nca", first, second, steps=7)
    assert line.t[0] == -BEYOND
    assert {0.0, 1.0} <= set(line.t)
    to = turned_onto(first, second)
    for t, value in zip(line.t, line.mean_p, strict=True):
        assert value == pytest.approx(oracle.mean_p(oracle.places(first + t * (to - first), X), y[rows]))
    assert line.mean_p[line.t == 1.0] == pytest.approx(found.reached[16].mean_p)
    t, values = plane_through(comparison, "nca", first, second, third, steps=3)
    across, up = turned_onto(first, second) - first, turned_onto(first, third) - first
    at = first + t[2] * across + t[0] * up
    assert values[0, 2] == pytest.approx(oracle.mean_p(oracle.places(at, X), y[rows]))


@pytest.mark.parametrize(
    ("values", "words"),
    [([0.5, 0.9, 0.6, 0.8, 0.4], "falls to 0.600: a valley"), ([0.5, 0.8, 0.85, 0.9, 0.1], "never falls below")],
    ids=["valley", "ridge"],
)
def test_the_sentence_of_a_line_is_about_what_lies_between(values, words):
    line = Line(np.array([-0.25, 0.0, 0.5, 1.0, 1.25]), np.array(values), 50, 50)
    assert words in line.sentence
    assert "Told by" not in line.sentence
    assert replace(line, n_train=60).sentence.endswith("Told by 50 of 60 training rows.")

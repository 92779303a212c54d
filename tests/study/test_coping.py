"""Trainings whose data changed or whose A was moved: what is carried over, and what is said of it."""

from dataclasses import replace

import numpy as np
import pytest

from datasets.base.words import percent
from datasets.noise_lab import NoiseConfig, add_noise
from nca_core.objectives.evaluator import Evaluator
from nca_core.snapshot import Snapshot
from study.compare import compare
from study.coping import (
    NoiseResponse,
    carried_over,
    compared_weights,
    coping_sentence,
    noise_response,
    recovery,
    retrained,
    what_changed,
)
from study.differences import predictions
from study.measure import measure
from study.panel import PanelRecipe
from study.verdict import held_out_confusion
from tests.study.some_data import overlapping, recipe_of

NAN = float("nan")
PANELS = PanelRecipe("pca"), PanelRecipe("nca", {"max_iter": 6})


def noisy(**noise):
    return compare(recipe_of(*PANELS, **noise), overlapping())


def test_every_number_of_held_out_rows_is_by_the_labels_that_they_came_with():
    comparison = noisy(flipped_share=0.4)
    ready, at = comparison.prepared, comparison.trained("nca").snapshots[-1]
    Y, y = ready.dataset.X @ at.transformation.T, add_noise(overlapping(), comparison.recipe.noise, ready.train).y
    train, new = np.flatnonzero(ready.train), np.flatnonzero(ready.held_out)
    nearest = train[((Y[new][:, None] - Y[train][None]) ** 2).sum(axis=2).argmin(axis=1)]
    given = overlapping().y
    assert np.mean(y[train] != given[train]) == pytest.approx(0.4, abs=0.01)
    right = float(np.mean(y[nearest] == given[new]))
    found = noise_response(comparison, "nca", at)
    table = held_out_confusion(comparison, "nca", predictions(comparison, "nca", at))
    engine = comparison.new_run("nca", min_interval=0)
    engine.start()
    assert engine.wait_for_end(60)
    of_curve = engine.trajectory.snapshots[-1].held_out_1nn
    everywhere = (
        found.held_out_1nn,
        measure(comparison, "nca", at).held_out_1nn,
        np.trace(table) / table.sum(),
        of_curve,
    )
    assert everywhere == pytest.approx([right] * 4)
    np.testing.assert_array_equal(found.right, y[nearest] == given[new])
    wanted = "NCA", at.iteration, at.mean_p, at.k_mean_entropy
    assert (found.title, found.iteration, found.mean_p, found.k_mean_entropy) == wanted
    assert np.isnan(found.weight)
    (anew,) = retrained(comparison, ["nca"])  # from its own start to the end
    assert (anew["nca"].mean_p, anew["nca"].held_out_1nn) == (found.mean_p, found.held_out_1nn)


@pytest.mark.parametrize(
    ("noise", "columns"), [({"noise_columns": 3}, [6, 7, 8]), ({"rescaled_column": 0, "factor": 3.0}, [0])]
)
@pytest.mark.parametrize("step", ["standardise", "none"])
def test_the_weight_is_the_spread_that_the_changed_features_make(noise, columns, step):
    recipe = recipe_of(*PANELS, **noise)
    comparison = compare(replace(recipe, preparation=replace(recipe.preparation, step=step)), overlapping())
    at, ready = comparison.trained("nca").snapshots[-1], comparison.prepared
    for key, A in (("pca", comparison.panel("pca").transformation), ("nca", at.transformation)):
        X = ready.dataset.X[ready.train]
        spread = np.array([np.var(np.outer(X[:, f], A[:, f]), axis=0).sum() for f in range(X.shape[1])])
        found = noise_response(comparison, key, at if key == "nca" else None)
        assert found.weight == pytest.approx(spread[columns].sum() / spread.sum())
        assert 0.001 < found.weight < 0.999


def test_what_changed_is_said_of_each_thing_that_did():
    idle, flipped = NoiseConfig(), NoiseConfig(flipped_share=0.15)
    first, second = (NoiseConfig(rescaled_column=k, factor=10.0) for k in (1, 2))
    for before, after, words in (
        (idle, replace(idle, rescaled_column=2), ""),
        (idle, NoiseConfig(noise_columns=1), "1 column of noise was added."),
        (NoiseConfig(noise_columns=5), idle, "5 columns of noise were taken away."),
        (first, second, "X1 is as it came again, x2 was multiplied by 10."),
        (first, replace(first, factor=1.0), "X1 is as it came again."),
        (flipped, idle, "All labels are as they came."),
    ):
        assert what_changed(before, after, overlapping()) == words
    assert what_changed(idle, flipped, overlapping()).startswith(f"{percent(0.15)} of the training labels are flipped")


def at(f, held_out, iteration=7, weight=NAN, title="NCA", n=1_000):
    """Of nested rows: those that are right with a smaller accuracy are right with a larger one."""
    right = np.arange(n) < (0 if np.isnan(held_out) else round(held_out * n))
    return NoiseResponse(title=title, iteration=iteration, mean_p=f, held_out_1nn=held_out, right=right, weight=weight)


@pytest.mark.parametrize(
    ("numbers", "anew", "words"),
    [
        (((0.9, 0.9), (0.5, 0.9), (0.6, 0.6)), 0.9, "fell from 0.900 to 0.500 at once and is 0.600 at iteration 7;"),
        (((0.9, 0.9), (0.5, 0.9), (0.6, 0.6)), 0.9, "It does not cope."),
        (((0.9, 0.9), (0.9, 0.9), (0.9, 0.9)), 0.7, "It does not cope."),  # a converged A that stays proves little
        (((0.9, 0.9), (0.9, 0.9), (0.9, 0.9)), 0.9, "It copes: no loss of more than 2 points."),
        (((0.5, 0.5), (0.6, 0.5), (0.6, 0.9)), 0.8, "It copes, and better than before."),
        (((0.5, 0.5), (0.6, 0.5), (0.6, 0.9)), 0.8, f"Trained anew to the end: f/n 0.700, {percent(0.8)} of held-out"),
        (((0.5, 0.5), (0.5004, 0.5), (0.6, 0.9)), None, "its f/n stayed at 0.500 and"),  # as far as one can read
        (((0.5, 0.5), (0.5006, 0.5), (0.6, 0.9)), None, "rose from 0.500 to 0.501 at once"),
        (((0.9, NAN), (0.5, NAN), (0.6, NAN)), None, "Hold rows out"),
    ],
)
def test_what_became_of_it_is_true_of_the_numbers(numbers, anew, words):
    before, first, now = (at(*pair) for pair in numbers)
    said = coping_sentence(before, first, now, True, anew=None if anew is None else at(0.7, anew))
    assert words in said
    assert "carried over, so it began anew" in coping_sentence(before, first, now, True, kept=False)
    assert anew is not None or "cope" not in said
    assert "cope" not in coping_sentence(before, first, now, False, anew=at(0.7, 0.9))
    few = at(0.9, 0.9, n=20)
    assert "cannot be told from 20" in coping_sentence(few, few, at(0.9, 0.85, n=20), True, anew=few)


def test_weights_are_named_panel_by_panel():
    now = {"pca": at(NAN, 0.9, None, 0.434, "PCA"), "nca": at(0.9, 0.9, weight=0.02), "tsne": at(NAN, 0.9)}
    said = compared_weights(NoiseConfig(noise_columns=2), overlapping(), now)
    assert said.startswith("Share of the spread of each picture due to noise: ")
    assert said.endswith(f": PCA: {percent(0.43)}, NCA: {percent(0.02)}.")
    assert compared_weights(NoiseConfig(), overlapping(), now) == ""
    named = compared_weights(NoiseConfig(rescaled_column=1, factor=3.0), overlapping(), now)
    assert "due to x1: " in named


FEW = {"max_iter": 5}


def both(noise, *, before=None, step="standardise", panel=None, **preparation):
    """(the training's last snapshot, the comparison before, the one with `noise`)."""
    panel = panel or PanelRecipe("nca", FEW)
    recipe = recipe_of(panel)
    recipe = replace(
        recipe, noise=before or recipe.noise, preparation=replace(recipe.preparation, step=step, **preparation)
    )
    first = compare(recipe, overlapping())
    return first.trained(panel.key).snapshots[-1], first, compare(replace(recipe, noise=noise), overlapping())


@pytest.mark.parametrize("step", ["standardise", "none", "min-max", "robust", "whitening"])
def test_new_columns_begin_at_zero_and_leave_f_as_it_was(step):
    at, before, after = both(NoiseConfig(noise_columns=4), step=step)
    A = carried_over(at, "nca", before, after)
    if step != "whitening":  # which mixes the features
        np.testing.assert_allclose(A[:, :6], at.transformation, rtol=1e-12)
        assert not A[:, 6:].any()
    train = after.prepared.train
    np.testing.assert_array_equal(train, before.prepared.train)
    y = after.prepared.dataset.y[train]
    Y, Z = before.prepared.dataset.X[train] @ at.transformation.T, after.prepared.dataset.X[train]
    np.testing.assert_allclose(Z @ A.T - (Z @ A.T).mean(axis=0), Y - Y.mean(axis=0), atol=1e-9)
    assert Evaluator(Z, y).evaluate(A).p.mean() == pytest.approx(at.mean_p, rel=1e-9)


@pytest.mark.parametrize("step", ["standardise", "none"])
def test_a_rescaled_feature_keeps_its_weight_in_its_own_units(step):
    at, before, after = both(NoiseConfig(rescaled_column=4, factor=10.0), step=step)
    A = carried_over(at, "nca", before, after)
    raw, ready = overlapping().X, after.prepared
    stretched = raw * [1, 1, 1, 1, 10, 1]
    unit = raw[ready.train].std(axis=0) if step == "standardise" else np.ones(6)
    meant = stretched @ (at.transformation / unit).T
    found = ready.dataset.X @ A.T
    np.testing.assert_allclose(found - found.mean(axis=0), meant - meant.mean(axis=0), atol=1e-9)
    others = [0, 1, 2, 3, 5]
    np.testing.assert_allclose(A[:, others], at.transformation[:, others], rtol=1e-12)
    factor = 10.0 if step == "standardise" else 1.0  # standardised, the same stretching stands in A
    np.testing.assert_allclose(A[:, 4], factor * at.transformation[:, 4], rtol=1e-12)


def test_flipped_labels_leave_a_and_the_split_as_they_were():
    at, before, after = both(NoiseConfig(flipped_share=0.4))
    np.testing.assert_allclose(carried_over(at, "nca", before, after), at.transformation, rtol=1e-12)
    np.testing.assert_array_equal(after.prepared.held_out, before.prepared.held_out)
    flipped = after.prepared.dataset.y != before.prepared.dataset.y
    assert flipped.sum() == round(0.4 * after.prepared.train.sum())
    assert not flipped[after.prepared.held_out].any()


def test_columns_that_go_take_their_weights_along():
    at, before, after = both(NoiseConfig(noise_columns=1), before=NoiseConfig(noise_columns=3))
    assert at.transformation.shape == (2, 9)
    np.testing.assert_allclose(carried_over(at, "nca", before, after), at.transformation[:, :7], rtol=1e-9)


@pytest.mark.parametrize(("features", "columns"), [("raw", 9), ("clean", 6)])
def test_features_prepared_otherwise_are_carried_by_their_own_preparation(features, columns):
    panel = PanelRecipe("nca", FEW, features=features)
    at, before, after = both(NoiseConfig(noise_columns=3), panel=panel)
    A = carried_over(at, "nca", before, after)
    assert A.shape == (2, columns)
    np.testing.assert_allclose(A[:, :6], at.transformation, rtol=1e-9)


@pytest.mark.parametrize(
    "options",
    [
        {"panel": PanelRecipe("nca", FEW, features="rbf")},
        {"panel": PanelRecipe("neural_nca", {"max_iter": 2})},
        {"components": 3},
    ],
    ids=["kernel", "network", "principal components"],
)
def test_what_no_matrix_carries_begins_anew(options):
    at, before, after = both(NoiseConfig(noise_columns=4), **options)
    assert carried_over(at, before.panels[0].key, before, after) is None


def test_a_picture_that_would_be_a_little_another_one_is_not_carried():
    """Three principal components of a table of which one column is 1 % longer point a little elsewhere."""
    noise = NoiseConfig(rescaled_column=4, factor=1.01)
    at, before, after = both(noise, step="none", components=3)
    meant = before.prepared.dataset.X[before.prepared.train] @ at.transformation.T
    found = after.prepared.dataset.X[after.prepared.train] @ at.transformation.T
    assert np.abs(found - meant).max() < 0.1 * np.abs(meant).max()
    assert carried_over(at, "nca", before, after) is None


A = np.array([[1.0, 0, 0], [0, 2, 0]])
B = np.array([[0.0, 0, 1], [0, 2, 0]])
X = np.vstack([np.eye(3), -np.eye(3)]) * [1.0, 1.0, 2.0]  # centred; features of unequal spread
TURNED = np.array([[0.0, 1], [-1, 0]]) @ A
AWAY = "turned and scaled onto it, rows lie {}\N{NO-BREAK SPACE}% of its spread away"


def shot(p, matrix, iteration=0):
    return Snapshot(iteration, matrix, objective=p, mean_p=p, gradient_norm=0.0)


@pytest.mark.parametrize(
    ("now", "ended", "answer", "end"),
    [
        (shot(0.6, A, 3), False, "", ", and it is climbing: 0.600 at iteration 3."),
        (shot(0.901, 5 * TURNED), True, "Yes: ", f"climbed to 0.901, back to the same view ({AWAY.format(0)})."),
        (shot(0.9, B), True, "No: ", f"to another view that is about as good ({AWAY.format(86)})."),
        (shot(0.95, B), True, "No: ", f"to another view, which is better ({AWAY.format(86)})."),
        (shot(0.8, TURNED), True, "Nearly: ", f"to a view much like it, which is worse ({AWAY.format(0)})."),
    ],
    ids=["climbing", "back", "another", "better", "worse"],
)
def test_the_sentence_says_what_became_of_it(now, ended, answer, end):
    said = recovery("NCA", shot(0.9, A), shot(0.5, B), now, ended, X + 7)
    assert said.startswith(f"{answer}NCA was at f/n = 0.900; you moved it to 0.500, and it")
    assert said.endswith(end)

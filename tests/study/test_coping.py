"""What is said of trainings whose data changed, on data where held-out rows, flipped labels and weights differ."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from datasets.noise_lab import NoiseConfig
from study.compare import compare
from study.coping import Numbers, compared_weights, coped, numbers_of, what_changed
from study.panel import PanelRecipe
from tests.study.some_data import overlapping, recipe_of

NAN = float("nan")
PANELS = PanelRecipe("pca"), PanelRecipe("nca", {"max_iter": 6})


def noisy(**noise):
    return compare(recipe_of(*PANELS, **noise), overlapping())


def test_held_out_rows_are_told_by_the_labels_that_they_came_with():
    comparison = noisy(flipped_share=0.4)
    ready, at = comparison.prepared, comparison.trained("nca").snapshots[-1]
    Y, y = ready.dataset.X @ at.transformation.T, ready.dataset.y
    train, new = np.flatnonzero(ready.train), np.flatnonzero(ready.held_out)
    nearest = train[((Y[new][:, None] - Y[train][None]) ** 2).sum(axis=2).argmin(axis=1)]
    given = overlapping().y
    right = float(np.mean(y[nearest] == given[new]))
    assert right != pytest.approx(np.mean(y[nearest] == y[new]))
    found = numbers_of(comparison, "nca", at)
    assert (found.held_out, found.n_held_out) == (pytest.approx(right), len(new))
    assert (found.title, found.iteration, found.mean_p, found.k) == ("NCA", at.iteration, at.mean_p, at.k_mean_entropy)
    assert np.isnan(found.weight)


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
        found = numbers_of(comparison, key, at if key == "nca" else None)
        assert found.weight == pytest.approx(spread[columns].sum() / spread.sum())
        assert 0.001 < found.weight < 0.999


def test_what_changed_is_said_of_each_thing_that_did():
    idle, data = NoiseConfig(), overlapping()
    assert what_changed(idle, replace(idle, rescaled_column=2), data) == ""
    assert what_changed(idle, NoiseConfig(noise_columns=1), data) == "1 column of noise was added."
    assert what_changed(NoiseConfig(noise_columns=5), idle, data) == "5 columns of noise were taken away."
    first, second = (NoiseConfig(rescaled_column=k, factor=10.0) for k in (1, 2))
    assert what_changed(first, second, data) == "X1 is as it came again, x2 was multiplied by 10."
    assert what_changed(first, replace(first, factor=1.0), data) == "X1 is as it came again."
    flipped = what_changed(idle, NoiseConfig(flipped_share=0.15), data)
    assert flipped.startswith("15\N{NO-BREAK SPACE}% of the labels are flipped")
    assert what_changed(NoiseConfig(flipped_share=0.15), idle, data) == "All labels are as they came."


def at(f, held_out, iteration=7, weight=NAN, title="NCA"):
    return Numbers(title, iteration, f, 3.0, held_out, 100, weight)


@pytest.mark.parametrize(
    ("numbers", "ended", "words"),
    [
        (
            ((0.9, 0.9), (0.9, 0.9), (0.95, 0.87)),
            True,
            "at 0.900 and is 0.950 at iteration 7. It copes, as far as",
        ),
        (
            ((0.9, 0.9), (0.5, 0.9), (0.6, 0.6)),
            True,
            "fell from 0.900 to 0.500 at once and is 0.600 at iteration 7. It "
            "does not cope: 1-NN is right on 0.60 of the held-out rows (0.90 before)",
        ),
        (((0.5, 0.5), (0.6, 0.5), (0.6, 0.9)), True, "rose from 0.500 to 0.600 at once"),
        (((0.5, 0.5), (0.5, 0.5), (0.6, 0.9)), True, "better than before"),
        (((0.5, 0.5), (0.5004, 0.5), (0.6, 0.9)), True, "its f/n stayed at 0.500 and"),  # as far as one can read
        (((0.5, 0.5), (0.5006, 0.5), (0.6, 0.9)), True, "rose from 0.500 to 0.501 at once"),
        (((0.9, 0.9), (0.5, 0.9), (0.6, 0.6)), False, "at iteration 7; 1-NN is right on 0.60"),
        (((0.9, NAN), (0.5, NAN), (0.6, NAN)), True, "nobody can tell"),
    ],
)
def test_what_became_of_it_is_true_of_the_numbers(numbers, ended, words):
    said = coped(*(at(*pair) for pair in numbers), ended)
    assert words in said
    assert ended or "cope" not in said


def test_a_training_that_began_anew_says_so():
    said = coped(at(0.9, 0.9), at(0.2, 0.9), at(0.9, 0.9), True, kept=False)
    assert "could not be carried over, so it began anew" in said


def test_weights_are_named_panel_by_panel():
    now = {"pca": at(NAN, 0.9, None, 0.434, "PCA"), "nca": at(0.9, 0.9, weight=0.02), "tsne": at(NAN, 0.9)}
    said = compared_weights(NoiseConfig(noise_columns=2), overlapping(), now)
    assert said.replace("\N{NO-BREAK SPACE}", " ") == (
        "The noise makes up so much of the spread in each picture: PCA 43 %, NCA 2 %."
    )
    assert compared_weights(NoiseConfig(), overlapping(), now) == ""
    named = compared_weights(NoiseConfig(rescaled_column=1, factor=3.0), overlapping(), now)
    assert named.startswith("x1 makes up")

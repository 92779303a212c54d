"""Rules on a comparison: which rows are asked, from which they are told, and where a rule has no meaning."""

from __future__ import annotations

import math

import numpy as np
import pytest

from nca_core.classifiers import CLASSIFIERS
from study.measure import measure, measure_rules
from study.panel import PanelRecipe
from tests.study import oracle
from tests.study.some_data import compared


@pytest.fixture(scope="module")
def comparison():
    return compared(PanelRecipe("pca"), PanelRecipe("nca", {"max_iter": 5}), PanelRecipe("neural_nca", {"max_iter": 2}))


def rows_of(comparison):
    ready = comparison.prepared
    y = ready.dataset.y
    return ready.train & (y >= 0), ready.held_out & (y >= 0), y


def test_held_out_rows_are_told_from_training_rows_in_all_features(comparison):
    train, asked, y = rows_of(comparison)
    X = comparison.prepared.dataset.X
    found = measure_rules(comparison, None)
    assert (found.title, found.n_train, found.n_asked) == ("All features", train.sum(), asked.sum())
    expected = oracle.held_out(X[train], y[train], X[asked], y[asked], 1)
    assert found.by_rule["nearest"].accuracy == pytest.approx(expected)
    assert list(found.by_rule) == list(CLASSIFIERS)


def test_a_rule_in_a_panel_agrees_with_the_table_of_accuracies(comparison):
    for key in ("pca", "nca", "neural_nca"):
        at = comparison.train(key).snapshots[-1] if key != "pca" else None
        rules, table = measure_rules(comparison, key, at).by_rule, measure(comparison, key, at).accuracies
        assert rules["nearest"].accuracy == pytest.approx(table.held_out_1nn)


def test_rules_by_scale_are_asked_only_where_the_scale_was_learnt(comparison):
    still, trained = (
        measure_rules(comparison, key, at).by_rule
        for key, at in (("pca", None), ("nca", comparison.train("nca").snapshots[-1]))
    )
    for rule in CLASSIFIERS.values():
        assert math.isnan(still[rule.key].accuracy) == rule.by_scale
        assert 0.0 <= trained[rule.key].accuracy <= 1.0


def test_classes_without_training_rows_and_rules_that_cannot_run_leave_their_reason():
    comparison = compared(PanelRecipe("pca"))
    one = np.where(comparison.prepared.train, 0, comparison.prepared.dataset.y)
    comparison.prepared.dataset.__dict__["y"] = one  # frozen, and only the labels of this copy are meant
    found = measure_rules(comparison, None).by_rule
    assert found["lda"].note == "cannot run here: it needs two classes and more rows than classes"
    asked = comparison.prepared.held_out & (one >= 0)
    assert found["nearest"].accuracy == pytest.approx(np.mean(one[asked] == 0))

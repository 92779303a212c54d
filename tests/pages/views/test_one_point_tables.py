"""Tables of one row: classes by their names, nothing where a rule says nothing."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd

from nca_core.classifiers import CLASSIFIERS
from pages.views.one_point_tables import doubtful_table, right_and_wrong, told_sentence, told_table
from study.one_point import Doubtful
from tests.study.some_data import overlapping

DATASET = replace(overlapping(), row_numbers=np.arange(90) + 100)
TOLD = {"All features": dict.fromkeys(CLASSIFIERS, 1), "NCA": {**dict.fromkeys(CLASSIFIERS, 2), "nearest": None}}


def test_a_row_for_each_rule_and_a_column_for_each_space():
    table = told_table(TOLD, DATASET)
    assert table["Rule"].tolist() == [rule.title for rule in CLASSIFIERS.values()]
    assert set(table["All features"]) == {"b"}
    assert table["NCA"].tolist()[:2] == ["–", "c"]


def test_answers_are_counted_for_a_row_with_a_class():
    n = len(CLASSIFIERS)
    assert right_and_wrong(TOLD, 1) == f"{n} of {2 * n - 1} answers name its own class."
    assert right_and_wrong(TOLD, -1) == ""


def test_doubtful_rows_have_their_number_in_the_file():
    rows = np.array([4, 0])
    found = Doubtful(rows, np.array([0.1, 0.2]), np.array([3.0, 4.0]), np.array([2, 0]), np.array([0.7, 0.6]), 2, 80)
    table = doubtful_table(found, DATASET, pd.Series([True, False]))
    assert table["row"].tolist() == [104, 100]
    assert table["class"].tolist() == [DATASET.class_names[DATASET.y[4]], "unlabelled"]
    assert table["picks"].tolist() == ["c", "a"]
    assert table["held out"].tolist() == [True, False]


def test_the_sentence_of_a_row_says_what_the_views_know_of_it():
    assert told_sentence(7, "b", True, 3, "2 of 4 answers name its own class.") == (
        "Row 7 is of class b, held out. At iteration 3: 2 of 4 answers name its own class."
    )
    assert told_sentence(7, "b", False, None, "All.") == (
        "Row 7 is of class b, trained on, so told without itself by a view that knows it. All."
    )
    assert told_sentence(7, None, False, 3, "") == (
        "Row 7 is without a label, so nothing was trained on it. Told at iteration 3."
    )

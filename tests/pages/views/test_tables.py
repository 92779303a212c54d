"""Tables of classifiers and of rows, with class names and the row numbers of the file."""

from dataclasses import replace

import numpy as np
import pandas as pd

from datasets.base.dataset import Dataset, Source
from nca_core.classifiers import CLASSIFIERS
from pages.views.tables import (
    MOST_COLUMNS,
    MOST_ROWS,
    doubtful_table,
    predictions_table,
    right_and_wrong,
    row_sentence,
    rules_caption,
    rules_notes,
    rules_table,
    selected_rows,
)
from study.inference import wilson_interval
from study.measure import Classified, RuleScores
from study.one_point import Doubtful
from tests.study.some_data import overlapping


def test_a_row_for_each_panel_and_a_column_for_each_rule():
    nothing = float("nan")
    some = {
        key: Classified(0.1 * number, f"K = {number}" if number == 1 else "") for number, key in enumerate(CLASSIFIERS)
    }
    measured = [
        RuleScores("All features", 60, 30, {key: Classified(nothing) for key in CLASSIFIERS}),
        RuleScores("NCA", 60, 30, some),
    ]
    table = rules_table(measured)
    assert list(table["Space"]) == ["All features", "NCA"]
    assert list(table.columns[1:]) == [rule.title for rule in CLASSIFIERS.values()]
    low, high = wilson_interval(3, 30)
    assert table.iloc[1, 2] == f"0.100 ({low:.2f} to {high:.2f})"
    assert [text[:5] for text in table.iloc[1, 1:]] == [f"{0.1 * number:.3f}" for number in range(len(CLASSIFIERS))]
    assert table.iloc[0, 1:].isna().all()
    second = list(CLASSIFIERS.values())[1]
    assert rules_notes(measured) == [f"{second.title}. NCA: K = 1."]
    assert rules_caption(measured).startswith(
        "Accuracy on 30 held-out rows with its 95 % interval, predicted from 60 training"
    )


DATASET = replace(overlapping(), row_numbers=np.arange(90) + 100)
PREDICTED = {"All features": dict.fromkeys(CLASSIFIERS, 1), "NCA": {**dict.fromkeys(CLASSIFIERS, 2), "nearest": None}}


def test_a_row_for_each_rule_and_a_column_for_each_space():
    table = predictions_table(PREDICTED, DATASET)
    assert table["Rule"].tolist() == [rule.title for rule in CLASSIFIERS.values()]
    assert set(table["All features"]) == {"b"}
    assert table["NCA"].tolist()[:2] == ["–", "c"]


def test_answers_are_counted_for_a_row_with_a_class():
    n = len(CLASSIFIERS)
    assert right_and_wrong(PREDICTED, 1) == f"{n} of {2 * n - 1} predictions are right."
    assert right_and_wrong(PREDICTED, -1) == ""


def test_doubtful_rows_have_their_number_in_the_file():
    rows = np.array([4, 0])
    found = Doubtful(rows, np.array([0.1, 0.2]), np.array([3.0, 4.0]), np.array([2, 0]), np.array([0.7, 0.6]), 2, 80)
    table = doubtful_table(found, DATASET, pd.Series([True, False]))
    assert table["row"].tolist() == [104, 100]
    assert table["class"].tolist() == [DATASET.class_names[DATASET.y[4]], "unlabelled"]
    assert table["picks"].tolist() == ["c", "a"]
    assert table["held out"].tolist() == [True, False]


def test_the_sentence_of_a_row_says_what_the_views_know_of_it():
    assert row_sentence(7, "b", True, 3, "2 of 4 predictions are right.") == (
        "Row 7 is of class b, held out. At iteration 3: 2 of 4 predictions are right."
    )
    assert row_sentence(7, "b", False, None, "All.") == (
        "Row 7 is of class b, a training row (predicted without itself). All."
    )
    assert row_sentence(7, None, False, 3, "") == ("Row 7 is unlabelled. Iteration 3.")


NAMED = Dataset(
    "t",
    np.arange(8.0).reshape(4, 2),
    np.array([0, -1, 1, 0]),
    ("a\u202eb", "class"),
    ("x\u202ey", "z"),
    Source("t"),
    row_numbers=np.array([2, 3, 7, 9]),
)


def test_rows_in_their_order_with_class_and_row_number():
    table = selected_rows(NAMED, [2, 1, 0])
    assert list(table.columns) == ["row ", "class ", "a\\u202eb", "class"]
    assert table.to_numpy().tolist() == [[7, "z", 4.0, 5.0], [3, "unlabelled", 2.0, 3.0], [2, "x\\u202ey", 0.0, 1.0]]


def test_a_label_of_numbers_shows_the_number():
    table = selected_rows(replace(NAMED, target=np.array([1.5, np.nan, -2.0, 4.0])), [3, 2])
    assert table["label "].tolist() == [4.0, -2.0]
    assert "class " not in table


def test_at_most_so_many_rows_and_columns():
    wide = Dataset("t", np.zeros((500, 40)), np.zeros(500, int), tuple(f"f{k}" for k in range(40)), ("x",), Source("t"))
    assert selected_rows(wide, range(500)).shape == (MOST_ROWS, MOST_COLUMNS + 2)

"""Tables of classifiers and of rows, with class names and the row numbers of the file."""

import csv
import io
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from datasets.base.dataset import Dataset, Source
from datasets.base.words import percent
from export.statistics import encoded
from nca_core.classifiers import CLASSIFIERS
from pages.views import tables
from pages.views.tables import (
    COLUMNS,
    changed_frame,
    confusion_frame,
    differences_frame,
    fair_table,
    numbers_columns,
    result_sentence,
    splits_table,
)
from study.inference import wilson_interval
from study.measure import NAMES, Classified, Measurement, RuleScores
from study.one_point import Doubtful
from study.panel import PanelRecipe
from study.repetitions import Splits
from tests.study.some_data import overlapping, recipe_of


def test_a_row_for_each_panel_and_a_column_for_each_rule():
    nothing = float("nan")
    some = {
        key: Classified(0.1 * number, f"K = {number}" if number == 1 else "") for number, key in enumerate(CLASSIFIERS)
    }
    measured = [
        RuleScores("All features", 60, 30, {key: Classified(nothing) for key in CLASSIFIERS}),
        RuleScores("NCA", 60, 30, some),
    ]
    table = tables.rules_table(measured)
    assert list(table["Space"]) == ["All features", "NCA"]
    assert list(table.columns[1:]) == [rule.title for rule in CLASSIFIERS.values()]
    low, high = wilson_interval(3, 30)
    assert table.iloc[1, 2] == f"0.100 ({low:.2f} to {high:.2f})"
    assert [text[:5] for text in table.iloc[1, 1:]] == [f"{0.1 * number:.3f}" for number in range(len(CLASSIFIERS))]
    assert table.iloc[0, 1:].isna().all()
    second = list(CLASSIFIERS.values())[1]
    assert tables.rules_notes(measured) == [f"{second.title}. NCA: K = 1."]
    assert tables.rules_caption(measured).startswith(
        "Accuracy on 30 held-out rows with its 95 % interval, predicted from 60 training"
    )


DATASET = replace(overlapping(), row_numbers=np.arange(90) + 100)
PREDICTED = {"All features": dict.fromkeys(CLASSIFIERS, 1), "NCA": {**dict.fromkeys(CLASSIFIERS, 2), "nearest": None}}


def test_a_row_for_each_rule_and_a_column_for_each_space_and_the_right_ones_are_counted():
    table, n = tables.predictions_table(PREDICTED, DATASET), len(CLASSIFIERS)
    assert table["Rule"].tolist() == [rule.title for rule in CLASSIFIERS.values()]
    assert set(table["All features"]) == {"b"}
    assert table["NCA"].tolist()[:2] == ["–", "c"]
    assert tables.right_and_wrong(PREDICTED, 1) == f"{n} of {2 * n - 1} predictions are right."
    assert tables.right_and_wrong(PREDICTED, -1) == ""


@pytest.mark.parametrize(
    ("of", "sentence"),
    [
        (("Row 7", "b", True, 3, "2 of 4."), "Row 7 is of class b, held out. At iteration 3: 2 of 4."),
        (("Row 7", "b", False, None, "All."), "Row 7 is of class b, a training row (predicted without itself). All."),
        (("Row 7", None, False, 3, ""), "Row 7 is unlabelled. Iteration 3."),
    ],
)
def test_the_sentence_of_a_row_says_what_the_views_know_of_it(of, sentence):
    assert tables.row_sentence(*of) == sentence


def test_doubtful_rows_have_their_number_in_the_file():
    rows = np.array([4, 0])
    found = Doubtful(rows, np.array([0.1, 0.2]), np.array([3.0, 4.0]), np.array([2, 0]), np.array([0.7, 0.6]), 2, 80)
    table = tables.doubtful_table(found, DATASET, pd.Series([True, False]))
    assert table["row"].tolist() == [104, 100]
    assert table["class"].tolist() == [DATASET.class_names[DATASET.y[4]], "unlabelled"]
    assert table["picks"].tolist() == ["c", "a"]
    assert table["held out"].tolist() == [True, False]


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
    table = tables.selected_rows(NAMED, [2, 1, 0])
    assert list(table.columns) == ["row ", "class ", "a\\u202eb", "class"]
    assert table.to_numpy().tolist() == [[7, "z", 4.0, 5.0], [3, "unlabelled", 2.0, 3.0], [2, "x\\u202ey", 0.0, 1.0]]
    numbers = tables.selected_rows(replace(NAMED, target=np.array([1.5, np.nan, -2.0, 4.0])), [3, 2])
    assert numbers["label "].tolist() == [4.0, -2.0]
    assert "class " not in numbers
    called = replace(NAMED, row_names=np.array(["Ann\u202e", "", "c", "d"]), row_word="line")
    assert tables.selected_rows(called, (0, 1)).iloc[:, :3].to_numpy().tolist() == [
        [2, "Ann\\u202e", "x\\u202ey"],
        [3, "", "unlabelled"],
    ]
    assert list(tables.selected_rows(called, (0,)).columns)[:3] == ["line ", "name ", "class "]
    changed = changed_frame(called, np.array([0.1, 0.2, 0.3, 0.4]), np.array([3, 0]))
    assert changed.to_dict("list") == {
        "line": [9, 2],
        "name": ["d", "Ann\\u202e"],
        "class": ["x\\u202ey"] * 2,
        "neighbours in common": [0.4, 0.1],
    }
    wide = Dataset("t", np.zeros((500, 40)), np.zeros(500, int), tuple(f"f{k}" for k in range(40)), ("x",), Source("t"))
    assert tables.selected_rows(wide, range(500)).shape == (tables.MOST_ROWS, tables.MOST_COLUMNS + 2)


# -- a comparison


TITLES = {"pca": "PCA", "lda": "=LDA()"}
SCORES = {"pca": Measurement(key="pca", title="PCA", **{name: k / 100 for k, name in enumerate(NAMES)})}


def repeated() -> Splits:
    recipe = recipe_of(PanelRecipe("pca"), PanelRecipe("lda"))
    values = np.full((5, 2, len(NAMES)), np.nan)
    values[:, 0, NAMES.index("held_out_1nn")] = [0.7, 0.8, 0.7, 0.8, 0.75]
    values[:, 1, NAMES.index("held_out_1nn")] = [0.8, 0.91, 0.8, 0.9, 0.85]
    values[:, 0, NAMES.index("accuracy_1nn")] = 0.9
    values[:, 1, NAMES.index("accuracy_1nn")] = [0.99, 0.98, 0.99, 0.98, 0.98]
    return Splits(recipe, 5, values, 300, 100)


def test_each_number_stands_under_its_title():
    frame = fair_table(TITLES, SCORES).data
    assert list(frame.index) == ["PCA", "=LDA()"]
    for name, column in COLUMNS.items():
        assert frame.loc["PCA", (column.group, column.title)] == getattr(SCORES["pca"], name)
    assert frame.loc["=LDA()"].isna().all()
    same = fair_table({"nca": "mine", "nca-2": "mine"}, {}).data
    assert list(same.index) == ["mine (nca)", "mine (nca-2)"]  # panels of one name are told apart
    counts = confusion_frame(np.array([[5, 2], [1, 7]]), ["cat", "dog"])
    assert (counts.loc["cat", "predicted dog"], counts.loc["dog", "predicted cat"]) == (2, 1)


def test_what_is_better_beyond_chance_is_bold_with_its_error_beside_it():
    html = splits_table(TITLES, repeated()).to_html()
    assert "0.750 ± 0.043" in html  # sqrt((1/5 + 1.6/3) 0.01/4)
    assert html.count("font-weight: 700") == 1  # never of training rows, which flatter
    bold = html.split("font-weight: 700")[0].split("#T_")[-1]
    assert "row1_col0" in bold
    family = repeated().family("held_out_1nn")
    frame = differences_frame(TITLES, family)
    assert frame[["first", "second", "result"]].values.tolist() == [["=LDA()", "PCA", "first is better"]]
    one = family["lda", "pca"]
    found = frame.loc[0, ["difference", "low", "high", "corrected p"]].tolist()
    assert found == [one.estimate, one.low, one.high, one.corrected_p]


def test_one_sentence_says_first_what_the_splits_show():
    splits = repeated()
    one = splits.family("held_out_1nn")["lda", "pca"]
    means = {key: splits.mean(key, "held_out_1nn") for key in TITLES}
    said = result_sentence(TITLES, means, {("lda", "pca"): one}, "Over 5 splits", "held-out rows")
    points = f"{100 * one.estimate:.1f} points less (95\u00a0% interval {100 * one.low:.1f} to {100 * one.high:.1f})"
    best = f"Over 5 splits, =LDA() classifies {percent(means['lda'], 1)} of held-out rows correctly."
    assert said == f"{best} PCA: {points}: a clear difference."
    turned = {("pca", "lda"): replace(one, estimate=-one.estimate, low=-one.high, high=-one.low)}
    assert result_sentence(TITLES, means, turned, "Over 5 splits", "held-out rows") == said
    open_ = {("lda", "pca"): replace(one, corrected_p=0.5, corrected_p_margin=0.5)}
    assert result_sentence(TITLES, means, open_, "", "rows").endswith(f"{points}: no difference can be told.")


def test_the_csv_has_every_number_and_no_formula():
    def read(columns):
        return list(csv.reader(io.StringIO(encoded(columns, "csv").decode("utf-8-sig"))))

    head, first, second = read(numbers_columns(TITLES, SCORES, None))
    assert head[2] == "Held-out rows: 1-NN"
    assert dict(zip(head, first, strict=True))["Computing: seconds"] == str(SCORES["pca"].seconds)
    assert second[0] == "'=LDA()"
    assert set(second[1:]) == {""}
    head, first, _ = read(numbers_columns(TITLES, {}, repeated()))
    assert first[:3] == ["PCA", "5", "0.75"]
    assert head[3] == "Held-out rows: 1-NN, standard error"
    assert abs(float(first[3]) - 0.0428174) < 1e-6

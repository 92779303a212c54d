"""The table of a comparison: every number under its title, bold only beyond chance, and a CSV that runs nothing."""

import csv
import io

import numpy as np

from export.statistics import encoded
from pages.views.comparison_tables import COLUMNS, differences_frame, fair_table, numbers_columns, splits_table
from study.measure import NAMES, Measurement
from study.panel import PanelRecipe
from study.repetitions import Splits
from tests.study.some_data import recipe_of

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


def test_panels_of_one_name_are_told_apart():
    assert list(fair_table({"nca": "mine", "nca-2": "mine"}, {}).data.index) == ["mine (nca)", "mine (nca-2)"]


def test_what_is_better_beyond_chance_is_bold_with_its_error_beside_it():
    html = splits_table(TITLES, repeated()).to_html()
    assert "0.750 ± 0.043" in html  # sqrt((1/5 + 1.6/3) 0.01/4)
    assert html.count("font-weight: 700") == 1  # never of training rows, which flatter
    bold = html.split("font-weight: 700")[0].split("#T_")[-1]
    assert "row1_col0" in bold


def test_the_differences_of_all_pairs():
    family = repeated().family("held_out_1nn")
    frame = differences_frame(TITLES, family)
    assert frame[["first", "second", "first is"]].values.tolist() == [["=LDA()", "PCA", "better"]]
    one = family["lda", "pca"]
    found = frame.loc[0, ["difference", "low", "high", "corrected p"]].tolist()
    assert found == [one.estimate, one.low, one.high, one.corrected_p]


def read(columns) -> list[list[str]]:
    return list(csv.reader(io.StringIO(encoded(columns, "csv").decode("utf-8-sig"))))


def test_the_csv_has_every_number_and_no_formula():
    head, first, second = read(numbers_columns(TITLES, SCORES, None))
    assert head[2] == "Held-out rows: 1-NN"
    assert dict(zip(head, first, strict=True))["Computing: seconds"] == str(SCORES["pca"].seconds)
    assert second[0] == "'=LDA()"
    assert set(second[1:]) == {""}
    head, first, _ = read(numbers_columns(TITLES, {}, repeated()))
    assert first[:3] == ["PCA", "5", "0.75"]
    assert head[3] == "Held-out rows: 1-NN, standard error"
    assert abs(float(first[3]) - 0.0428174) < 1e-6

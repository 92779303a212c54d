"""The 64 bad inputs: number -> the test that holds it. Those that need several rooms at once are tested here."""

from __future__ import annotations

import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

from datasets.base.errors import DataError
from datasets.columns import build_dataset, describe_columns
from datasets.preparation import PreparationConfig, prepare
from datasets.reading import read_table
from nca_core.accuracy.evaluation import leave_one_out_accuracy
from nca_core.discriminant import discriminant_axes
from nca_core.methods import METHODS
from nca_core.training import TrainingConfig, train
from tests.datasets.planned import column_plan

ROOT = Path(__file__).resolve().parents[1]
HERE = "tests/test_bad_inputs.py"
BINARY = "tests/datasets/reading/test_binary.py"
LIMITS = "tests/datasets/reading/test_text_limits.py"
SAID = "tests/datasets/reading/test_said_otherwise.py"
READING = "tests/datasets/test_reading.py"
COLUMNS = "tests/datasets/columns/test_columns.py"
HOSTILE = "tests/datasets/hostile/test_hostile_files.py"
PREPARATION = "tests/datasets/test_preparation.py"
EXPORT = "tests/datasets/test_export.py"
PAGE = "tests/pages/test_data.py"
NAMES = "tests/browser/test_names_as_text.py"
CLOSED = "tests/browser/test_closed_tab.py"

HOLDS = {
    1: (READING, "test_broken_files_get_one_sentence[data-words0]"),
    2: (READING, "test_broken_files_get_one_sentence[data-words2]"),
    3: (BINARY, "test_every_format_gives_the_same_data_under_any_name"),
    4: (BINARY, "test_04_truncated_parquet"),
    5: (BINARY, "test_05_flipped_bytes"),
    6: (BINARY, "test_06_objects_in_npz"),
    7: (BINARY, "test_07_pickle"),
    8: (BINARY, "test_08_header_that_claims_a_trillion_rows"),
    9: (BINARY, "test_09_npz_bomb"),
    10: (BINARY, "test_10_lying_sizes_in_a_zip"),
    11: (BINARY, "test_11_parquet_that_unpacks_to_hundreds_of_megabytes"),
    12: (BINARY, "test_12_small_parquet_of_long_strings"),
    13: (BINARY, "test_13_far_cell"),
    14: (BINARY, "test_14_millions_of_cells_in_a_small_workbook"),
    15: (BINARY, "test_15_entities"),
    16: (BINARY, "test_16_password"),
    17: (PAGE, "test_17_the_sheet_is_asked_for"),
    18: (HOSTILE, "test_read_exactly[byte order mark]"),
    19: (SAID, "test_what_was_detected_is_told"),
    20: (READING, "test_latin_text_is_read_and_said"),
    21: (READING, "test_broken_files_get_one_sentence[data-words5]"),
    22: (HOSTILE, "test_a_quote_that_is_never_closed_is_named"),
    23: (HOSTILE, "test_a_line_with_too_many_cells_is_named"),
    24: (HERE, "test_24_short_lines_are_filled_and_counted"),
    25: (LIMITS, "test_too_much_text_and_25_too_many_columns_are_refused"),
    26: (HOSTILE, "test_read_exactly[decimal commas]"),
    27: (READING, "test_names_missing_cells_and_labels"),
    28: (READING, "test_names_missing_cells_and_labels"),
    29: (NAMES, "test_the_explore_page_shows_text"),
    30: (PAGE, "test_30_control_characters_and_29_markup_show_as_text"),
    31: (COLUMNS, "test_missing_choices_cost_what_was_said"),
    32: (COLUMNS, "test_32_infinite_and_40_huge_cells_are_named"),
    33: (COLUMNS, "test_33_integers_beyond_64_bits"),
    34: (PAGE, "test_34_a_doubtful_mark_is_offered_as_thousands"),
    35: (COLUMNS, "test_columns_left_out_with_the_reason_and_put_back[when]"),
    36: (COLUMNS, "test_36_categories_become_columns"),
    37: (HERE, "test_37_all_text_is_refused"),
    38: (COLUMNS, "test_columns_left_out_with_the_reason_and_put_back[const]"),
    39: (HERE, "test_39_all_constant_is_refused"),
    40: (COLUMNS, "test_32_infinite_and_40_huge_cells_are_named"),
    41: (COLUMNS, "test_41_na_and_42_zeros_are_names"),
    42: (COLUMNS, "test_41_na_and_42_zeros_are_names"),
    43: (HERE, "test_43_labels_of_mixed_types_are_text"),
    44: (COLUMNS, "test_44_missing_labels_stay_unlabelled"),
    45: (COLUMNS, "test_45_one_class_46_singletons_48_too_many_50_none"),
    46: (COLUMNS, "test_45_one_class_46_singletons_48_too_many_50_none"),
    47: (PAGE, "test_47_singles_are_asked_about_where_there_are_any"),
    48: (PAGE, "test_48_ten_thousand_classes_offer_a_number"),
    49: (PAGE, "test_49_many_numbers_as_label_are_cut_or_kept"),
    50: (PAGE, "test_50_without_a_label_one_is_asked_for"),
    51: (COLUMNS, "test_51_few_rows_54_equal_rows"),
    52: (HERE, "test_52_more_columns_than_rows_is_trained"),
    53: (PREPARATION, "test_too_many_rows_become_a_stratified_sample_and_it_is_said"),
    54: (COLUMNS, "test_51_few_rows_54_equal_rows"),
    55: (COLUMNS, "test_55_duplicates_are_counted_with_their_conflicts"),
    56: (HERE, "test_56_isolated_points_stay_finite"),
    57: (HERE, "test_57_collinear_columns_are_shrunk_and_said"),
    58: (HERE, "test_58_as_many_rows_as_classes_in_lda"),
    59: (BINARY, "test_59_undeclared_nominal_value"),
    60: (BINARY, "test_every_format_gives_the_same_data_under_any_name[arff, string labels-]"),
    61: (BINARY, "test_every_format_gives_the_same_data_under_any_name[arff, sparse-]"),
    62: (EXPORT, "test_62_text_that_begins_like_a_formula_gets_an_apostrophe"),
    63: (PAGE, "test_63_a_training_rests_while_a_table_is_read_and_ends_with_it"),
    64: (CLOSED, "test_64_the_reading_process_ends_with_its_tab"),
}


def test_all_64_are_held():
    assert sorted(HOLDS) == list(range(1, 65))


def is_among(number, tests):
    test = "::".join(HOLDS[number])
    return any(each == test or each.startswith(f"{test}[") for each in tests)


@pytest.fixture(scope="module")
def collected(request):
    """The tests of this run; files of others that are named above are collected apart, without running them."""
    here = {item.nodeid for item in request.session.items}
    files = sorted({HOLDS[number][0] for number in HOLDS if not is_among(number, here)})
    if not files:
        return here
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider", *files]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert found.returncode == 0, found.stdout + found.stderr
    return here | set(found.stdout.splitlines())


@pytest.mark.parametrize("number", HOLDS)
def test_the_test_of_each_is_collected(number, collected):
    assert is_among(number, collected)


@pytest.fixture(autouse=True)
def _no_warnings():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def csv_of(**columns):
    lines = [",".join(columns), *(",".join(map(str, row)) for row in zip(*columns.values(), strict=True))]
    return ("\n".join(lines) + "\n").encode()


def load(data):
    table = read_table(data, "t.csv")
    return build_dataset(table, column_plan(table))


def trained(data, **choices):
    """(prepared, last snapshot) of a table trained as on the page: standardised, from PCA, 2-D."""
    ready = prepare(load(data), PreparationConfig(**choices))
    X, y = ready.dataset.X[ready.train], ready.dataset.y[ready.train]
    config = TrainingConfig(n_components=2, initialisation="pca", max_iter=40, random_state=0)
    return ready, train(X, y, config).snapshots[-1]


def test_24_short_lines_are_filled_and_counted():
    dataset = load(b"label,a,b\nx,1,2\ny,3\nx,4,5\ny,6,7\nx,8,9\n")
    assert dataset.row_numbers.tolist() == [2, 4, 5, 6]
    assert dataset.y.tolist() == [0, 0, 1, 0]
    assert "1 short line was filled up with missing cells" in " ".join(dataset.notes)


def test_37_all_text_is_refused():
    words = [f"said {k}" for k in range(12)]
    with pytest.raises(DataError, match=r"no column is left to project \(a: it holds codes"):
        load(csv_of(a=words, b=[word[::-1] for word in words], label=["x", "y"] * 6))


def test_39_all_constant_is_refused():
    with pytest.raises(DataError, match=r"no column is left to project \(a: it is 5 in every row; b: it is 7"):
        load(csv_of(a=[5] * 6, b=[7] * 6, label=["x", "y"] * 3))


def test_43_labels_of_mixed_types_are_text():
    data = csv_of(a=[1, 2, 3, 4, 5, 6], label=["1", "one", "2.5", "1", "one", "2.5"])
    dataset = load(data)
    assert dataset.class_names == ("1", "2.5", "one")
    assert dataset.y.tolist() == [0, 2, 1, 0, 2, 1]
    assert {f.name: f.kind for f in describe_columns(read_table(data, "t.csv"))}["a"] == "numbers"


def test_52_more_columns_than_rows_is_trained():
    rng = np.random.default_rng(0)
    columns = {f"c{k}": np.round(rng.normal(size=12), 3) for k in range(40)}
    ready, last = trained(csv_of(**columns, label=["x", "y"] * 6))
    assert last.transformation.shape == (2, 40)
    assert np.isfinite(last.transformation).all()
    assert last.objective > 0.99 * 12  # twelve points in forty dimensions can always be told apart
    X, y = ready.dataset.X, ready.dataset.y
    for name in ("pca", "lda"):
        assert np.isfinite(METHODS[name].fit(X, y, 2, 0).transformation).all()


def test_56_isolated_points_stay_finite():
    a = [*range(10), 1_000_000, -1_000_000]
    b = [k % 4 for k in range(12)]
    for step in ("none", "standardise", "robust"):
        _, last = trained(csv_of(a=a, b=b, label=["x", "y"] * 6), step=step)
        assert np.isfinite(last.transformation).all(), step
        assert np.isfinite([last.objective, last.gradient_norm, last.k_mean_entropy]).all(), step
        assert 0 <= last.objective <= 12


def test_57_collinear_columns_are_shrunk_and_said():
    rng = np.random.default_rng(1)
    a = np.round(np.r_[rng.normal(0, 1, 20), rng.normal(8, 1, 20)], 3)
    ready, last = trained(csv_of(a=a, twice=2 * a, also=3 * a + 1, label=["x"] * 20 + ["y"] * 20))
    X, y = ready.dataset.X, ready.dataset.y
    A, note = discriminant_axes(X, y, 2)
    assert "collinear" in note
    assert leave_one_out_accuracy(X @ A.T, y, (1,))[0] == 1.0
    assert np.isfinite(last.transformation).all()


def test_58_as_many_rows_as_classes_in_lda():
    X, y = np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 2.0, 0.0]]), np.array([0, 1, 2])
    A, note = discriminant_axes(X, y, 2)
    assert np.isfinite(A).all()
    assert "no spread within classes" in note
    Y = X @ A.T
    gaps = [np.linalg.norm(Y[i] - Y[j]) for i, j in ((0, 1), (0, 2), (1, 2))]
    assert min(gaps) > 0.1  # the three class means stay apart

"""Published numbers: typed as printed, and those of pyDML's table that are quick to reach are reached."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from study.experiments import EXPERIMENTS
from study.experiments.base.experiment import MAIN
from study.experiments.base.results import Mean, agreement_of
from study.experiments.base.run import carry_out
from study.experiments.base.store import Data
from study.inference import Conclusion
from tests.tracked_files import ROOT

PYDML = EXPERIMENTS["pydml"]
# Of each column as printed: the sum, and the sum with weights 1, 2, 3 ... from the first row on, which sees a swap.
SUMS = {
    ("talk-wine", "NCA"): (0.12, 0.17),
    ("r-table2", "KNN"): (1.0549, 4.772),
    ("r-table2", "NCA"): (0.7553, 3.197),
    ("nca-fig1-metric", "NCA"): (3.701, 9.327),
    ("nca-fig1-rank2", "NCA"): (3.58, 9.049),
    ("nca-fig1-rank2", "NCA, second"): (3.7, 9.351),
    ("pydml", "Euclidean"): (4.564, 14.156),
    ("pydml", "NCA"): (4.81, 14.572),
    ("pydml", "MCML"): (4.636, 14.218),
}


def printed(key, column, number=0):
    """The published numbers of a column with the paper's own settings, from the first row down."""
    lines = [line for line in EXPERIMENTS[key].lines if line.column == column and line.variant == MAIN]
    return [line.published[number] for line in lines if line.published]


@pytest.mark.parametrize(("key", "column"), SUMS)
def test_columns_have_the_printed_sums(key, column):
    values = printed(key, column.removesuffix(", second"), int(column.endswith(", second")))
    weighted = sum((place + 1) * value for place, value in enumerate(values))
    assert (round(sum(values), 4), round(weighted, 4)) == SUMS[key, column]


def paper(name):
    """The text of a paper, where the folder of the papers is beside the repository."""
    folders = [parent / "shared" / "papers" for parent in ROOT.parents]
    found = [folder / name for folder in folders if (folder / name).is_file()]
    if not found:
        pytest.skip(f"The text of the papers is not here: no folder shared/papers with {name} above {ROOT}.")
    return Path(found[0]).read_text(encoding="utf-8")


def test_the_r_reports_table_is_as_printed():
    text = paper("nca_in_r.txt")
    for column in ("KNN", "NCA"):
        numbers = re.search(rf"^{column}((?: 0\.\d{{4}}){{6}})$", text, flags=re.MULTILINE)[1]
        assert printed("r-table2", column) == [float(number) for number in numbers.split()]


def test_the_talks_errors_are_as_printed():
    text = paper("nca_and_mcml_talk.txt")
    full = re.findall(r"Euclidean=(\d+)%;Whiten=(\d+)%;NCA=(\d+)%", text)
    flat = re.findall(r"LDA=(\d+)%; PCA=(\d+)%; NCA=(\d+)%", text)
    for key, (euclidean, whitened, nca), (lda, pca, nca_2d) in zip(
        ("talk-wine", "talk-faces"), full, flat, strict=True
    ):
        expected = {"Euclidean": [euclidean], "whitened": [whitened], "NCA": [nca, nca_2d], "LDA": [lda], "PCA": [pca]}
        for column, numbers in expected.items():
            assert printed(key, column) == [int(number) / 100 for number in numbers]


def test_scikit_learns_numbers_are_as_its_example_prints_them():
    example = {"PCA": [0.52], "LDA": [0.66], "NCA": [0.70, 0.962], "Euclidean": [0.933]}
    assert {column: printed("sklearn-example", column) for column in example} == example


@pytest.mark.parametrize("name", ["iris", "wine", pytest.param("balance", marks=pytest.mark.thorough)])
def test_published_accuracies_of_mcml_are_reached(name):
    line = next(line for line in PYDML.lines if line.place == (name, "MCML") and line.variant == MAIN)
    cells = [line.cell.seeded(seed) for seed in range(PYDML.splits)]
    outcomes = tuple(carry_out(cell, Data().of(cell)) for cell in cells)
    values = {seed: outcome.numbers[line.number] for seed, outcome in enumerate(outcomes)}
    found = Mean(line, values, len(values), outcomes)
    difference = agreement_of(found, PYDML.published_splits).difference
    assert difference.answer is not Conclusion.WORSE
    assert difference.estimate > -0.02
    assert found.standard_error < 0.03

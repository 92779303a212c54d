"""Every experiment of the registry hangs together, and published numbers are typed as printed."""

import math
from dataclasses import replace
from pathlib import Path

import pytest

from datasets.base.words import percent
from nca_core.classifiers import CLASSIFIERS
from study.compare import compare
from study.experiments import EXPERIMENTS
from study.experiments.base.experiment import MAIN, Outcome, chosen
from study.experiments.base.report import as_markdown, of_experiment
from study.experiments.base.results import Mean, Results, agreement_of
from study.experiments.base.run import TASKS, compute_cell
from study.experiments.base.store import Data
from study.inference import Conclusion
from study.panel import PanelRecipe

KEYS = list(EXPERIMENTS)
FOLDER_OF_MODULES = Path(__file__).parents[3] / "study" / "experiments"


@pytest.fixture(params=KEYS)
def experiment(request):
    return EXPERIMENTS[request.param]


def test_each_variant_stands_beside_the_papers_own_setting_and_differs_from_it(experiment):
    assert len({(line.place, line.variant) for line in experiment.lines}) == len(experiment.lines)
    main = {line.place: line for line in experiment.lines if line.variant == MAIN}
    for line in experiment.lines:
        beside = main[line.place]
        assert line.published == beside.published
        assert line.error == beside.error
        assert line.variant == MAIN or (line.cell, line.number) != (beside.cell, beside.number)


def test_numbers_that_are_asked_for_are_measured(experiment):
    for line in experiment.lines:
        cell, number = line.cell, line.number
        known = {"own_1nn", "test_1nn", *(f"test_{rule}" for rule in cell.rules)}
        known |= {"own_knn", "test_knn"} if cell.knn else set()
        known |= {f"test_1nn@{d}" for d in cell.truncate}
        known |= {"mean_p", "k", "iterations"} if cell.recipe.panels[0].method.kind == "trained" else set()
        assert number in known or cell.task, (line.place, number)
        assert set(cell.rules) <= CLASSIFIERS.keys()
        assert not cell.task or cell.task in TASKS
        assert all(0 < value < 1 for value in line.published)


def test_claims_are_about_lines_that_there_are(experiment):
    places = {(line.place, line.variant): line for line in experiment.lines}
    for claim in experiment.claims:
        better, worse = places[claim.better, MAIN], places[claim.worse, MAIN]
        assert better.error == worse.error


def test_splits_differ_no_cell_stands_twice_and_a_fast_run_leaves_out_what_takes_long(experiment):
    cells, fast = experiment.cells(n_splits=3), experiment.cells(fast=True)
    assert len(set(cells)) == len(cells)
    assert {cell.recipe.preparation.random_state for cell in cells} == {0, 1, 2}
    assert not {cell.seeded(0) for cell in fast} & {line.cell.seeded(0) for line in experiment.lines if line.slow}
    assert all(cell.recipe.preparation.random_state < 2 for cell in fast)
    line = replace(experiment.lines[0], splits=2)
    assert [experiment.splits_of(line, asked) for asked in (0, 1, 5)] == [min(2, experiment.splits), 1, 2]


def made_up(experiment):
    """Every line with numbers that nobody measured, to see the report drawn."""
    means = []
    for k, line in enumerate(experiment.lines):
        n = 3 if line.cell.task else max(1, line.cell.dimensions or 2)
        places = (
            [[float(i * j) for j in range(1, n + 1)] for i in range(6)] if line.cell.places or line.cell.task else []
        )
        first = Outcome({}, 70, 30, 1.0, places=places, codes=[i % 2 for i in range(len(places))])
        numbers = ({line.number: 0.5 + 0.01 * ((7 * k + 3 * seed) % 11)} for seed in range(5))
        outcomes = {seed: replace(first, numbers=each) for seed, each in enumerate(numbers)}
        means.append(Mean(line, outcomes, experiment.splits_of(line)))
    return Results(experiment, tuple(means))


def test_its_section_has_a_figure_every_published_number_and_what_was_not_run(experiment):
    found = made_up(experiment)
    assert experiment.figure is not None
    figure = experiment.figure(found)
    assert all(len(trace.x) == len(trace.y) > 0 for trace in figure.data)
    drawn = sorted(float(y) for trace in figure.data for y in trace.y)
    shown = [mean for mean in found.means if mean.line.variant == MAIN]
    if placed := [mean.first.places for mean in shown if mean.first.places]:
        assert len(drawn) == 6 * (1 if experiment.key == "nca-fig3" else len(placed))
    else:
        published = [value for mean in shown for value in mean.line.published]
        assert drawn == pytest.approx(sorted([mean.mean for mean in shown] + published))
    text = as_markdown(of_experiment(found))
    for line in experiment.lines:
        assert all(percent(value, 1) in text for value in line.published)
    nothing = Results(
        experiment, tuple(replace(mean, outcomes={}, missing="x.csv is not here.") for mean in found.means)
    )
    assert experiment.figure(nothing) is None
    said = str(of_experiment(nothing))
    assert "Not run: x.csv is not here." in said
    assert "nan" not in text + said


def test_each_file_stands_in_the_registry():
    files = {path.stem for path in FOLDER_OF_MODULES.glob("*.py")} - {"__init__", "__main__"}
    text = (FOLDER_OF_MODULES / "__init__.py").read_text(encoding="utf-8")
    assert {name for name in files if f"study.experiments.{name} import" not in text} == set()


def test_an_unknown_id_lists_those_there_are():
    with pytest.raises(ValueError, match=r"There is no experiment r-fig9; there are: talk-wine, .*, all\."):
        chosen(EXPERIMENTS, ["r-fig5", "r-fig9"])
    assert [e.key for e in chosen(EXPERIMENTS, ["r-fig6", "talk-wine"])] == ["talk-wine", "r-fig6"]
    assert len(chosen(EXPERIMENTS, ["all"])) == len(KEYS)


@pytest.mark.parametrize("key", ["gvsm-fig3", "gvsm-fig4"])
def test_gvsm_trains_on_100_points_and_tests_on_900(key):
    assert "Error on 900 test points (1,000 there) after 100 training points" in EXPERIMENTS[key].settings
    cells = {(line.cell.recipe.data, line.cell.recipe.preparation): line.cell for line in EXPERIMENTS[key].lines}
    for cell in cells.values():
        recipe = replace(cell.recipe, panels=(PanelRecipe("euclidean"),))
        prepared = compare(recipe, Data().of(cell)).prepared
        assert (prepared.train.sum(), prepared.held_out.sum()) == (100, 900)


def test_why_tells_which_settings_make_nca_worse():
    experiment = EXPERIMENTS["r-fig5"]
    values = {"PCA": 0.90, "NCA": 0.95, "BFGS": 0.70, "random start": 0.91}

    def mean(line):
        at = values.get(line.variant or line.column)
        wanted = at is not None and line.row == "wine" and (line.column == "NCA" or line.variant == MAIN)
        made = [at + 0.002 * (seed % 3) * (line.column == "NCA") for seed in range(20)] if wanted else []
        return Mean(line, {seed: Outcome({line.number: value}, 160, 18) for seed, value in enumerate(made)}, 20)

    said = experiment.answer(Results(experiment, tuple(map(mean, experiment.lines))))
    assert said.startswith("It does not come back: cannot be told, NCA beside PCA on wine (+5.2 points, ")
    assert "It is worse, corrected over these settings, with: BFGS (70.2 % against 90.0 %)." in said
    assert said.endswith("It is not shown to be worse with: random start (91.2 % against 90.0 %).")
    assert not math.isnan(mean(experiment.lines[0]).mean)


PYDML = EXPERIMENTS["pydml"]
# Of each column as printed: the sum, and the sum with weights 1, 2, 3 ... from the first row on, which sees a swap.
SUMS = {
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


TALK = ("Euclidean", "whitened", "NCA", "PCA", "LDA")


@pytest.mark.parametrize(
    ("key", "columns"),
    [
        ("talk-wine", dict(zip(TALK, ([0.30], [0.25], [0.07, 0.05], [0.31], [0.28]), strict=True))),
        ("talk-faces", dict(zip(TALK, ([0.18], [0.22], [0.04, 0.05], [0.37], [0.25]), strict=True))),
        ("sklearn-example", {"PCA": [0.52], "LDA": [0.66], "NCA": [0.70, 0.962], "Euclidean": [0.933]}),
    ],
)
def test_short_columns_are_as_printed(key, columns):
    assert {column: printed(key, column) for column in columns} == columns


@pytest.mark.parametrize("name", ["iris", "wine", pytest.param("balance", marks=pytest.mark.thorough)])
def test_published_accuracies_of_mcml_are_reached(name):
    line = next(line for line in PYDML.lines if line.place == (name, "MCML") and line.variant == MAIN)
    cells = [line.cell.seeded(seed) for seed in range(PYDML.splits)]
    found = Mean(line, {seed: compute_cell(cell, Data().of(cell)) for seed, cell in enumerate(cells)}, len(cells))
    difference = agreement_of(found, PYDML.published_splits).difference
    assert difference.answer is not Conclusion.WORSE
    assert difference.estimate > -0.02
    assert found.standard_error < 0.03

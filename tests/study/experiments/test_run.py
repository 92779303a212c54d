"""The numbers of a cell against scikit-learn's on the same rows; a killed run loses no cell and repeats none."""

import re
import signal
import subprocess
import sys
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from sklearn.decomposition import PCA
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.neighbors import KNeighborsClassifier

from datasets.base.errors import DataError
from datasets.catalogue import DATASETS, load_dataset
from nca_core.training.problem import TrainingStopped
from study.compare import compare
from study.experiments import EXPERIMENTS
from study.experiments.base import results as results_module
from study.experiments.base import run as runner
from study.experiments.base.experiment import ALL_FEATURES, Cell, Line, Outcome, method_cell
from study.experiments.base.results import results_of
from study.experiments.base.run import compute_cell, polar, run_tasks, tasks_of
from study.experiments.base.store import KEPT, Data, KeptRun, OutcomeStore, keep_run, kept_run, key_of, key_of_split
from tests.study.experiments.tiny import LACKING, NCA, PLAIN, TINY
from tests.tracked_files import ROOT
from tests.waiting import until


def numbers(cell):
    return compute_cell(cell, Data().of(cell)).numbers


def split(cell):
    """(X, y) of both sides, standardised by the training rows, as `study` splits them."""
    prepared = compare(cell.recipe, load_dataset(cell.recipe.data.key)).prepared
    X, y = prepared.raw.X, prepared.raw.y
    train, test = prepared.train, prepared.held_out
    X = (X - X[train].mean(axis=0)) / X[train].std(axis=0)
    return X[train], y[train], X[test], y[test]


def test_all_features_by_k_neighbours_and_by_a_rule():
    cell = method_cell("balance", "euclidean", 0.3, dimensions=ALL_FEATURES, knn=7, rules=("lda",)).seeded(3)
    X, y, X_new, y_new = split(cell)
    found = numbers(cell)
    # Votes that are equal are settled in different ways, so a few rows may differ; two dimensions differ by far more.
    assert found["test_knn"] == pytest.approx(KNeighborsClassifier(7).fit(X, y).score(X_new, y_new), abs=0.04)
    assert found["test_lda"] == pytest.approx(LinearDiscriminantAnalysis().fit(X, y).score(X_new, y_new))
    two = numbers(replace(cell, dimensions=None))
    assert two["test_knn"] < found["test_knn"] - 0.1


@pytest.mark.parametrize("d", [1, 5])
def test_other_dimensions_than_a_page_can_show(d):
    cell = method_cell("wine", "pca", 0.3, dimensions=d)
    X, y, X_new, y_new = split(cell)
    pca = PCA(d).fit(X)
    expected = KNeighborsClassifier(1).fit(pca.transform(X), y).score(pca.transform(X_new), y_new)
    assert numbers(cell)["test_1nn"] == pytest.approx(expected)


def test_a_metric_is_cut_to_its_leading_axes():
    cell = method_cell("wine", "whitening", 0.3, dimensions=ALL_FEATURES, truncate=(1, 13)).seeded(2)
    found = numbers(cell)
    assert found["test_1nn@13"] == pytest.approx(found["test_1nn"])
    assert found["test_1nn@1"] < found["test_1nn"]
    X, y, X_new, y_new = split(cell)
    # Whitening is Σ^(−1/2): its largest axis is the direction with the least variance.
    axis = PCA().fit(X).components_[-1:]
    assert found["test_1nn@1"] == pytest.approx(KNeighborsClassifier(1).fit(X @ axis.T, y).score(X_new @ axis.T, y_new))


def test_a_training_tells_what_it_climbed_and_where_the_rows_lie():
    cell = method_cell("iris", "nca", 0.3, settings={"max_iter": 20}, places=True)
    outcome = compute_cell(cell, Data().of(cell))
    assert 0.9 < outcome.numbers["mean_p"] <= 1
    assert 1 <= outcome.numbers["iterations"] <= 20
    assert (outcome.n_train, outcome.n_test) == (105, 45)
    assert len(outcome.places) == len(outcome.codes) == 150
    assert outcome.ended
    assert outcome.versions["numpy"] == np.__version__


def test_a_method_that_cannot_run_says_why():
    cell = method_cell("iris", "dcv", 0.3)
    outcome = compute_cell(cell, Data().of(cell))
    assert outcome.problem
    assert outcome.numbers == {}


@pytest.fixture
def prices(tmp_path):
    rows = "\n".join(f"{i % 7},{i % 5},{(i * 37) % 101 + 0.5}" for i in range(100))
    (tmp_path / "prices.csv").write_text(f"a,b,label\n{rows}\n")
    return Data(str(tmp_path))


def test_numbers_are_cut_into_bins_of_equal_frequency(prices):
    cell = method_cell("folder:prices.csv", "pca", 0.3, bins=4)
    dataset = prices.of(cell)
    values = np.array([(i * 37) % 101 + 0.5 for i in range(100)])
    assert np.bincount(dataset.y).tolist() == [25, 25, 25, 25]
    assert values[dataset.y == 0].max() < values[dataset.y == 1].min()
    assert dataset.target is None
    with pytest.raises(DataError, match="iris has classes"):
        Data().of(method_cell("iris", "pca", 0.3, bins=3))
    Path(prices.folder, "words.csv").write_text("a,label\n" + "1,x\n2,y\n" * 20)
    with pytest.raises(DataError, match=r"words\.csv has no label of numbers to be cut into 4 classes"):
        prices.of(method_cell("folder:words.csv", "pca", 0.3, bins=4))


def test_only_the_classes_asked_for():
    cell = method_cell("digits", "pca", 0.3, classes=("3", "1"))
    whole, dataset = load_dataset("digits"), Data().of(cell)
    assert dataset.class_names == ("3", "1")
    np.testing.assert_array_equal(dataset.X, whole.X[np.isin(whole.y, [1, 3])])
    assert (dataset.y == 1).sum() == (whole.y == 1).sum()
    with pytest.raises(DataError, match="has no class 11; it has: 0, 1"):
        Data().of(replace(cell, classes=("3", "11")))


def test_a_set_of_the_catalogue_can_be_fetched_in_the_place_of_a_file(tmp_path):
    cell = method_cell("folder:ionosphere.csv", "pca", 0.3)
    here, fetching = Data(str(tmp_path)), Data(str(tmp_path), fetch=True)
    with pytest.raises(DataError, match="or add --fetch to download Ionosphere"):
        here.of(cell)
    assert fetching.why_missing(cell) == ""
    assert fetching.data_id(cell) == here.data_id(cell) == "download:ionosphere"


def test_polar_coordinates_are_read_off_about_the_centre_that_they_have():
    rng = np.random.default_rng(0)
    angles, sizes = rng.uniform(-45, 45, 200), rng.uniform(25, 35, 200)
    turn = np.deg2rad(angles)
    Y = np.array([3.0, -2.0]) + (sizes / 10)[:, None] * np.column_stack([np.cos(turn), np.sin(turn)])
    found = polar(Y, angles, sizes)
    assert found["angle"] > 0.99
    assert found["size"] > 0.9
    lost = polar(rng.normal(size=(200, 2)), angles, sizes)
    assert lost["angle"] < 0.4


def finished(store):
    return {path: path.stat().st_mtime_ns for path in store.rglob("*.json")}


def started(store, *more):
    command = [sys.executable, "-m", "tests.study.experiments.tiny", "run", "long", "--store", str(store), *more]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)


def test_killed_and_started_again_it_repeats_no_cell_and_loses_none(tmp_path):
    run = started(tmp_path)
    until(lambda: len(finished(tmp_path)) >= 5, 200)
    run.kill()
    run.wait()
    before = finished(tmp_path)
    again = started(tmp_path, "--seeds", str(len(before) + 3))
    said = again.communicate(timeout=200)[0]
    assert again.returncode == 0
    assert "Done: 3 computed in" in said
    assert f"{len(before)} stored before." in said
    after = finished(tmp_path)
    assert len(after) == len(before) + 3
    assert {path: after[path] for path in before} == before  # not one was written again


@pytest.mark.thorough
def test_ctrl_c_keeps_what_is_done_and_says_so(tmp_path):
    run = started(tmp_path)
    until(lambda: len(finished(tmp_path)) >= 3, 200)
    run.send_signal(signal.SIGINT)
    said = run.communicate(timeout=100)[0]
    assert run.returncode == 130
    kept = int(re.search(r"Stopped; (\d+) of 200 cells are stored", said)[1])
    assert 3 <= kept <= len(finished(tmp_path)) <= kept + 1


def all_of(experiment, store, **options):
    return list(run_tasks(tasks_of([experiment], OutcomeStore(store), Data())[0], **options))


def test_cells_of_several_lines_are_carried_out_once(tmp_path):
    progress = all_of(TINY, tmp_path)
    assert progress[0].wanted == 12  # three different cells on four splits; the fourth line shares one
    assert [at.done for at in progress] == list(range(13))
    assert progress[-1].left == 0
    assert len(all_of(TINY, tmp_path)) == 1


def test_a_damaged_cell_is_run_again(tmp_path):
    all_of(TINY, tmp_path)
    victims = sorted(finished(tmp_path))[:2]
    victims[0].write_bytes(b"")
    victims[1].write_bytes(victims[1].read_bytes()[:40])
    assert all_of(TINY, tmp_path)[-1].done == 2
    assert all_of(TINY, tmp_path)[-1].found == 12


def test_what_was_fetched_once_is_found_without_fetching_and_what_cannot_be_had_is_left_out(tmp_path, monkeypatch):
    monkeypatch.delenv("NCA_EXPLORER_DATA", raising=False)
    iris = DATASETS["iris"]
    monkeypatch.setitem(DATASETS, "boston", replace(DATASETS["boston"], load=iris.load))
    three = method_cell("folder:housing_medv.csv", "pca", 0.3, bins=3)
    lines = Line("housing", "PCA", three), Line("housing", "PCA", replace(three, bins=4), variant="four bins")
    experiment, store = replace(TINY, key="twin", lines=lines, claims=(), splits=2), OutcomeStore(tmp_path)
    tasks, missing = tasks_of([experiment], store, Data(fetch=True))
    last = list(run_tasks(tasks))[-1]
    assert (last.done, last.failed, len(missing)) == (2, 0, 1)
    for data in (Data(fetch=True), Data()):
        found = results_of(experiment, store, data)
        assert found.done == 2
        assert [bool(mean.missing) for mean in found.means] == [False, True]
        tasks, still = tasks_of([experiment], store, data)
        assert len(list(run_tasks(tasks))) == 1  # nothing is left to do
        assert still == missing


def test_an_error_ends_one_cell_only_which_is_tried_again_and_one_of_the_program_is_logged(
    tmp_path, monkeypatch, caplog
):
    monkeypatch.delenv("NCA_EXPLORER_DATA", raising=False)
    _, missing = tasks_of([LACKING], OutcomeStore(tmp_path), Data())
    assert missing == ("not_here.csv is not here. Put it into a folder and name that by --data or NCA_EXPLORER_DATA.",)
    (tmp_path / "not_here.csv").write_text("a,b\n")
    monkeypatch.setenv("NCA_EXPLORER_DATA", str(tmp_path))
    for found in (0, 2):
        last = all_of(LACKING, tmp_path / "store")[-1]
        assert (last.found, last.done, last.failed) == (found, 4 - found, 2)
    assert not caplog.records

    def broken(*_):
        raise ZeroDivisionError("of a mean")

    monkeypatch.setattr(runner, "compute_cell", broken)
    assert runner.outcome_of(None, PLAIN).failed
    assert "in broken" in caplog.records[0].exc_text


def test_a_cell_that_is_cancelled_has_not_failed():
    """Wherever the cancelling comes, also before the first iteration."""
    for turns in range(3):
        left = iter(range(turns))

        @contextmanager
        def slot(left=left):
            if next(left, None) is None:
                raise TrainingStopped
            yield

        with pytest.raises(TrainingStopped):
            runner.outcome_of(None, NCA, slot)


def test_what_was_put_is_found_and_nothing_is_left_of_a_cell_that_could_not_be_written(tmp_path, monkeypatch):
    def full(*_):
        raise OSError("No space left on device")

    outcome = Outcome({"test_1nn": 0.1 + 0.2}, 105, 45, 0.3, "Converged.", "", False, [[1.0, 2.0]], [1], {"numpy": "2"})
    OutcomeStore(tmp_path / "store").put("abcd", outcome)
    assert OutcomeStore(tmp_path / "store").get("abcd") == outcome
    assert OutcomeStore(tmp_path / "store").get("abce") is None
    store = OutcomeStore(tmp_path / "full")
    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(OSError, match="No space left"):
        store.put("abc", outcome)
    assert [path for path in store.folder.rglob("*") if path.is_file()] == []


def test_another_cell_seed_table_or_version_has_another_key_and_a_title_does_not():
    others = {
        "dimensions": 5,
        "classes": ("a",),
        "bins": 4,
        "knn": 7,
        "rules": ("qda",),
        "truncate": (1, 2),
        "places": False,
        "task": "turned_faces",
        "recipe": method_cell("iris", "nca", 0.3, settings={"max_iter": 6}).recipe,
    }
    assert others.keys() == Cell.__dataclass_fields__.keys()
    cells = NCA, NCA.seeded(1), *(replace(NCA, **{name: value}) for name, value in others.items())
    keys = {*(key_of(cell, "m", 1) for cell in cells), key_of(NCA, "n", 1), key_of(NCA, "m", 2)}
    assert len(keys) == len(cells) + 2
    titled = replace(NCA.recipe, panels=(replace(NCA.recipe.panels[0], title="Ours"),))
    assert key_of(replace(NCA, recipe=titled), "m", 1) == key_of(NCA, "m", 1)


def test_a_table_of_the_folder_that_changes_is_another_one(tmp_path):
    file = tmp_path / "t.csv"
    cell, data = method_cell("folder:t.csv", "pca", 0.3), Data(str(tmp_path))
    file.write_text("a,label\n1,x\n2,y\n")
    before = data.data_id(cell)
    file.write_text("a,label\n1,x\n3,y\n")
    assert data.data_id(cell) != before


def test_every_experiment_opens_on_results(tmp_path, monkeypatch):
    monkeypatch.delenv("NCA_EXPLORER_DATA", raising=False)
    for experiment in EXPERIMENTS.values():
        found = results_of(experiment, OutcomeStore(tmp_path), Data(on_page=True), kept=True)
        assert found.done == found.wanted == found.from_kept > 0, experiment.key
    assert KEPT.stat().st_size < 600_000
    assert "at commit" in kept_run().provenance


def test_the_store_goes_first_and_the_command_line_reads_nothing_else(tmp_path, monkeypatch):
    line, data = TINY.lines[0], Data()
    keys = [key_of_split(line.cell, seed, data.data_id(line.cell), TINY.version) for seed in (0, 1)]
    kept = KeptRun("then", {key: Outcome({line.number: 0.25}, 10, 5) for key in keys})
    monkeypatch.setattr(results_module, "kept_run", lambda: kept)
    store = OutcomeStore(tmp_path)
    store.put(keys[0], Outcome({line.number: 0.75}, 10, 5))
    mean, *_ = results_of(TINY, store, data, kept=True).means
    assert (mean.values[0], mean.values[1]) == (line.shown(0.75), line.shown(0.25))
    assert list(results_of(TINY, store, data).means[0].values) == [0]


def test_it_is_written_compact_and_read_again(tmp_path, monkeypatch):
    path = tmp_path / "kept.json.gz"
    outcome = Outcome({"test_1nn": 1 / 3}, 10, 5, seconds=0.12345, places=[[0.123456, 2.0]], codes=[1])
    keep_run("there", {"k": outcome}, path)
    monkeypatch.setattr("study.experiments.base.store.KEPT", path)
    found = kept_run.__wrapped__()
    assert found == KeptRun(
        "there", {"k": Outcome({"test_1nn": 0.333333}, 10, 5, seconds=0.123, places=[[0.123, 2.0]], codes=[1])}
    )

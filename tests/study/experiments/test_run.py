"""A killed run loses no finished cell and repeats none; a cell is found by everything that decides its numbers."""

import re
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from datasets.catalogue import DATASETS
from study.experiments import EXPERIMENTS
from study.experiments.base import results as results_module
from study.experiments.base import run as runner
from study.experiments.base.experiment import Cell, Line, Outcome, method_cell
from study.experiments.base.results import results_of
from study.experiments.base.run import carry_out, run_tasks, tasks_of
from study.experiments.base.store import KEPT, Data, KeptRun, OutcomeStore, keep_run, kept_run, key_of, key_of_split
from tests.study.experiments.tiny import LACKING, NCA, PLAIN, TINY
from tests.tracked_files import ROOT


def finished(store):
    return {path: path.stat().st_mtime_ns for path in store.rglob("*.json")}


def started(store, *more):
    command = [sys.executable, "-m", "tests.study.experiments.tiny", "run", "long", "--store", str(store), *more]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)


def wait_for(store, many, run):
    until = time.monotonic() + 200
    while len(finished(store)) < many:
        assert run.poll() is None, "it ended before it was killed"
        assert time.monotonic() < until, "nothing was finished in time"
        time.sleep(0.02)


def test_killed_and_started_again_it_repeats_no_cell_and_loses_none(tmp_path):
    run = started(tmp_path)
    wait_for(tmp_path, 5, run)
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
    wait_for(tmp_path, 3, run)
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


def test_missing_data_say_how_to_get_them_and_the_rest_goes_on(tmp_path, monkeypatch):
    monkeypatch.delenv("NCA_EXPLORER_DATA", raising=False)
    last = all_of(LACKING, tmp_path)[-1]
    _, missing = tasks_of([LACKING], OutcomeStore(tmp_path), Data())
    assert missing == ("not_here.csv is not here. Put it into a folder and name that by --data or NCA_EXPLORER_DATA.",)
    assert last.done == last.wanted == 2


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


def test_an_error_of_the_program_is_logged_with_where_it_was(monkeypatch, caplog):
    def broken(*_):
        raise ZeroDivisionError("of a mean")

    monkeypatch.setattr(runner, "carry_out", broken)
    outcome = runner.outcome_of(None, PLAIN)
    assert outcome.failed
    (record,) = caplog.records
    assert "in broken" in record.exc_text


def test_an_error_ends_one_cell_only_and_the_cell_is_tried_again(tmp_path, monkeypatch):
    (tmp_path / "not_here.csv").write_text("a,b\n")
    monkeypatch.setenv("NCA_EXPLORER_DATA", str(tmp_path))
    for found in (0, 2):
        last = all_of(LACKING, tmp_path / "store")[-1]
        assert (last.found, last.done, last.failed) == (found, 4 - found, 2)


def test_nothing_is_left_of_a_cell_that_could_not_be_written(tmp_path, monkeypatch):
    def full(*_):
        raise OSError("No space left on device")

    store, outcome = OutcomeStore(tmp_path), carry_out(PLAIN, Data().of(PLAIN))
    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(OSError, match="No space left"):
        store.put("abc", outcome)
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


OTHERS = {
    "dimensions": {"dimensions": 5},
    "classes": {"classes": ("a",)},
    "bins": {"bins": 4},
    "knn": {"knn": 7},
    "rules": {"rules": ("qda",)},
    "truncate": {"truncate": (1, 2)},
    "places": {"places": False},
    "task": {"task": "turned_faces"},
    "recipe": {"recipe": method_cell("iris", "nca", 0.3, settings={"max_iter": 6}).recipe},
}


def test_another_cell_has_another_key():
    assert OTHERS.keys() == Cell.__dataclass_fields__.keys()
    keys = {key_of(cell, "m", 1) for cell in (NCA, *(replace(NCA, **other) for other in OTHERS.values()))}
    assert len(keys) == 1 + len(OTHERS)


def test_seed_data_and_version_count_and_the_title_does_not():
    panel = NCA.recipe.panels[0]
    titled = replace(NCA, recipe=replace(NCA.recipe, panels=(replace(panel, title="Ours"),)))
    assert key_of(titled, "m", 1) == key_of(NCA, "m", 1)
    assert len({key_of(NCA, "m", 1), key_of(NCA.seeded(1), "m", 1), key_of(NCA, "n", 1), key_of(NCA, "m", 2)}) == 4


def test_what_was_put_is_found(tmp_path):
    outcome = Outcome({"test_1nn": 0.1 + 0.2}, 105, 45, 0.3, "Converged.", "", False, [[1.0, 2.0]], [1], {"numpy": "2"})
    store = OutcomeStore(tmp_path)
    store.put("abcd", outcome)
    assert store.get("abcd") == outcome
    assert store.get("abce") is None


def test_a_table_of_the_folder_that_changes_is_another_one(tmp_path):
    file = tmp_path / "t.csv"
    cell, data = method_cell("folder:t.csv", "pca", 0.3), Data(str(tmp_path))
    file.write_text("a,label\n1,x\n2,y\n")
    before = data.mark(cell)
    file.write_text("a,label\n1,x\n3,y\n")
    assert data.mark(cell) != before


def test_every_experiment_opens_on_results(tmp_path, monkeypatch):
    monkeypatch.delenv("NCA_EXPLORER_DATA", raising=False)
    for experiment in EXPERIMENTS.values():
        found = results_of(experiment, OutcomeStore(tmp_path), Data(on_page=True), kept=True)
        assert found.done == found.wanted == found.from_kept > 0, experiment.key
    assert KEPT.stat().st_size < 600_000
    assert "at commit" in kept_run().provenance


def test_the_store_goes_first_and_the_command_line_reads_nothing_else(tmp_path, monkeypatch):
    line, data = TINY.lines[0], Data()
    keys = [key_of_split(line.cell, seed, data.mark(line.cell), TINY.version) for seed in (0, 1)]
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

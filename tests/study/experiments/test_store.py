"""A cell is found by everything that decides its numbers, in the store and in the kept run."""

from dataclasses import replace

from study.experiments import EXPERIMENTS
from study.experiments.base import results as results_module
from study.experiments.base.experiment import Cell, Outcome, method_cell
from study.experiments.base.results import results_of
from study.experiments.base.store import KEPT, Data, KeptRun, OutcomeStore, keep_run, kept_run, key_of, key_of_split
from tests.study.experiments.tiny import NCA, TINY

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

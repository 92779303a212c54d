"""The kept run: cells that the store lacks are read from it, whatever folder they were computed with."""

from __future__ import annotations

from study.experiments import EXPERIMENTS
from study.experiments.base import results as results_module
from study.experiments.base.experiment import Outcome
from study.experiments.base.results import results_of
from study.experiments.base.store import KEPT, Data, KeptRun, OutcomeStore, keep_run, kept_run, key_of_split
from tests.study.experiments.tiny import TINY


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

"""A cell is found by everything that decides its numbers, and by nothing else."""

from __future__ import annotations

from dataclasses import replace

import pytest

from study.experiments.base.experiment import Cell, Outcome, method_cell
from study.experiments.base.store import Data, OutcomeStore, key_of
from tests.study.experiments.tiny import NCA

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


def test_every_field_of_a_cell_is_tried():
    assert OTHERS.keys() == Cell.__dataclass_fields__.keys()


@pytest.mark.parametrize("field", OTHERS)
def test_another_cell_has_another_key(field):
    assert key_of(replace(NCA, **OTHERS[field]), "m", 1) != key_of(NCA, "m", 1)


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

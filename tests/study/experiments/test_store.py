"""A cell is found by everything that decides its numbers, and by nothing else."""

from __future__ import annotations

import sys
from dataclasses import replace

import pytest

from study.experiments.base.cell import Cell
from study.experiments.base.data import Data
from study.experiments.base.grid import one_method
from study.experiments.base.outcome import Outcome
from study.experiments.base.store import Store, key_of
from study.experiments.base.version import _FIRST, code_version, sources_of, state_of, version_of
from tests.study.experiments.tiny import NCA
from tests.tracked_files import ROOT

OTHERS = {
    "dimensions": {"dimensions": 5},
    "classes": {"classes": ("a",)},
    "bins": {"bins": 4},
    "knn": {"knn": 7},
    "rules": {"rules": ("qda",)},
    "truncate": {"truncate": (1, 2)},
    "places": {"places": False},
    "task": {"task": "turned_faces"},
    "recipe": {"recipe": one_method("iris", "nca", 0.3, settings={"max_iter": 6})},
}


def test_every_field_of_a_cell_is_tried():
    assert OTHERS.keys() == Cell.__dataclass_fields__.keys()


@pytest.mark.parametrize("field", OTHERS)
def test_another_cell_has_another_key(field):
    assert key_of(replace(NCA, **OTHERS[field]), "m") != key_of(NCA, "m")


def test_seed_data_and_code_count_and_the_title_does_not():
    panel = NCA.recipe.panels[0]
    titled = replace(NCA, recipe=replace(NCA.recipe, panels=(replace(panel, title="Ours"),)))
    assert key_of(titled, "m") == key_of(NCA, "m")
    assert len({key_of(NCA, "m"), key_of(NCA.seeded(1), "m"), key_of(NCA, "n"), key_of(NCA, "m", "other")}) == 4


def test_what_was_put_is_found(tmp_path):
    outcome = Outcome({"test_1nn": 0.1 + 0.2}, 105, 45, 0.3, "Converged.", "", False, [[1.0, 2.0]], [1], {"numpy": "2"})
    store = Store(tmp_path)
    store.put("abcd", outcome)
    assert store.get("abcd") == outcome
    assert store.get("abce") is None


def test_a_table_of_the_folder_that_changes_is_another_one(tmp_path):
    file = tmp_path / "t.csv"
    cell, data = Cell(one_method("folder:t.csv", "pca", 0.3)), Data(str(tmp_path))
    file.write_text("a,label\n1,x\n2,y\n")
    before = data.mark(cell)
    file.write_text("a,label\n1,x\n3,y\n")
    assert data.mark(cell) != before


@pytest.fixture
def sources(tmp_path):
    for name, text in {
        "study/first.py": '"""What it does."""\nfrom nca_core.second import f\n\n'
        'def g():\n    """Help."""\n    return f()\n',
        "nca_core/__init__.py": "",
        "nca_core/second.py": "from typing import TYPE_CHECKING\nfrom nca_core.run import Slot\n"
        "if TYPE_CHECKING:\n    from nca_core.types_only import T\n\n"
        "def f(x=dict(title='One', key='one')):\n    if x < 0:\n        raise ValueError(f'{x}: no such thing')\n"
        "    return 1  # one\n",
        "nca_core/types_only.py": "T = 3\n",
        "nca_core/run.py": "Slot = 5\n",
        "nca_core/third.py": "x = 1\n",
    }.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    return tmp_path


@pytest.mark.parametrize(
    ("file", "old", "new", "matters"),
    [
        ("study/first.py", "What it does.", "What it is for.", False),
        ("study/first.py", "Help.", "More help.", False),
        ("nca_core/second.py", "  # one", "\n    # the number one", False),
        ("nca_core/third.py", "1", "2", False),
        ("nca_core/second.py", "return 1", "return 2", True),
        ("nca_core/second.py", "no such thing", "nothing of the kind", False),
        ("nca_core/second.py", "if x < 0", "if x < 1", True),
        ("nca_core/second.py", "'One'", "'The one'", False),
        ("nca_core/second.py", "'one'", "'two'", True),
        ("nca_core/types_only.py", "3", "4", False),
        ("nca_core/run.py", "5", "6", False),
    ],
    ids=[
        *("docstring", "help", "comment", "not imported", "imported", "message", "when it is raised", "title", "key"),
        *("types only", "where it runs"),
    ],
)
def test_only_what_the_numbers_come_from_changes_the_version(sources, file, old, new, matters):
    before = version_of(sources, "study.first")
    path = sources / file
    path.write_text(path.read_text().replace(old, new))
    assert (version_of(sources, "study.first") != before) == matters


def test_a_process_of_its_own_tells_the_version_and_a_file_keeps_it(tmp_path, monkeypatch):
    monkeypatch.setenv("NCA_EXPLORER_CACHE", str(tmp_path))
    told = code_version.__wrapped__()
    assert told == version_of(ROOT, *_FIRST) != ""
    monkeypatch.setattr(sys, "executable", "nothing")
    assert code_version.__wrapped__() == told
    (tmp_path / "code-version").write_text("another-state another")
    with pytest.raises(OSError):
        code_version.__wrapped__()


def test_a_file_that_is_written_again_is_another_state(sources):
    before = state_of(sources)
    (sources / "nca_core" / "third.py").write_text("x = 12\n")
    assert state_of(sources) != before


def test_engine_data_and_measuring_belong_to_the_version_and_reports_do_not():
    names = {path.relative_to(ROOT).as_posix() for path in sources_of(ROOT, *_FIRST)}
    wanted = {"nca_core/training.py", "nca_core/methods/nca.py", "datasets/preparation.py", "study/scores.py"}
    assert wanted <= names
    assert not [name for name in names if "report" in name or name.startswith("pages") or name.endswith("verdict.py")]

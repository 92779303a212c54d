"""A table of a folder stays the same object in a session, whatever others open, for as long as its content is."""

import os
import time

import pytest

from datasets.local_folder import VARIABLE, local_entries
from pages.server import trainings
from pages.server.data import choose_data, chosen_dataset
from pages.server.workspace import Workspace
from study.panel import PanelRecipe
from tests.study.some_data import recipe_of


def table(shift):
    return "a,b,label\n" + "".join(f"{k % 7 + shift},{k * 5 % 11},{'x' if k % 2 else 'y'}\n" for k in range(40))


@pytest.fixture
def folder(tmp_path, monkeypatch):
    for number in range(12):
        (tmp_path / f"table{number}.csv").write_text(table(number))
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    return tmp_path


@pytest.fixture
def space(folder):
    space = Workspace("token", time.monotonic)
    space.document.recipe = recipe_of(PanelRecipe("pca"))
    choose_data(space, "folder:table0.csv")
    yield space
    space.discard()


def test_it_stays_while_its_content_does(space, folder):
    shown = chosen_dataset(space)
    for entry in local_entries().values():  # others open many more
        entry.load()
    assert chosen_dataset(space) is shown
    trainings.show(space, shown)
    os.utime(folder / "table0.csv", (1, 1))
    assert chosen_dataset(space) is shown
    (folder / "table0.csv").write_text(table(100))
    changed = chosen_dataset(space)
    assert changed is not shown
    assert changed.X[0, 0] == 100
    trainings.show(space, changed)
    (folder / "table1.csv").write_text(table(100))
    choose_data(space, "folder:table1.csv")
    assert chosen_dataset(space).name == "table1"  # another, with the same content

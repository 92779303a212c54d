"""What a person has: changes that can be taken back, data of one's own by content, and nothing that grows."""

import gc
import weakref
from dataclasses import replace

import numpy as np
import pytest

from datasets.base.dataset import Dataset, Source
from datasets.base.fingerprint import fingerprint
from datasets.proposals import Choices
from pages.server import document
from pages.server.document import DRAWN, MOST_OWN_DATA, MOST_PAST, MOST_VERSIONS, Document, Upload
from study.recipe import DataRecipe


def table(seed=0, name="mine.csv"):
    X = np.random.default_rng(seed).normal(size=(6, 2))
    return Dataset(name, X, np.array([0, 1, 0, 1, 0, 1]), ("a", "b"), ("p", "q"), Source("own"))


def test_undo_goes_back_one_change_at_a_time_and_remembers_so_many():
    own = Document()
    own.change(own.recipe)  # no change
    assert own.past == []
    for k in range(MOST_PAST + 5):
        own.change(replace(own.recipe, n_components=2 + k % 2, pace="calm" if k % 3 else "normal"))
    assert len(own.past) <= MOST_PAST
    last = own.past[-1]
    own.undo()
    assert own.recipe == last
    for _ in range(MOST_PAST + 5):
        own.undo()
    assert own.past == []


def test_a_table_of_ones_own_is_named_by_its_content():
    own = Document()
    own.keep_data("own:mine.csv", table())
    data = own.data_recipe("own:mine.csv")
    assert data == DataRecipe("own", content=fingerprint(table()), name="mine.csv")
    assert own.key_of(data) == "own:mine.csv"
    own.keep_data("own:mine.csv", table(seed=1))  # other content under the same name
    assert own.key_of(data) is None
    own.keep_data(DRAWN, table())
    assert own.key_of(data) == DRAWN  # the same content under another name
    assert own.data_recipe("wine") == DataRecipe("wine")


def test_the_oldest_of_many_tables_is_released_and_large_ones_go_sooner(monkeypatch):
    own, gone = Document(), []
    for k in range(MOST_OWN_DATA + 3):
        own.keep_data(f"own:{k}", table(k))
        own.data_recipe(f"own:{k}")
        gone.append(weakref.ref(own.own_data[f"own:{k}"]))
    assert list(own.own_data) == [f"own:{k}" for k in range(3, MOST_OWN_DATA + 3)]
    gc.collect()
    assert [ref() is None for ref in gone] == [True] * 3 + [False] * MOST_OWN_DATA
    for most, there in ((2, ["own:9", "own:10", "own:x"]), (0, ["own:x"])):  # the newest stays, however large
        monkeypatch.setattr("pages.server.document.MOST_OWN_BYTES", most * table().X.nbytes)
        own.keep_data("own:x", table(99))
        assert list(own.own_data) == there


def test_what_is_remembered_is_made_once_for_a_key_and_bounded():
    own, made = Document(), []
    for key in (1, 1, 2, 1):
        own.cached("x", lambda key=key: made.append(key), key)
    assert made == [1, 2, 1]
    for k in range(100):
        own.cached(f"name {k}", list, 0)
    assert len(own._cache) <= 40


@pytest.mark.parametrize(
    "change",
    [
        lambda d: replace(d, X=d.X + 1e-9),
        lambda d: replace(d, y=d.y[::-1].copy()),
        lambda d: replace(d, feature_names=("a", "c")),
        lambda d: replace(d, class_names=("p", "r")),
        lambda d: replace(d, target=np.arange(6.0)),
    ],
)
def test_a_fingerprint_tells_contents_apart(change):
    assert fingerprint(change(table())) != fingerprint(table())
    assert fingerprint(replace(table(), name="other", notes=("n",))) == fingerprint(table())


def test_what_was_said_is_kept_by_the_columns_and_bounded():
    own = Document()
    for k in range(MOST_OWN_DATA + 3):
        own.keep_said(("a", str(k)), Choices(label="a"))
    assert list(own.said) == [("a", str(k)) for k in range(3, MOST_OWN_DATA + 3)]
    own.keep_said(("a", "5"), Choices())  # all of it was taken back
    assert ("a", "5") not in own.said


def test_files_kept_for_undo_are_bounded(monkeypatch):
    monkeypatch.setattr(Document, "content", lambda own, key: key)
    own = Document()
    for k in range(MOST_VERSIONS + 5):
        own.keep_version(Upload("t.csv", b"x", key=f"own:{k}"))
    assert list(own.versions) == [f"own:{k}" for k in range(5, MOST_VERSIONS + 5)]
    monkeypatch.setattr(document, "MOST_VERSION_BYTES", 10)
    for k in range(3):
        own.keep_version(Upload("t.csv", bytes(6 + k), key=f"large:{k}"))
    assert list(own.versions) == ["large:2"]

"""The codec gives back exactly what it was given, and takes nothing but data."""

import json
import zlib
from dataclasses import dataclass, fields, is_dataclass, replace

import numpy as np
import pytest

from datasets.base.dataset import Source
from datasets.catalogue import load_dataset
from datasets.drawn import Drawing
from lessons.base.own import OwnLesson, OwnStep
from nca_core.snapshot import Candidate, Network
from study.codec import decode, encode
from study.compare import compare
from study.measure import NAMES
from study.optima import Optima, Reached, Trial
from study.panel import PanelRecipe
from study.recipe import DataRecipe, Recipe
from study.repetitions import Chance, Splits

RECIPE = Recipe(data=DataRecipe("rings", {"noise": 0.5}), panels=(PanelRecipe("nca", {"max_iter": 7}, title="Mine"),))


def same(one, other):
    if is_dataclass(one):
        return type(one) is type(other) and all(
            same(getattr(one, each.name), getattr(other, each.name)) for each in fields(one)
        )
    if isinstance(one, np.ndarray):
        return one.dtype == other.dtype and np.array_equal(one, other, equal_nan=one.dtype.kind == "f")
    if isinstance(one, tuple | list):
        return type(one) is type(other) and len(one) == len(other) and all(map(same, one, other))
    return type(one) is type(other) and (one == other or (one != one and other != other))


def snapshots():
    run = compare(RECIPE, load_dataset("iris")).new_run("nca")
    run.start()
    assert run.wait_for_end(60)
    first, *rest = run.trajectory.snapshots
    network = Network("tanh", np.zeros(4), np.ones(4), np.eye(4), np.zeros(4), np.ones((2, 4)))
    short = Candidate("random", 0.3, first.transformation, 0.5, (first,))
    return (replace(first, starts=(short,), network=network, spectrum=np.arange(3.0)), *rest)


def optima():
    draw = np.random.default_rng(3).normal
    numbers = 0.05, 10.0, True, draw(size=(2, 3)), np.arange(5, dtype=np.int32)
    reached = Reached(Trial("random", 1, 0.3), draw(size=(2, 4)), draw(size=(2, 4)), *numbers)
    return Optima("Mine", 9, (reached,), (0,), np.arange(5), True)


CASES = {
    "dataset": lambda: replace(load_dataset("digits"), target=np.linspace(0, 1, 1797), notes=("A “note”.",)),
    "named": lambda: replace(
        load_dataset("iris"), row_names=np.array(["é", "", *["long name"] * 148]), row_word="line"
    ),
    "recipe": lambda: RECIPE,
    "snapshots": snapshots,
    "splits": lambda: Splits(RECIPE, 9, np.full((3, 2, len(NAMES)), np.nan), 100, 50),
    "chance": lambda: Chance(RECIPE, "nca", 9, 0.9, float("nan"), np.arange(9) / 9, np.full(9, -np.inf)),
    "optima": optima,
    "lesson": lambda: OwnLesson("Mine", (OwnStep(recipe=RECIPE),), locked=frozenset({"data", "noise"})),
    "plain": lambda: (None, True, -1, 0.1, "π", b"\0\xff", [1, (2,)], {("a", 1): {"b": ()}}, np.array(["é", "xyz"])),
    "empty": lambda: (np.empty((0, 3)), np.array(2.5), np.zeros(4, dtype=bool), Drawing(), b""),
    "views": lambda: (np.arange(12.0).reshape(3, 4).T, np.arange(9)[::2]),
}


@pytest.mark.parametrize("name", CASES)
def test_what_is_decoded_is_what_was_encoded(name):
    value = CASES[name]()
    back = decode(encode(value))
    assert same(value, back)
    assert not same(Source("other", "", ""), back)


def test_an_array_that_occurs_twice_is_written_once_and_cannot_be_changed():
    values = np.random.default_rng(0).normal(size=10_000)
    assert len(encode((values, values))) < 1.01 * len(encode(values)) + 100
    one, two = decode(encode((values, values)))
    assert one is two
    with pytest.raises(ValueError, match="read-only"):
        one[0] = 1.0


@dataclass(frozen=True)
class OfTheTests:
    value: int = 1


@pytest.mark.parametrize("value", [object(), OfTheTests(), (1, {2: open}), np.array([object()]), {1, 2}])
def test_nothing_but_data_of_ours_is_encoded(value):
    with pytest.raises(TypeError, match="cannot be encoded"):
        encode(value)


def packed(tree):
    text = json.dumps(tree).encode()
    return zlib.compress(len(text).to_bytes(8, "big") + text)


FOREIGN = ["subprocess:Popen", "tests.study.test_codec:OfTheTests", "nca_core_of_others:Snapshot"]


@pytest.mark.parametrize(
    "name", [*FOREIGN, "study.link:to_link", "study.nothing:There", "study.recipe:Recipe.__init__"]
)
def test_only_dataclasses_of_ours_are_made(name):
    with pytest.raises(ValueError, match=r"is not |There is no"):
        decode(packed({"class": name, "fields": {}}))


@pytest.mark.parametrize("content", [b"", b"nonsense", packed({"code": "1"}), encode(RECIPE)[:-9], packed(3)[:12]])
def test_what_is_torn_raises(content):
    with pytest.raises((ValueError, KeyError, TypeError)):
        decode(content)


def test_fields_of_another_version_are_left_out_and_missing_ones_have_their_defaults():
    tree = {"class": "datasets.drawn:Drawing", "fields": {"colour": 3}}
    assert decode(packed(tree)) == Drawing()
    with pytest.raises(TypeError):
        decode(packed({"class": "study.repetitions:Splits", "fields": {}}))

"""The page that plays by itself: how large it is, what stands in it, and that users' words stay words."""

import base64
import gzip
import html
import re
from contextlib import nullcontext
from dataclasses import replace

import numpy as np
import pytest

from datasets.base.dataset import Dataset, Source
from datasets.catalogue import load_dataset
from datasets.preparation import PreparationConfig
from export import player
from export.entry import Subject
from export.player import MOST_BYTES, PLAYER
from nca_core.snapshot import Snapshot
from study.compare import compare
from study.link import from_json
from study.panel import PanelRecipe
from study.recipe import DataRecipe, Recipe
from tests.export.subjects import HOSTILE, made, nca, subject_of
from tests.stage.scene_bytes import array, head


def parts(page):
    """Scene and messages as the page's script gets them."""
    packed = re.search(r'id="data">([^<]*)<', page).group(1)
    data = gzip.decompress(base64.b64decode(packed))
    count = int(np.frombuffer(data, "<f8", 1)[0])
    lengths = np.frombuffer(data, "<f8", count, 8).astype(int)
    at, found = 8 * (1 + count), []
    for length in lengths:
        found.append(data[at : at + length])
        at += 8 * -(-length // 8)
    assert at == len(data)
    return found


def with_random_history(subject, n_frames, rng):
    """Frames that no packing makes small."""
    A = subject.comparison.panel("nca").transformation
    frames = (rng.normal(size=A.shape) for _ in range(n_frames))
    history = tuple(Snapshot(k, frame, objective=k, gradient_norm=0.1) for k, frame in enumerate(frames))
    return replace(subject, histories={"nca": history})


def test_digits_have_less_than_two_megabytes():
    panels = (PanelRecipe("pca"), PanelRecipe("lda"), PanelRecipe("nca"))
    comparison = compare(Recipe(data=DataRecipe("digits"), panels=panels), load_dataset("digits"))
    file = made(PLAYER, with_random_history(Subject(comparison), 101, np.random.default_rng(0)))
    assert len(file.data) < 2_000_000
    scene, message = parts(file.data.decode())
    assert head(scene)["samples"] == 1797
    assert np.frombuffer(message, "<f8", 4)[3] == 101


def test_very_much_is_thinned_and_says_so(monkeypatch):
    """Points go and iterations go, each class stays, and the last iteration, too."""
    less = 0.8 * player._ROOM
    monkeypatch.setattr(player, "_ROOM", player._ROOM - less)
    rng = np.random.default_rng(1)
    X = rng.normal(size=(2_000, 60))
    y = (np.arange(2_000) % 50 == 0).astype(int) + (np.arange(2_000) % 3 == 0)
    dataset = Dataset("much", X, y, tuple(f"x{k}" for k in range(60)), ("a", "b", "c"), Source("here"))
    subject = Subject(compare(Recipe(data=DataRecipe("own"), panels=(PanelRecipe("nca"),)), dataset))
    file = made(PLAYER, with_random_history(subject, 1_000, rng))
    assert len(file.data) + less * 4 / 3 < MOST_BYTES
    page = file.data.decode()
    scene, message = parts(page)
    n = head(scene)["samples"]
    assert 400 < n < 2_000
    assert f"Showing {n:,} of 2,000 points" in head(scene)["note"]
    shares = [np.bincount(array(scene, "labels"), minlength=3) / n, np.bincount(y, minlength=3) / 2_000]
    np.testing.assert_allclose(*shares, atol=0.01)
    count, rows, columns = np.frombuffer(message, "<f8", 3, 24).astype(int)
    assert 20 < count < 1_000
    assert "Of the iterations only some are kept." in page
    stride = 8 * 11 + 8 * -(-rows * columns // 2)
    assert np.frombuffer(message, "<f8", 1, 48 + (count - 1) * stride)[0] == 999


def test_points_keep_their_places():
    """What is left out of a feature is far less than a pixel; numbers to show are whole."""
    preparation = PreparationConfig(held_out_fraction=0.3)
    recipe = Recipe(data=DataRecipe("wine"), panels=(PanelRecipe("pca"), nca(4)), preparation=preparation)
    subject = subject_of(recipe, load_dataset("wine"))
    scene, *_ = parts(made(PLAYER, subject).data.decode())
    X = subject.comparison.prepared.dataset.X
    X = X - X.mean(axis=0)
    found = array(scene, "features0").reshape(X.shape)
    assert (np.abs(found - X) <= np.abs(X) / 2**12 + 1e-7).all()
    np.testing.assert_array_equal(array(scene, "hover").reshape(X.shape), subject.comparison.dataset.X.astype("<f4"))


@pytest.fixture(scope="module")
def hostile():
    rng = np.random.default_rng(4)
    y = np.arange(60) % 2
    X = rng.normal(size=(60, 3)) + y[:, None]
    dataset = Dataset(HOSTILE, X, y, (HOSTILE, "=b", "</style>"), (HOSTILE, '"><script>x</script>'), Source("x"))
    dataset = replace(dataset, row_names=np.full(60, "Ann Smith"), row_word="line")
    panels = (PanelRecipe("pca", title=HOSTILE), nca(4))
    recipe = Recipe(data=DataRecipe("own", name=HOSTILE), panels=panels, preparation=PreparationConfig("robust", 0.25))
    return subject_of(recipe, dataset, address="http://localhost:8501/compare")


def test_users_words_are_text_in_the_page(hostile):
    page = made(PLAYER, hostile).data.decode()
    assert "<img" not in page
    assert page.lower().count("</script") == page.lower().count("<script") == 3
    assert page.count(html.escape(HOSTILE)) >= 3  # title, table, recipe
    assert "Content-Security-Policy" in page
    assert "default-src 'none'" in html.unescape(page)


def test_rows_have_numbers_and_no_names(hostile):
    scene, *_ = parts(made(PLAYER, hostile).data.decode())
    assert b"Ann" not in scene
    assert head(scene)["row_word"] == "line"


def test_recipe_way_back_and_the_pages_numbers_are_in_it(hostile):
    page = made(PLAYER, hostile).data.decode()
    scores = hostile.scores("nca", nullcontext)
    for number in (scores.mean_p, scores.held_out_1nn, scores.accuracy_1nn):
        assert f"<td>{number:.3f}</td>" in page
    assert f"<td>{scores.k_mean_entropy:.1f}</td>" in page
    recipe = html.unescape(re.search(r"<pre>(.*?)</pre>", page, re.DOTALL).group(1))
    assert from_json(recipe).recipe == hostile.comparison.recipe
    assert 'href="http://localhost:8501/compare?recipe=2' in page
    nowhere = made(PLAYER, replace(hostile, address="javascript:alert(1)")).data.decode()
    assert "<a " in page
    assert "<a " not in nowhere
    assert "javascript:" not in nowhere

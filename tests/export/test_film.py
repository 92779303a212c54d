"""The film: a frame for each iteration, points where the stage has them, in its colours and shapes."""

from __future__ import annotations

import io
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image

from datasets.base.dataset import Dataset, Source
from datasets.catalogue import load_dataset
from datasets.preparation import PreparationConfig
from export.entry import Wish
from export.film import FILM, places_at, spread
from export.markers import colour_of, corners, marker, palette, shape_of
from pages.stage.scene_of import scene_of
from study.panel import PanelRecipe
from study.recipe import DataRecipe, Recipe
from tests.export.subjects import HOSTILE, made, nca, subject_of


@pytest.fixture(scope="module")
def subject():
    """Two classes far from each other along the first axis: one colour left, the other right."""
    rng = np.random.default_rng(0)
    y = np.arange(40) % 2
    X = np.column_stack([2.5 * y + rng.normal(size=40), rng.normal(size=40)])
    dataset = Dataset(HOSTILE, X, y, ("a", "b"), ("left", "right"), Source("here"))
    panels = (PanelRecipe("pca"), nca(5))
    recipe = Recipe(data=DataRecipe("own"), panels=panels, preparation=PreparationConfig("none", 0.0))
    return subject_of(recipe, dataset)


def frames(file):
    image = Image.open(io.BytesIO(file.data))
    found = []
    for k in range(image.n_frames):
        image.seek(k)
        found.append((np.asarray(image.convert("RGB")).astype(int), image.info["duration"]))
    return found


def near(pixels, colour, most=40):
    rgb = np.array([int(colour[k : k + 2], 16) for k in (1, 3, 5)])
    return np.argwhere(np.abs(pixels - rgb).sum(axis=2) < most)


@pytest.mark.parametrize("dark", [False, True])
def test_each_class_is_where_the_stage_has_it(subject, dark):
    found = frames(made(FILM, replace(subject, dark=dark), "small"))
    assert len(found) == len(subject.histories["nca"]) > 3
    assert [time for _, time in found] == [100] * (len(found) - 1) + [1800]
    background = found[0][0][0, 0]
    assert (background < 60).all() if dark else (background > 240).all()
    pixels = found[-1][0][40:250]  # the panels, without the legend
    scene = scene_of(subject.comparison)
    for k, panel in enumerate(scene.panels):
        Y = places_at(subject, scene, np.arange(40), panel, 99)
        half = pixels[:, 12 + k * 230 : 12 + k * 230 + 220]
        for code in (0, 1):
            places = near(half, colour_of(code, dark))
            assert len(places) > 100
            across = Y[scene.labels == code].mean(axis=0)
            wanted = 110 + 110 * across[0] / (1.12 * spread(Y))
            assert places[:, 1].mean() == pytest.approx(wanted, abs=6), (panel.key, code)


def test_long_trainings_in_three_dimensions_and_without_one():
    panels = (nca(6), PanelRecipe("pca"))
    subject = subject_of(Recipe(data=DataRecipe("iris"), panels=panels, n_components=3), load_dataset("iris"))
    long = {"nca": tuple(subject.histories["nca"][k % 6] for k in range(200))}
    assert len(frames(made(FILM, replace(subject, histories=long), "small"))) == 80
    assert "press Train" in FILM.problem(replace(subject, histories={}), Wish("small"))


def test_shapes_are_the_pages():
    assert [len(corners(k)) for k in range(8)] == [0, 4, 3, 4, 3, 12, 12, 6]
    assert [shape_of(k, 10) for k in (0, 7, 8, 9, -1)] == [0, 7, 0, 1, 0]
    assert [shape_of(k, 30) for k in (0, 9, 10, 29)] == [0, 0, 1, 2]
    assert colour_of(11, False) == palette()["classes"]["light"][1]
    assert (colour_of(0, False, 5), colour_of(4, True, 5)) == (palette()["scale"][0], palette()["scale"][10])
    for k in range(8):
        full, hollow = (np.asarray(marker(k, 5.0, hollow)) for hollow in (False, True))
        middle = full.shape[0] // 2, full.shape[1] // 2
        assert full.sum() > 35 * 255
        assert (full[middle], hollow[middle]) == (255, 0)


def test_markers_are_as_large_as_their_radius_says():
    for shape in range(len(palette()["shapes"])):
        picture = marker(shape, 20.0, hollow=False)
        left, top, right, bottom = picture.point(lambda covered: 255 * (covered > 127)).getbbox()
        assert 0.8 * 40 <= max(right - left, bottom - top) <= 1.1 * 40

"""The film: a frame for each iteration, points where the stage has them, in its colours and shapes."""

import io
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image, ImageColor, ImageSequence

from datasets.base.dataset import Dataset, Source
from datasets.catalogue import load_dataset
from datasets.preparation import PreparationConfig
from export import film as film_module
from export.entry import ExportRequest
from export.film import FILM, MOST_FRAMES, Film, font, reach, sprite
from stage.palette import PALETTE, colour_of, shape_of
from stage.scene import build_scene
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
    pictures = ImageSequence.Iterator(Image.open(io.BytesIO(file.data)))
    return [(np.asarray(each.convert("RGB")).astype(int), each.info["duration"]) for each in pictures]


def near(pixels, colour):
    return np.argwhere(np.abs(pixels - ImageColor.getrgb(colour)).sum(axis=2) < 40)


@pytest.mark.parametrize("dark", [False, True])
def test_each_class_is_where_the_stage_has_it(subject, dark):
    found = frames(made(FILM, replace(subject, dark=dark), "small"))
    moments = Film(replace(subject, dark=dark), 220).moments()
    assert len(found) == len(moments) > 2 * len(subject.histories["nca"])
    assert (moments[0], moments[-1]) == (0, len(subject.histories["nca"]) - 1)
    assert [time for _, time in found] == [100] * (len(found) - 1) + [1800]
    background = found[0][0][0, 0]
    assert (background < 60).all() if dark else (background > 240).all()
    pixels = found[-1][0][40:250]  # the panels, without the legend
    scene = build_scene(subject.comparison)
    for k, panel in enumerate(scene.panels):
        Y = Film(subject, 220).places(panel, 99)
        half = pixels[:, 12 + k * 230 : 12 + k * 230 + 220]
        for code in (0, 1):
            places = near(half, colour_of(code, dark))
            assert len(places) > 100
            across = Y[scene.labels == code].mean(axis=0)
            wanted = 110 + 110 * across[0] / (1.12 * reach(Y))
            assert places[:, 1].mean() == pytest.approx(wanted, abs=6), (panel.key, code)


def test_long_trainings_in_three_dimensions_and_without_one():
    panels = (nca(6), PanelRecipe("pca"))
    subject = subject_of(Recipe(data=DataRecipe("iris"), panels=panels, n_components=3), load_dataset("iris"))
    long = {"nca": tuple(subject.histories["nca"][k % 6] for k in range(200))}
    assert len(frames(made(FILM, replace(subject, histories=long), "small"))) == MOST_FRAMES
    assert "press Train" in FILM.problem(replace(subject, histories={}), ExportRequest("small"))


def test_three_dimensions_are_turned_then_tilted_then_swung():
    panels = (nca(2), PanelRecipe("pca"))
    film = Film(subject_of(Recipe(data=DataRecipe("iris"), panels=panels, n_components=3), load_dataset("iris")), 220)

    def about(axis, angle):
        c, s = np.cos(angle), np.sin(angle)
        return np.array([[[1, 0, 0], [0, c, -s], [0, s, c]], [[c, 0, s], [0, 1, 0], [-s, 0, c]]][axis])

    for panel in film.scene.panels:
        turned = about(1, 0.3) @ about(0, film_module._TILT) @ about(1, film_module._TURN) @ film._axes[panel.key]
        assert film._view(panel, 0.3) == pytest.approx(turned)


def test_shapes_are_the_pages():
    assert [shape_of(k, 10) for k in (0, 7, 8, 9, -1)] == [0, 7, 0, 1, 0]
    assert [shape_of(k, 30) for k in (0, 9, 10, 29)] == [0, 0, 1, 2]
    assert colour_of(11, False) == PALETTE["classes"]["light"][1]
    assert (colour_of(0, False, 5), colour_of(4, True, 5)) == (PALETTE["scale"][0], PALETTE["scale"][10])


@pytest.mark.parametrize("shape", range(len(PALETTE["shapes"])))
def test_a_sprite_is_as_large_as_its_radius_and_hollow_where_asked(shape):
    full, hollow = (sprite(shape, 20.0, each, "#000000", "#ffffff") for each in (False, True))
    left, top, right, bottom = full.getchannel("A").point(lambda covered: 255 * (covered > 127)).getbbox()
    assert 0.8 * 40 <= max(right - left, bottom - top) <= 1.25 * 40
    middle = (full.width // 2, full.height // 2)
    assert (full.getpixel(middle), hollow.getpixel(middle)[3]) == ((0, 0, 0, 255), 0)
    assert np.asarray(hollow.getchannel("A")).any()


def test_held_out_rows_are_hollow_in_the_film(subject):
    """Of one class all rows are held out: its markers lose their middle, the other class's keep theirs."""
    film = Film(subject, 220)
    film.scene = replace(film.scene, held_out=film.scene.labels == 0)
    image = Image.new("RGB", (240, 240), "#ffffff")
    Y = np.array([[-1.0, 0.0], [1.0, 0.0]])[film.scene.labels]
    film.paint(image, (0, 0), film.scene.panels[0], Y, np.eye(2))
    half = 110 / (1.12 * reach(Y))
    left, right = (image.getpixel((round(110 + half * x), 110)) for x in (-1, 1))
    assert left == (255, 255, 255)
    assert right == ImageColor.getrgb(colour_of(1, False))


@pytest.mark.parametrize(("one", "other"), [("Ж", "Ш"), ("λ", "π"), ("ł", "ñ"), ("K\u0302", "K\u0301")])
def test_letters_of_several_alphabets_are_no_boxes(one, other):
    """No letter looks like the box for one that the font does not have, nor like the other one."""
    pictures = [bytes(font(13).getmask(text)) for text in (one, other, "\ue000" * len(one))]
    assert len(set(pictures)) == 3


def test_where_the_font_is_missing_pillow_s_own_is_taken(monkeypatch):
    monkeypatch.setattr(film_module, "_FONT", "nowhere/*.woff2")
    font.cache_clear()
    assert font(13).getlength("iteration") > 20
    font.cache_clear()


def test_between_two_snapshots_a_lies_on_the_straight_line(subject):
    film = Film(subject, 220)
    panel = film.scene.panels[1]
    first, second, between = (film.places(panel, moment) for moment in (0, 1, 0.25))
    assert not np.allclose(first, second)
    np.testing.assert_allclose(between, 0.75 * first + 0.25 * second, atol=1e-9)

"""Shapes of images: told by names, by the pixels themselves, and never seen in an arbitrary table."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine

from datasets.base.dataset import Dataset, Source
from datasets.columns import build_dataset
from datasets.columns.images import (
    could_be_images,
    likely_image_shape,
    pixel_grid,
    possible_image_shapes,
    shape_by_likeness,
    with_all_pixels,
)
from datasets.reading import read_table
from tests.datasets.planned import column_plan


def dataset_of(X, names, image_shape=None):
    y = np.arange(len(X)) % 2
    return Dataset("t", np.array(X, dtype=float), y, tuple(names), ("a", "b"), Source("t"), image_shape)


def smooth_images(rows, columns, n=60):
    """Random grey pictures (0..255) in which a pixel resembles its neighbours."""
    rng = np.random.default_rng(0)
    r, c = np.mgrid[:rows, :columns]
    X = np.zeros((n, rows, columns))
    for _ in range(12):
        place, size = rng.random((n, 2, 1, 1)) * (rows, columns)[0], rng.random((n, 1, 1)) * 2 + 1.5
        X += np.exp(-((r - place[:, 0]) ** 2 + (c - place[:, 1] * columns / rows) ** 2) / size**2)
    X = X.reshape(n, -1)
    return np.round(255 * (X - X.min(axis=0)) / (X.max(axis=0) - X.min(axis=0)))


@pytest.mark.parametrize(
    ("n", "shapes"),
    [
        (64, [(8, 8), (16, 4), (4, 16), (32, 2), (2, 32)]),
        (560, [(28, 20), (20, 28)]),
        (13, []),
        (0, []),
    ],
)
def test_possible_shapes_begin_with_the_squarest(n, shapes):
    found = possible_image_shapes(n)
    assert found[: len(shapes)] == shapes
    assert all(rows * columns == n for rows, columns in found)
    assert len(found) == len(set(found)) == sum(n % rows == 0 for rows in range(2, n // 2 + 1))


@pytest.mark.parametrize("pattern", ["p{:02d}_{:02d}", "pixel_{}_{}", "{}x{}", "px {} {}", "P{}_{}"])
@pytest.mark.parametrize("first", [0, 1])
def test_names_that_place_each_pixel(pattern, first):
    names = [pattern.format(r + first, c + first) for r in range(5) for c in range(3)]
    assert pixel_grid(names) == (5, 3)
    assert likely_image_shape(dataset_of(np.eye(15), names)) == (5, 3)


@pytest.mark.parametrize(
    "names",
    [
        ["p0_0", "p1_0", "p0_1", "p1_1"],  # column by column
        ["p0_0", "p0_1", "p1_0"],  # one is missing
        ["p0_0", "q0_1", "p1_0", "p1_1"],
        ["p0_0", "p0_1"],
        [],
    ],
)
def test_names_that_are_no_whole_grid(names):
    assert pixel_grid(names) is None


@pytest.mark.parametrize("name", ["pixel{}", "p{}", "pixel_{}", "px{}"])
def test_numbered_pixels_make_a_square_or_nothing(name):
    assert likely_image_shape(dataset_of(np.eye(49), [name.format(k) for k in range(49)])) == (7, 7)
    assert likely_image_shape(dataset_of(np.eye(50), [name.format(k) for k in range(50)])) is None
    assert likely_image_shape(dataset_of(np.eye(9), [name.format(k) for k in range(9)])) is None


@pytest.mark.parametrize("shape", [(12, 12), (14, 10), (10, 14), (8, 16)])
def test_the_pixels_alone_tell_the_shape(shape):
    X = smooth_images(*shape)
    assert shape_by_likeness(X) == shape
    names = [f"V{k + 1}" for k in range(X.shape[1])]
    assert likely_image_shape(dataset_of(X, names)) == shape
    assert likely_image_shape(dataset_of(X * 1.7 - 3, names)) is None  # no grey scale
    assert likely_image_shape(dataset_of(X, [f"gene {k}" for k in range(len(names))])) is None


def test_constant_features_are_harmless():
    assert shape_by_likeness(np.ones((10, 64))) is None
    X = smooth_images(12, 12)
    X[:, :12] = 0.0
    assert shape_by_likeness(X) == (12, 12)


def test_shuffled_pixels_and_time_series_are_no_pictures():
    rng = np.random.default_rng(1)
    assert shape_by_likeness(smooth_images(12, 12)[:, rng.permutation(144)]) is None
    assert shape_by_likeness(np.cumsum(rng.normal(size=(80, 144)), axis=1)) is None


@pytest.mark.parametrize("load", [load_iris, load_wine, load_breast_cancer])
def test_arbitrary_tables_are_no_images(load):
    bunch = load()
    assert likely_image_shape(dataset_of(bunch.data, bunch.feature_names)) is None


@pytest.mark.parametrize("n_features", [36, 49, 64, 100])
@pytest.mark.parametrize("scale", [1.0, 255.0])
def test_square_tables_of_noise_are_no_images(n_features, scale):
    X = np.random.default_rng(3).random((200, n_features))
    X = scale * (X - X.min(axis=0)) / (X.max(axis=0) - X.min(axis=0))
    assert likely_image_shape(dataset_of(X, [f"V{k}" for k in range(n_features)])) is None


def test_answers_of_a_survey_beside_categories_are_no_pixels():
    rng = np.random.default_rng(0)
    names = [f"q{k}" for k in range(23)]
    lines = [",".join([*map(str, rng.integers(0, 17, 23)), "rgb"[k % 3], "xy"[k % 2]]) for k in range(60)]
    table = read_table(("\n".join([",".join([*names, "colour", "label"]), *lines])).encode(), "t.csv")
    numbers = build_dataset(table, column_plan(table))
    assert could_be_images(replace(numbers, categories=()))
    assert not could_be_images(numbers)


def test_digits_and_a_known_shape():
    digits = load_digits()
    assert likely_image_shape(dataset_of(digits.data, digits.feature_names)) == (8, 8)
    assert shape_by_likeness(digits.data) == (8, 8)
    known = dataset_of(np.eye(6), list("abcdef"), (2, 3))
    assert likely_image_shape(known) == (2, 3)


def test_black_corners_are_put_back():
    text = "p0_0,p0_1,p1_0,p1_1,label\n" + "".join(f"0,{k},{k * k},7,{'xy'[k % 2]}\n" for k in range(8))
    table = read_table(text.encode(), "t.csv")
    plan = column_plan(table)
    assert len(plan.left_out) == 2
    dataset = build_dataset(table, with_all_pixels(table, plan))
    assert dataset.feature_names == ("p0_0", "p0_1", "p1_0", "p1_1")
    assert likely_image_shape(dataset) == (2, 2)
    other = replace(table, cells=table.cells.rename_columns(["a", "b", "c", "d", "label"]))
    assert with_all_pixels(other, column_plan(other)).left_out

"""Poisoned held-out rows change nothing that training sees: fills, categories, scaling, reduction, selection."""

from dataclasses import replace

import numpy as np
import pytest

from datasets.columns import build_dataset
from datasets.noise_lab import NoiseConfig, add_noise
from datasets.preparation import PREPROCESSING, PreparationConfig, prepare
from datasets.preparation_steps import REDUCTIONS
from datasets.proposals import Choices, apply, propose
from datasets.reading import read_table
from study.features import prepare_rows

HELD = PreparationConfig(held_out_fraction=0.3)


def lines():
    """Gaps in a number and in a category, a category of 25 levels, and columns that vary by class."""
    rng = np.random.default_rng(3)
    found = []
    for row in range(200):
        k = row % 2
        width = "" if row % 9 == 0 else f"{rng.normal() + 2 * k:.3f}"
        colour = "" if row % 7 == 0 else rng.choice(["red", "green"], p=[0.51, 0.49])
        town = f"t{int(25 * rng.random() ** 2):02}"
        found.append([width, f"{rng.normal():.3f}", f"{rng.exponential():.3f}", colour, town, "ab"[k]])
    return found


def dataset_of(cells):
    text = "\n".join(",".join(row) for row in [["width", "height", "depth", "colour", "town", "kind"], *cells])
    choices = Choices(
        label="kind",
        missing="impute",
        roles=(("colour", "categories"), ("town", "categories")),
        category_gaps="most_frequent",
    )
    plan = apply(propose(read_table(text.encode(), "a.csv")), choices)
    return build_dataset(plan.table, plan.columns)


@pytest.fixture(scope="module")
def clean():
    return dataset_of(lines())


@pytest.fixture(scope="module")
def poisoned(clean):
    """Every held-out row has huge numbers, no gaps, and the rarest levels."""
    cells = lines()
    for row in np.flatnonzero(prepare(clean, HELD).held_out):
        cells[row][:5] = ["-9000", "7000", "123456", "green", "t24"]
    return dataset_of(cells)


def test_the_data_have_what_must_be_fitted(clean, poisoned):
    assert clean.gaps.any()
    assert [(each.name, bool(each.other), bool(each.missing[each.codes].any())) for each in clean.categories] == [
        ("colour", False, True),
        ("town", True, False),
    ]
    assert clean.X.shape == poisoned.X.shape
    train = prepare(clean, HELD).train
    assert not np.array_equal(clean.X[train], poisoned.X[train])  # as built, from all rows
    assert clean.feature_names != poisoned.feature_names


@pytest.mark.parametrize("reduction", [None, *REDUCTIONS])
@pytest.mark.parametrize("step", PREPROCESSING)
def test_training_rows_do_not_change(clean, poisoned, step, reduction):
    config = replace(HELD, step=step, components=reduction and 3, reduction=reduction or "pca")
    _check_alike(prepare(clean, config), prepare(poisoned, config))


def test_nor_with_a_rescaled_column(clean, poisoned):
    noise = NoiseConfig(noise_columns=2, rescaled_column=clean.feature_names.index("town = t03"), factor=3.0)
    one, other = (prepare(add_noise(data, noise), HELD) for data in (clean, poisoned))
    column = one.raw.X[:, noise.rescaled_column]
    assert set(column) == {0.0, 3.0}
    np.testing.assert_array_equal(column[one.train], other.raw.X[one.train, noise.rescaled_column])


def test_nor_the_spread_of_noise_columns(clean, poisoned):
    _check_alike(*(prepare_rows(data, NoiseConfig(noise_columns=2), HELD) for data in (clean, poisoned)))


def _check_alike(one, other):
    train = one.train
    np.testing.assert_array_equal(train, other.train)
    np.testing.assert_array_equal(one.raw.X[train], other.raw.X[train])
    np.testing.assert_array_equal(one.dataset.X[train], other.dataset.X[train])
    assert (one.raw.feature_names, one.dataset.feature_names) == (other.raw.feature_names, other.dataset.feature_names)
    probe = np.linspace(-1, 1, one.raw.n_features)[None]
    np.testing.assert_array_equal(one.apply(probe), other.apply(probe))


def test_gaps_are_filled_with_the_median_of_the_training_rows(clean):
    """And a missing category with their most frequent level; the rarest levels count as one."""
    found, cells = prepare(clean, HELD), lines()
    train = np.flatnonzero(found.train)
    known = [float(cells[row][0]) for row in train if cells[row][0]]
    assert set(found.raw.X[clean.gaps[:, 0], 0]) == {np.median(known)}
    colours = [cells[row][3] for row in train if cells[row][3]]
    frequent = max(set(colours), key=colours.count)
    column = found.raw.feature_names.index(f"colour = {frequent}")
    assert set(found.raw.X[[not row[3] for row in cells], column]) == {1.0}
    towns = [cells[row][4] for row in train]
    shown = {name.removeprefix("town = ") for name in found.raw.feature_names if name.startswith("town")} - {"other"}
    assert min(map(towns.count, shown)) >= max(map(towns.count, set(towns) - shown))


def test_new_splits_fill_anew(clean):
    fills = {float(prepare(clean, replace(HELD, random_state=seed)).raw.X[0, 0]) for seed in range(8)}
    assert len(fills) > 3

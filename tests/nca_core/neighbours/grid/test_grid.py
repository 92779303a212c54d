"""Sums over a grid are the sums over pairs, wherever points lie; islands are apart, and nothing that touches is."""

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from nca_core.neighbours.base.sums import Classes
from nca_core.neighbours.grid.grid_field import GridField, smooth
from nca_core.neighbours.grid.spectral import APART, Spectral, islands
from nca_core.neighbours.grid.window import ERROR, FAR_ERROR, REACH, SPACING, WIDTH


def by_pairs(Y, strengths):
    steps = Y[:, None, :] - Y[:, :, None]  # y_j − y_i
    squares = (steps**2).sum(axis=0)
    w = np.exp(-squares)
    return w.sum(axis=1), (w * squares).sum(axis=1), (w * steps).sum(axis=2), (w * strengths * steps).sum(axis=2)


@pytest.mark.parametrize("d", [1, 2, 3])
def test_sums_and_forces_are_those_of_the_pairs(d):
    rng = np.random.default_rng(d)
    Y = rng.normal(size=(d, 700)) * 2.0
    Y[:, :100] *= 4.0
    strengths = rng.normal(size=700)
    field = GridField(Y)
    total, beyond, pull = field.sums()
    expected = by_pairs(Y, strengths)
    most = expected[0].max()
    np.testing.assert_allclose(total, expected[0], rtol=0, atol=ERROR * most)
    np.testing.assert_allclose(beyond, expected[1], rtol=0, atol=1e-11 * most)
    np.testing.assert_allclose(pull, expected[2], rtol=0, atol=1e-12 * most)
    np.testing.assert_allclose(field.pull(strengths), expected[3], rtol=0, atol=1e-12 * most)


@pytest.mark.parametrize("d", [1, 2, 3])
def test_the_error_of_a_sum_stays_within_what_its_pairs_windows_can_make(d):
    """A crowd of a thousand with stray points: those beside it on every axis are exact to the last digits all the
    same."""
    rng = np.random.default_rng(d)
    crowd, strays = rng.normal(size=(d, 1000)) * 0.3, rng.uniform(-9.0, 9.0, (d, 200))
    Y = np.concatenate([crowd, strays], axis=1)
    field = GridField(Y)
    error = field.errors(field.counts())
    assert (np.abs(field.sums()[0] - 1.0 - by_pairs(Y, Y[0])[0] + 1.0) <= error + 1e-15).all()
    squares = (Y[:, None, :] - Y[:, :, None]) ** 2
    of_axis = np.where(squares < 4.0, ERROR, np.where(squares < 36.0, FAR_ERROR, 0.0))
    least = (of_axis * np.exp(squares - squares.sum(axis=0))).sum(axis=(0, 2))
    assert (least <= error).all()
    assert error.sum() <= 9.0 * least.sum()
    if d > 1:
        assert error[1000:].min() < 1e-2 * error.max()


def test_two_points_at_every_distance_and_place():
    """What a sum may be wrong by is told for one pair; beyond the reach there is nothing at all."""
    distances = np.linspace(0.0, 9.0, 451)
    reach = (WIDTH + REACH) * SPACING
    for offset in np.linspace(0.0, SPACING, 8, endpoint=False):
        Y = np.concatenate([[-20.0, -19.0 + offset], 20.0 + distances + offset])[None]
        Y = np.concatenate([Y, [[20.0 + offset / 3]]], axis=1)
        strengths = np.zeros(Y.shape[1])
        strengths[-1] = 1.0  # everybody feels the last one alone
        field = GridField(Y)
        felt = field.sums_from(smooth(field.spread(strengths), 1))[0]
        apart = Y[0] - Y[0, -1]
        np.testing.assert_allclose(felt, np.exp(-(apart**2)), rtol=0, atol=ERROR)
        assert (felt[np.abs(apart) > reach] == 0.0).all()


def test_points_in_one_place_and_a_single_one():
    np.testing.assert_allclose(GridField(np.full((2, 5), 3.0)).sums()[0], 5.0, rtol=1e-12)
    np.testing.assert_allclose(GridField(np.zeros((3, 1))).sums()[0], 1.0, rtol=1e-12)


@pytest.mark.parametrize(("d", "freedom", "most_exact"), [(2, 3, 0.002), (3, 1, 0.03)])
def test_points_with_next_to_no_neighbours_among_very_many_are_exact_too(d, freedom, most_exact):
    """Their errors hardly show in any sum over 300,000 points; nor are many more done singly than need it, each of
    which takes as long as thousands in a crowd."""
    rng = np.random.default_rng(0)
    y = np.sort(rng.integers(0, 3, 300_000))
    Y = 4.0 / d * rng.standard_t(freedom, (d, len(y))) + y
    spectral = Spectral(Y, Classes.of(y), False)
    assert spectral.n_exact < most_exact * len(y)
    for i in np.argsort(spectral.sums.log_z)[100:1_300:20]:
        squares = ((Y - Y[:, i : i + 1]) ** 2).sum(axis=0)
        squares[i] = np.inf
        nearest = squares.min()
        w = np.exp(nearest - squares)
        squares[i] = 0.0
        Z = w.sum()
        assert abs(np.exp(spectral.sums.log_p[i]) - w[y == y[i]].sum() / Z) < 1e-9
        assert abs(spectral.sums.entropy[i] - np.log(Z) - w @ (squares - nearest) / Z) < 2e-8


@pytest.mark.parametrize("d", [1, 2, 3])
@pytest.mark.parametrize("scale", [1.0, 10.0, 100.0, 1e5, 1e90])
def test_points_of_two_islands_are_far_apart(d, scale):
    Y = np.random.default_rng(d).standard_t(1.1, (d, 300)) * scale
    number = islands(Y)
    other = number[:, None] != number[None]
    assert number.min() == 0
    assert len(np.unique(number)) == number.max() + 1
    assert np.all(cdist(Y.T, Y.T)[other] >= APART)


@pytest.mark.parametrize("d", [1, 2, 3])
def test_a_chain_of_near_points_is_one_island_whichever_way_it_runs(d):
    rng = np.random.default_rng(0)
    for _ in range(20):
        direction = rng.normal(size=d)
        steps = np.arange(60) * 0.9 * APART / np.linalg.norm(direction)
        chain = direction[:, None] * steps
        assert islands(chain).max() == 0
        beside = np.concatenate([chain, chain + 1e4], axis=1)
        assert islands(beside).max() == 1
        np.testing.assert_array_equal(islands(beside)[:60], islands(beside)[0])


def test_one_point_is_one_island():
    assert islands(np.zeros((2, 1))).tolist() == [0]

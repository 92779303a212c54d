"""How far two views are apart, against a search over all angles and against the places of the rows themselves."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.stats import ortho_group

from study.views_apart import procrustes_distances, spread_factor, turned_onto

RNG = np.random.default_rng(3)
X = RNG.normal(size=(30, 4)) * [1.0, 5.0, 0.2, 1.0] + 9
X[:, 3] = 2.0  # never varies


def by_angles(A, B):
    """The least ‖A − R B‖ over rotations and reflections of the plane, by looking at all angles."""

    def distance(angle, side):
        c, s = np.cos(angle), np.sin(angle)
        return np.linalg.norm(A - np.array([[c, -s * side], [s, c * side]]) @ B)

    starts = [(angle, side) for angle in np.linspace(0, 2 * np.pi, 12) for side in (1, -1)]
    return min(minimize(lambda x, side=side: distance(x[0], side), [angle]).fun for angle, side in starts)


def test_procrustes_distances_are_the_least_over_all_rotations():
    matrices = [RNG.normal(size=(2, 4)) for _ in range(4)]
    distances = procrustes_distances(matrices)
    units = [A / np.linalg.norm(A) for A in matrices]
    for i in range(4):
        for j in range(4):
            assert distances[i, j] == pytest.approx(by_angles(units[i], units[j]) if i != j else 0, abs=1e-6)
    R = ortho_group.rvs(2, random_state=1)
    same = procrustes_distances([matrices[0], 7 * R @ matrices[0]])
    assert same[0, 1] == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize("rows", [30, 3], ids=["many rows", "fewer rows than features"])
def test_by_the_factor_views_are_as_far_apart_as_the_places_of_their_rows(rows):
    A, B = RNG.normal(size=(2, 2, 4))
    factor = spread_factor(X[:rows])
    places = [(X[:rows] - X[:rows].mean(axis=0)) @ matrix.T for matrix in (A, B)]
    wanted = by_angles(*(Y.T / np.linalg.norm(Y) for Y in places))
    assert procrustes_distances([A @ factor.T, B @ factor.T])[0, 1] == pytest.approx(wanted, abs=1e-6)
    assert abs(procrustes_distances([A, B])[0, 1] - wanted) > 0.05
    to = turned_onto(A, B, factor)
    away = np.linalg.norm(places[0].T - to @ (X[:rows] - X[:rows].mean(axis=0)).T)
    assert away == pytest.approx(by_angles(places[0].T, places[1].T), abs=1e-6)
    np.testing.assert_allclose(to.T @ to, B.T @ B)


def test_what_does_not_vary_makes_no_difference():
    A = RNG.normal(size=(2, 4))
    other = A + np.array([0, 0, 0, 100.0])
    factor = spread_factor(X)
    assert procrustes_distances([A @ factor.T, other @ factor.T])[0, 1] == pytest.approx(0, abs=1e-6)

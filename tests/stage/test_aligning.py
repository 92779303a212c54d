"""Turning one picture onto another, against SciPy."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.linalg import orthogonal_procrustes

from tests.stage.javascript import run

PROCRUSTES = """async ([Y, Z, d]) => {
  const { procrustes } = await import("./aligning.js");
  const { R, size, from, to } = procrustes(Float32Array.from(Y), Float32Array.from(Z), d);
  return { R: R.filter((_, k) => k % 3 < d && k < 3 * d), size, from, to };
}"""
rng = np.random.default_rng(8)


@pytest.mark.parametrize("d", [2, 3])
def test_it_is_orthogonal_procrustes_at_the_same_size(d):
    Y, Z = rng.normal(size=(50, d)) * [3, 1, 2][:d] + 5, rng.normal(size=(50, d)) @ rng.normal(size=(d, d)) - 1
    for turned in (Z, 0.3 * Y @ np.linalg.qr(rng.normal(size=(d, d)))[0]):
        found = run(PROCRUSTES, [Y.ravel(), turned.ravel(), d])
        y, z = Y - Y.mean(axis=0), turned - turned.mean(axis=0)
        R, _ = orthogonal_procrustes(y, z)
        np.testing.assert_allclose(np.reshape(found["R"], (d, d)), R.T, atol=1e-5)
        assert found["size"] == pytest.approx(np.linalg.norm(z) / np.linalg.norm(y), rel=1e-5)
        np.testing.assert_allclose([found["from"], found["to"]], [Y.mean(axis=0), turned.mean(axis=0)], rtol=1e-5)


@pytest.mark.parametrize("d", [2, 3])
def test_points_on_a_line_or_without_a_place_do_no_harm(d):
    line = np.outer(rng.normal(size=30), [1.0, 2.0, -1.0][:d])
    there = np.outer(line[:, 0], [0.0, 5.0, 0.0][:d])
    there[4] = np.nan
    found = run(PROCRUSTES, [line.ravel(), there.ravel(), d])
    R = np.reshape(found["R"], (d, d))
    np.testing.assert_allclose(R @ R.T, np.eye(d), atol=1e-6)
    assert np.linalg.det(R) == pytest.approx(1, abs=1e-6)
    moved = found["to"] + found["size"] * (line - found["from"]) @ R.T
    np.testing.assert_allclose(np.delete(moved, 4, axis=0), np.delete(there, 4, axis=0), atol=1e-4)
    for nothing in (np.zeros((30, d)), np.full((30, d), np.nan)):
        found = run(PROCRUSTES, [line.ravel(), nothing.ravel(), d])
        assert np.isfinite([*found["R"], found["size"]]).all()

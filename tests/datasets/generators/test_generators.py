"""What each generator promises, against its formula or an independent count."""

import numpy as np
import pytest
from scipy.stats import kurtosis, norm
from sklearn.datasets import make_moons
from sklearn.model_selection import cross_val_predict
from sklearn.neighbors import KNeighborsClassifier

from datasets.catalogue import DATASETS


def draw(key, **parameters):
    """The generator's data set; its defaults for what is left out, and no limits."""
    entry = DATASETS[key]
    return entry.load(**entry.defaults | parameters)


@pytest.mark.parametrize("correlation", [0.0, 0.6, -0.8])
def test_n2d_moments_and_the_error_of_the_best_rule(correlation):
    data = draw("n2d", n_samples=40_000, separation=2.0, correlation=correlation)
    for code, place in ((0, -1.0), (1, 1.0)):
        rows = data.X[data.y == code]
        np.testing.assert_allclose(rows.mean(axis=0), [place, 0.0], atol=0.03)
        np.testing.assert_allclose(np.cov(rows.T), [[1, correlation], [correlation, 1]], atol=0.03)
    rule = data.X @ np.linalg.solve([[1, correlation], [correlation, 1]], [2.0, 0.0]) > 0
    delta = 2.0 / np.sqrt(1.0 - correlation**2)
    assert abs(np.mean(rule != data.y) - norm.cdf(-delta / 2)) < 0.006


def test_ring_begins_with_the_published_error_of_two_neighbours():
    errors = []
    for seed in range(8):
        data = draw("ring", n_samples=200, random_state=seed)
        guessed = cross_val_predict(KNeighborsClassifier(2), data.X, data.y, cv=10)
        errors.append(np.mean(guessed != data.y))
    assert abs(np.mean(errors) - 0.53) < 0.03  # 0.5300 in the tables; the mean of eight is known to about 0.012


def test_rings_lie_on_circles_and_noise_has_its_deviation():
    data = draw("rings", n_samples=5_000, n_classes=5, n_features=4, noise=3.0, random_state=1)
    np.testing.assert_allclose(np.hypot(data.X[:, 0], data.X[:, 1]), data.y + 1.0)
    np.testing.assert_allclose(data.X[:, 2:].std(axis=0), 3.0, rtol=0.05)


def test_ring_lies_on_circles_in_uniform_noise():
    data = draw("ring", n_samples=4_000, n_classes=3, noise_columns=8, noise_width=2.0)
    assert data.X.shape == (4_000, 10)
    np.testing.assert_allclose(np.hypot(data.X[:, 0], data.X[:, 1]), data.y + 1.0)
    noise = data.X[:, 2:]
    assert np.abs(noise).max() <= 2.0
    np.testing.assert_allclose(noise.std(axis=0), 2.0 * 2.0 / np.sqrt(12.0), rtol=0.03)
    np.testing.assert_allclose(kurtosis(noise), -1.2, atol=0.1)  # uniform, not normal


@pytest.mark.parametrize(
    ("deviation", "other_deviation", "correlation"), [(0.3, 0.5, 0.0), (0.55, 0.7, 0.5), (0.3, 0.5, 0.95)]
)
@pytest.mark.parametrize("key", ["noisy_xor", "lowe_xor"])
def test_xor_in_noise_has_its_deviations_and_correlations(key, deviation, other_deviation, correlation):
    """Noise goes together in all features; Lowe has the bits twice, and noise that goes together in pairs of these."""
    other = "noise_deviation" if key == "noisy_xor" else "second_deviation"
    deviations = {"deviation": deviation, other: other_deviation}
    data = draw(key, n_samples=20_000, correlation=correlation, **deviations)
    bits = np.column_stack([np.arange(20_000) % 2, np.arange(20_000) // 2 % 2])
    np.testing.assert_array_equal(data.y, bits[:, 0] ^ bits[:, 1])
    if key == "noisy_xor":
        place, spread = bits, [deviation] * 2 + [other_deviation] * 6
        together = np.where(np.eye(8), 1.0, correlation)
    else:
        place, spread = np.hstack([bits, bits]), [deviation] * 2 + [other_deviation] * 2 + [2.0] * 4
        together = np.eye(8)
        together[[0, 1, 2, 3], [1, 0, 3, 2]] = correlation
    noise = data.X - np.pad(place, [(0, 0), (0, 8 - place.shape[1])])
    np.testing.assert_allclose(noise.std(axis=0), spread, rtol=0.03)
    np.testing.assert_array_less(np.abs(noise.mean(axis=0)), 0.03 * np.maximum(1.0, spread))
    np.testing.assert_allclose(np.corrcoef(noise.T), together, atol=0.03)


def test_moons_are_half_circles():
    data = draw("moons", n_samples=400, noise=0.0, noise_columns=0)
    centres = np.where(data.y[:, None] == 0, [0.0, 0.0], [1.0, 0.5])
    offset = data.X - centres
    np.testing.assert_allclose(np.hypot(*offset.T), 1.0)
    assert np.all(offset[data.y == 0, 1] >= -1e-12)
    assert np.all(offset[data.y == 1, 1] <= 1e-12)
    theirs, codes = make_moons(400, shuffle=False)
    for code in (0, 1):
        np.testing.assert_allclose(data.X[data.y == code], theirs[codes == code], atol=1e-12)


def test_blobs_spread_as_asked():
    data = draw("blobs", n_samples=8_000, n_classes=4, n_features=6, spread=0.7)
    for code in range(4):
        np.testing.assert_allclose(data.X[data.y == code].std(axis=0), 0.7, rtol=0.07)
    means = draw("blobs", n_samples=200, n_classes=20, n_features=100, spread=0.1)
    centres = np.array([means.X[means.y == code].mean(axis=0) for code in range(20)])
    assert abs(centres.std() - 2.0) < 0.1


def test_spirals_wind_with_the_radius():
    data = draw("spirals", n_samples=600, n_classes=3, turns=1.5, noise=0.0, noise_columns=2)
    z = data.X[:, 0] + 1j * data.X[:, 1]
    turned = z * np.exp(-2j * np.pi * (1.5 * np.abs(z) + data.y / 3))
    np.testing.assert_allclose(turned, np.abs(z), atol=1e-12)  # the winding taken out, all lie on a half line
    for code in range(3):
        np.testing.assert_allclose([np.abs(z[data.y == code]).min(), np.abs(z[data.y == code]).max()], [0.1, 1.0])


def test_the_swiss_roll_is_cut_along_its_length():
    data = draw("swiss_roll", n_samples=3_000, n_classes=6, height=20.0, noise=0.0)
    t = np.hypot(data.X[:, 0], data.X[:, 2])
    np.testing.assert_allclose(data.X[:, 0], t * np.cos(t), atol=1e-9)
    np.testing.assert_array_equal(data.y, ((t - 1.5 * np.pi) / (3 * np.pi) * 6).astype(int))
    assert data.X[:, 1].min() >= 0.0
    assert 19.0 < data.X[:, 1].max() <= 20.0


@pytest.mark.parametrize("n_signs", [1, 2, 3, 5])
def test_xor_is_the_parity_of_its_signs_and_fewer_tell_nothing(n_signs):
    data = draw("xor", n_samples=640, n_signs=n_signs, n_features=8, margin=1.0)
    signs = np.sign(data.X[:, :n_signs])
    np.testing.assert_array_equal(data.y, np.prod(signs, axis=1) < 0)
    assert np.abs(data.X[:, :n_signs]).min() >= 1.0
    if n_signs > 1:
        fewer = np.prod(signs[:, 1:], axis=1) < 0
        assert np.mean(fewer == data.y) == 0.5


def test_xor_refuses_more_signs_than_features():
    with pytest.raises(ValueError, match="needs at least 5 features; there are 4"):
        draw("xor", n_samples=64, n_signs=5, n_features=4)


def test_labels_of_pure_noise_have_nothing_to_do_with_it():
    data = draw("pure_noise", n_samples=3_000, n_classes=3, n_features=40)
    assert np.ptp(np.bincount(data.y)) == 0
    between = [data.X[data.y == code].mean(axis=0) * np.sqrt(1_000) for code in range(3)]
    assert np.abs(between).max() < 4.5  # each entry is standard normal
    assert (np.diff(data.y) != 1).mean() > 0.5  # not in the order of the rows either

"""Preprocessing, steps and reductions against scikit-learn: one path for all rows, learned on training rows."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st
from sklearn.decomposition import PCA
from sklearn.feature_selection import SelectKBest, f_classif
from sklearn.preprocessing import MinMaxScaler, RobustScaler, StandardScaler

from datasets.base.errors import DataError
from datasets.base.words import percent
from datasets.catalogue import load_dataset
from datasets.preparation import PREPROCESSING, PreparationConfig, prepare
from datasets.preparation_steps import REDUCTIONS, axes_and_deviations
from nca_core.features.validation import check_features
from tests.datasets.planned import made


@pytest.mark.parametrize(
    ("step", "theirs"), [("standardise", StandardScaler()), ("min-max", MinMaxScaler()), ("robust", RobustScaler())]
)
def test_steps_against_scikit_learn(step, theirs):
    wine = load_dataset("wine")
    ready = prepare(wine, PreparationConfig(step=step))
    np.testing.assert_allclose(ready.dataset.X, theirs.fit_transform(wine.X), atol=1e-10)


def test_the_split_is_stratified_and_follows_its_seed():
    digits = load_dataset("digits")
    ready = prepare(digits, PreparationConfig(held_out_fraction=0.3))
    assert ready.held_out.sum() == round(0.3 * 1797)
    assert not (ready.held_out & ready.train).any()
    shares = np.bincount(digits.y[ready.held_out]) / np.bincount(digits.y)
    assert np.all(np.abs(shares - 0.3) < 0.02)
    again = prepare(digits, PreparationConfig(held_out_fraction=0.3))
    np.testing.assert_array_equal(again.held_out, ready.held_out)
    other = prepare(digits, PreparationConfig(held_out_fraction=0.3, random_state=1))
    assert (other.held_out != ready.held_out).any()


def test_too_many_rows_become_a_stratified_sample_and_it_is_said():
    digits = load_dataset("digits")
    ready = prepare(digits, PreparationConfig(max_rows=500))
    assert ready.dataset.n_samples == 500
    assert np.all(np.abs(np.bincount(ready.dataset.y) - np.bincount(digits.y) * 500 / 1797) <= 1.0)
    np.testing.assert_array_equal(ready.raw.X, digits.X[ready.raw.row_numbers - 1])
    assert "500 of 1,797 rows" in ready.notes[0]


def test_a_sample_drawn_at_random_leaves_the_shares_to_chance():
    digits = load_dataset("digits")
    expected = np.bincount(digits.y) * 500 / 1797
    off = []
    for seed in range(20):
        ready = prepare(digits, PreparationConfig(max_rows=500, sampling="random", random_state=seed))
        assert len(set(ready.raw.row_numbers.tolist())) == 500
        np.testing.assert_array_equal(ready.raw.X, digits.X[ready.raw.row_numbers - 1])
        assert "drawn at random" in ready.notes[0]
        off.append(np.bincount(ready.dataset.y, minlength=10) - expected)
    # Hypergeometric: the variance of a class's count is n p (1 − p) (N − n) / (N − 1), about 32 here.
    p = np.bincount(digits.y) / 1797
    variance = (500 * p * (1 - p) * (1797 - 500) / 1796).mean()
    assert 0.6 * variance < np.mean(np.square(off)) < 1.6 * variance
    with pytest.raises(DataError, match="no sampling 'each'"):
        prepare(digits, PreparationConfig(sampling="each"))


def test_constant_columns_become_zero_and_are_said():
    ready = prepare(made([[1, 5, 0.1], [2, 5, 0.1], [3, 5, 0.1], [4, 5, 0.1]], [0, 1, 0, 1]), PreparationConfig())
    assert np.all(ready.dataset.X[:, 1:] == 0.0)
    assert "f1, f2" in ready.notes[0]


def test_what_the_engine_would_refuse_is_named_by_its_cell():
    X = np.array([[1.0, 2.0], [1e71, 3.0], [3.0, 4.0], [5.0, 6.0]])
    with pytest.raises(ValueError, match="overflows"):
        check_features(X)
    with pytest.raises(DataError, match=r"row 2, column f0: the value 1e\+71 is too large .* at most 1e\+70"):
        prepare(made(X, [0, 1, 0, 1]), PreparationConfig(step="none"))
    assert check_features(prepare(made(X, [0, 1, 0, 1]), PreparationConfig()).dataset.X) is not None
    # Principal components can be larger than what came within the limit.
    both = np.array([[9e69, 9e69], [-9e69, -9e69], [1.0, 0.0], [0.0, 1.0]])
    with pytest.raises(DataError, match=r"row [12], column f[01]: the value -?9e\+69 is too large"):
        prepare(made(both, [0, 1, 0, 1]), PreparationConfig(step="none", components=1))


@pytest.mark.parametrize(
    ("X", "y", "words"),
    [
        ([[1.0], [2.0]], [0, 1], "at least 3"),
        ([[1.0], [2.0], [3.0]], [0, 0, 0], "single class"),
        ([[1.0], [2.0], [3.0]], [0, 1, 2], "single row"),
        ([[1.0], [1.0], [1.0], [1.0]], [0, 1, 0, 1], "all rows are equal"),
    ],
)
def test_what_cannot_be_used_is_one_sentence(X, y, words):
    with pytest.raises(DataError, match=words):
        prepare(made(X, y), PreparationConfig())


def test_holding_out_too_much_is_said():
    with pytest.raises(DataError, match="hold out less"):
        prepare(made([[1.0], [2.0], [3.0], [4.0]], [0, 1, 0, 1]), PreparationConfig(held_out_fraction=0.9))


def test_unlabelled_rows_are_neither_trained_nor_held_out():
    wine = load_dataset("wine")
    y = wine.y.copy()
    y[:20] = -1
    ready = prepare(replace(wine, y=y), PreparationConfig(held_out_fraction=0.5))
    assert not ready.train[:20].any()
    assert not ready.held_out[:20].any()


def test_a_sample_too_small_for_its_classes_says_so_and_not_another_label():
    with pytest.raises(DataError, match=r"a sample of 10 rows holds a single one of each class\. Raise the limit"):
        prepare(load_dataset("digits"), PreparationConfig(max_rows=10))


@pytest.mark.parametrize(
    ("sizes", "held_out"),
    [
        ([50, 30], 20),  # a quarter
        ([10, 9], 0),  # one row too few
        ([40, 3], 0),  # a single class has members for both sides
        ([40, 4], 11),
        ([3] * 20, 0),
    ],
)
def test_a_quarter_is_held_out_where_nothing_was_said_and_the_classes_allow_it(sizes, held_out):
    y = np.repeat(np.arange(len(sizes)), sizes)
    dataset = made(np.random.default_rng(0).normal(size=(len(y), 2)), y)
    ready = prepare(dataset, PreparationConfig(held_out_fraction=None))
    assert ready.held_out.sum() == held_out
    assert any("Too few rows of each class" in note for note in ready.notes) == (held_out == 0)
    none = prepare(dataset, PreparationConfig(held_out_fraction=0.0))
    assert not none.held_out.any()
    assert not any("Too few rows" in note for note in none.notes)  # it was asked for


def test_rows_without_a_label_do_not_count_towards_the_quarter():
    dataset = made(np.random.default_rng(0).normal(size=(40, 2)), np.arange(40) % 2)
    few = replace(dataset, y=np.where(np.arange(40) < 19, dataset.y, -1))
    assert not prepare(few, PreparationConfig(held_out_fraction=None)).held_out.any()


def distances(X):
    return np.linalg.norm(X[:, None] - X[None], axis=2)


def covariance(X):
    return np.cov(X, rowvar=False, bias=True)


def test_whitened_distances_are_mahalanobis_and_scikit_learns():
    wine = load_dataset("wine")
    ready = prepare(wine, PreparationConfig(step="whitening"))
    n = wine.n_samples
    theirs = PCA(whiten=True, svd_solver="full").fit_transform(wine.X) * np.sqrt(n / (n - 1))  # they divide by n - 1
    np.testing.assert_allclose(distances(ready.dataset.X), distances(theirs), rtol=1e-8, atol=1e-8)
    W = ready.back_to_features(np.eye(13))
    np.testing.assert_allclose(W.T @ W @ covariance(wine.X), np.eye(13), atol=1e-7)  # W'W is the inverse covariance


def test_whitening_stays_nearest_to_the_single_features():
    wine = load_dataset("wine")
    whitened = prepare(wine, PreparationConfig(step="whitening")).dataset.X
    theirs = PCA(whiten=True).fit_transform(wine.X)
    ours = [abs(np.corrcoef(whitened[:, k], wine.X[:, k])[0, 1]) for k in range(13)]
    assert min(ours) > 0.5 > min(abs(np.corrcoef(theirs[:, k], wine.X[:, k])[0, 1]) for k in range(13))


@pytest.mark.parametrize("components", [1, 2, 5, 13])
def test_pca_after_standardising_is_scikit_learns(components):
    wine = load_dataset("wine")
    ready = prepare(wine, PreparationConfig(components=components))
    theirs = PCA(components, svd_solver="full").fit_transform(StandardScaler().fit_transform(wine.X))
    ours = ready.dataset.X
    np.testing.assert_allclose(ours * np.sign((ours * theirs).sum(axis=0)), theirs, atol=1e-9)
    assert ready.dataset.feature_names == tuple(f"PC {k}" for k in range(1, components + 1))
    assert ready.raw.feature_names == wine.feature_names
    share = PCA(components).fit(StandardScaler().fit_transform(wine.X)).explained_variance_ratio_.sum()
    assert percent(share, 1) in ready.steps[1].sentence


def test_whitening_follows_pca_so_that_both_have_a_say():
    digits = load_dataset("digits")
    ready = prepare(digits, PreparationConfig(step="whitening", components=10))
    assert [step.name for step in ready.steps] == ["standardise", "pca", "whitening"]
    np.testing.assert_allclose(covariance(ready.dataset.X), np.eye(10), atol=1e-9)
    plain = prepare(digits, PreparationConfig(components=10)).dataset.X
    np.testing.assert_allclose(ready.dataset.X, plain / plain.std(axis=0), atol=1e-7)


def test_constant_and_collinear_columns_are_taken_out_and_said():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(60, 4))
    X = np.column_stack([X, X[:, 0] + X[:, 1], np.full(60, 7.0), 1e6 - 3.0 * X[:, 2]])
    ready = prepare(made(X, list(range(2)) * 30), PreparationConfig(step="whitening"))
    assert np.linalg.matrix_rank(ready.dataset.X, tol=1e-6) == 4
    assert np.all(ready.dataset.X[:, 5] == 0.0)
    assert "span 4 directions only" in ready.notes[1]
    np.testing.assert_allclose(distances(ready.dataset.X), distances(PCA(4, whiten=True).fit_transform(X[:, :4]))
                               * np.sqrt(60 / 59), atol=1e-5)  # fmt: skip
    plain = prepare(made(X, list(range(2)) * 30), PreparationConfig(components=6))
    assert plain.dataset.n_features == 4
    assert "PCA keeps 4" in plain.notes[1]


@pytest.mark.parametrize("components", [None, 12, 20])
def test_more_features_than_rows(components):
    rng = np.random.default_rng(2)
    X = rng.normal(size=(15, 400)) * 10.0 ** rng.integers(-3, 4, 400)
    ready = prepare(
        made(X, [0, 1, 2] * 5, image_shape=(20, 20)), PreparationConfig(step="whitening", components=components)
    )
    rank = min(14, components or 14)
    values = np.linalg.eigvalsh(covariance(ready.dataset.X))[::-1]
    np.testing.assert_allclose(values[:rank], 1.0, atol=1e-9)
    np.testing.assert_allclose(values[rank:], 0.0, atol=1e-9)
    assert ready.back_to_features(np.eye(2, ready.dataset.n_features)).shape == (2, 400)
    assert ready.raw.image_shape == (20, 20)
    assert ready.dataset.image_shape == ((20, 20) if components is None else None)


def test_both_gram_matrices_give_the_same_axes():
    X = np.random.default_rng(3).normal(size=(40, 40)) * np.linspace(1, 5, 40)
    mean, axes, deviations = axes_and_deviations(X)  # rank 39, by the features' covariance
    wide = axes_and_deviations(np.column_stack([X, np.zeros(40)]))  # by the rows' Gram matrix
    np.testing.assert_allclose(wide[2], deviations, rtol=1e-9)
    np.testing.assert_allclose(wide[1][:, :40], axes, atol=1e-7)
    np.testing.assert_allclose(axes @ axes.T, np.eye(39), atol=1e-9)
    np.testing.assert_allclose(mean, X.mean(axis=0))
    np.testing.assert_allclose((X @ axes.T).std(axis=0), deviations, rtol=1e-9)


@pytest.mark.parametrize(("size", "components"), [(1e-200, None), (1e69, 2), (1e-200, 2)])
def test_huge_and_tiny_values_stay_finite(size, components):
    X = np.random.default_rng(4).normal(size=(30, 4)) * size
    ready = prepare(made(X, [0, 1] * 15), PreparationConfig(step="none", components=components))
    assert np.isfinite(ready.dataset.X).all()
    assert np.ptp(ready.dataset.X, axis=0).min() > 0.1 * size


@pytest.mark.parametrize("components", [0, -1, 14])
def test_an_impossible_number_of_components_is_said(components):
    with pytest.raises(DataError, match="a number from 1 to 13"):
        prepare(load_dataset("wine"), PreparationConfig(components=components))


def test_rows_that_differ_by_rounding_only_are_said():
    X = 1e6 + 1e-9 * np.arange(8.0).reshape(4, 2)
    with pytest.raises(DataError, match="equal up to rounding"):
        prepare(made(X, [0, 1, 0, 1]), PreparationConfig(step="none", components=2))


@st.composite
def hostile_tables(draw):
    """Small tables with offsets, far-apart units, constant, repeated and collinear columns, and repeated rows."""
    n, D = draw(st.integers(4, 14)), draw(st.integers(1, 8))
    rng = np.random.default_rng(draw(st.integers(0, 10_000)))
    X = rng.normal(size=(n, D))
    if draw(st.booleans()):
        X = np.round(X)
    for _ in range(draw(st.integers(0, 3))):
        X[:, rng.integers(D)] = X[:, rng.integers(D)] - draw(st.sampled_from([0.0, 2.0])) * X[:, rng.integers(D)]
        X[rng.integers(n)] = X[rng.integers(n)]
    units = 10.0 ** rng.integers(-8, 9, D) if draw(st.booleans()) else np.ones(D)
    offset = draw(st.sampled_from([0.0, 1e3])) * units
    return made(X * units + offset, [k % 2 for k in range(n)])


@settings(max_examples=150, deadline=None, derandomize=True)
@given(hostile_tables(), st.sampled_from(sorted(PREPROCESSING)), st.sampled_from([None, 1, 2]))
def test_hostile_tables_give_finite_rows_on_one_path_or_one_sentence(table, step, components):
    try:
        ready = prepare(table, PreparationConfig(step=step, components=components))
    except DataError as error:
        message = str(error)
        event("refused")
        assert "\n" not in message
        return
    X = ready.dataset.X
    assert np.isfinite(X).all()
    assert X.shape[1] == len(ready.dataset.feature_names)
    size = np.abs(X).max()
    np.testing.assert_allclose(ready.apply(table.X), X, atol=1e-9 * size)
    linear = ready.back_to_features(np.eye(X.shape[1]))
    back = (table.X - table.X.mean(axis=0)) @ linear.T
    # The offset of 1e3 units costs three of the sixteen digits, whitening of near-collinear columns up to five.
    np.testing.assert_allclose(back - back.mean(axis=0), X - X.mean(axis=0), atol=1e-6 * size)
    if step == "whitening":
        values = np.linalg.eigvalsh(np.atleast_2d(covariance(X)))
        assert np.all((np.abs(values) < 1e-4) | (np.abs(values - 1.0) < 1e-4))
        assert values.max() > 0.5


HELD_OUT = PreparationConfig(held_out_fraction=0.3, components=4, reduction="feature_selection")


def test_the_selection_is_scikit_learns_and_names_stay():
    wine = load_dataset("wine")
    ready = prepare(wine, PreparationConfig(components=5, reduction="feature_selection"))
    theirs = SelectKBest(f_classif, k=5).fit(wine.X, wine.y)
    np.testing.assert_array_equal(ready.steps[-1].kept, np.flatnonzero(theirs.get_support()))
    assert ready.dataset.feature_names == tuple(np.array(wine.feature_names)[theirs.get_support()])
    np.testing.assert_allclose(ready.dataset.X, StandardScaler().fit_transform(theirs.transform(wine.X)), atol=1e-12)


def test_a_random_projection_keeps_squared_distances_in_the_mean():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(2, 400))
    data = made(np.vstack([X, rng.normal(size=(20, 400))]), np.arange(22) % 2)
    ratios = []
    for seed in range(200):
        config = PreparationConfig("none", components=10, reduction="random_projection", random_state=seed)
        Y = prepare(data, config).dataset.X
        ratios.append(np.sum((Y[0] - Y[1]) ** 2) / np.sum((X[0] - X[1]) ** 2))
    assert np.mean(ratios) == pytest.approx(1.0, abs=4 * np.sqrt(2 / 10 / 200))  # chi-squared with ten degrees
    assert np.std(ratios) == pytest.approx(np.sqrt(2 / 10), rel=0.25)


def test_the_seed_decides_what_is_drawn():
    wine = load_dataset("wine")
    config = PreparationConfig(components=3, reduction="random_projection")
    one, same, other = (prepare(wine, replace(config, random_state=seed)).dataset.X for seed in (4, 4, 5))
    np.testing.assert_array_equal(one, same)
    assert np.abs(one - other).max() > 0.1


@pytest.mark.parametrize(
    ("reduction", "step"), list(zip(REDUCTIONS, ["whitening", "standardise", "whitening"], strict=True))
)
def test_new_rows_go_the_same_way_and_back(reduction, step):
    wine = load_dataset("wine")
    ready = prepare(wine, PreparationConfig(step, components=4, reduction=reduction))
    np.testing.assert_allclose(ready.apply(wine.X), ready.dataset.X, atol=1e-9)
    A = np.random.default_rng(2).normal(size=(2, ready.dataset.n_features))
    by_raw = wine.X @ ready.back_to_features(A).T
    by_prepared = ready.dataset.X @ A.T
    np.testing.assert_allclose(by_raw - by_raw[0], by_prepared - by_prepared[0], atol=1e-8)


def test_of_a_label_of_numbers_those_that_follow_it_are_kept():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(90, 20))
    target = 3.0 * X[:, 11] - X[:, 4] + 0.1 * rng.normal(size=90)
    y = np.digitize(X[:, 0], [-0.4, 0.4])  # ranges that follow another feature
    ready = prepare(made(X, y, target=target), PreparationConfig(components=2, reduction="feature_selection"))
    assert ready.dataset.feature_names == ("f4", "f11")


def test_constant_features_are_never_chosen_and_it_is_said():
    X = np.random.default_rng(4).normal(size=(20, 6))
    X[:, [0, 2, 5]] = 7.0
    ready = prepare(made(X, np.arange(20) % 2), PreparationConfig(components=5, reduction="feature_selection"))
    assert ready.dataset.feature_names == ("f1", "f3", "f4")
    assert "Only 3 features vary in the training rows." in ready.notes


def test_that_labels_were_used_is_said():
    wine = load_dataset("wine")
    said = {key: " ".join(prepare(wine, replace(HELD_OUT, reduction=key)).notes) for key in REDUCTIONS}
    assert "The 4 of 13 features that tell the training rows' labels apart best" in said["feature_selection"]
    assert "flatter" in said["feature_selection"]
    assert "flatter" not in said["pca"] + said["random_projection"]
    assert [key for key in REDUCTIONS if replace(HELD_OUT, reduction=key).sees_labels] == ["feature_selection"]


def test_where_no_class_has_two_training_rows_it_is_refused_in_a_sentence():
    X = np.random.default_rng(5).normal(size=(4, 6))
    data = made(X, [0, 0, 1, 2])
    config = PreparationConfig(held_out_fraction=0.25, components=2, reduction="feature_selection")
    ready_without = prepare(data, replace(config, reduction="pca"))
    assert len(np.unique(data.y[ready_without.train])) == 3
    with pytest.raises(DataError, match="No feature has an F-value"):
        prepare(data, config)


def test_an_unknown_way_names_those_there_are():
    with pytest.raises(DataError, match=r"no reduction 'magic'; there are: pca, random_projection, feature_selection"):
        prepare(load_dataset("wine"), PreparationConfig(components=2, reduction="magic"))

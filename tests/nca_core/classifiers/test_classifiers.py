"""What every entry of CLASSIFIERS keeps to, and each rule against loops or scikit-learn."""

import warnings

import numpy as np
import pytest
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis

from nca_core.classifiers import CLASSIFIERS, predict_linear, predict_quadratic
from tests.nca_core import textbook
from tests.study import oracle


@pytest.fixture
def places():
    """(Y, y, queries, right) of overlapping classes in two dimensions, in a size with some neighbours.

    Leave-one-out, 12 K of 8 to 21 are equally good, and 24 is better than these: beyond the 2 √n that are tried.
    """
    X, y = textbook.blobs(n=150, D=2, seed=39)
    Y = X + 1.2 * y[:, None]
    return 1.5 * Y[:110], y[:110], 1.5 * Y[110:], y[110:]


def chosen_k(key, Y, y):
    if key == "k_leave_one_out":
        shares = np.array([oracle.leave_one_out(Y, y, k) for k in range(1, 22)])
        best = np.flatnonzero(shares >= shares.max()) + 1
        return best[(len(best) - 1) // 2]
    return round(float(np.exp(np.mean(np.log(oracle.local_k(Y))))))


def by_loops(key, Y, y, queries):
    """The classes by the definition of each rule."""
    if key in ("nearest", "k_leave_one_out", "k_estimate"):
        k = 1 if key == "nearest" else chosen_k(key, Y, y)
        return [oracle.vote(Y, y, x, k) for x in queries]
    if key == "own_k":
        return [oracle.vote(Y, y, x, max(1, round(oracle.own_k(oracle.picks(Y, x))))) for x in queries]
    if key == "stochastic":
        w = np.exp(-((queries[:, None] - Y[None]) ** 2).sum(axis=2))
        return np.array([w[:, y == code].sum(axis=1) for code in np.unique(y)]).argmax(axis=0)
    if key == "lda":
        return LinearDiscriminantAnalysis().fit(Y, y).predict(queries)
    if key == "qda":
        scores = []
        for code in np.unique(y):
            own = Y[y == code]
            S = np.cov(own, rowvar=False, bias=True)
            off = queries - own.mean(axis=0)
            far = np.einsum("ij,jk,ik->i", off, np.linalg.inv(S), off)
            scores.append(np.log(len(own)) - 0.5 * np.log(np.linalg.det(S)) - 0.5 * far)
        return np.array(scores).argmax(axis=0)
    raise KeyError(key)


@pytest.mark.parametrize("key", [key for key in CLASSIFIERS if key != "variable_kernel"])
def test_each_rule_is_its_definition(key, places):
    Y, y, queries, right = places
    predicted = CLASSIFIERS[key].predict(Y, y, queries)
    np.testing.assert_array_equal(predicted.codes, by_loops(key, Y, y, queries))
    assert 0.4 < np.mean(predicted.codes == right) < 1.0
    if key in ("k_leave_one_out", "k_estimate"):
        assert predicted.note == f"K = {chosen_k(key, Y, y)}"


def test_the_variable_kernel_votes_by_its_gaussian(places):
    Y, y, queries, _ = places
    predicted = CLASSIFIERS["variable_kernel"].predict(Y, y, queries)
    r = float(predicted.note.removeprefix("r = "))
    agree = 0
    for x, code in zip(queries, predicted.codes, strict=True):
        d = np.sqrt(((Y - x) ** 2).sum(axis=1))
        near = np.argsort(d)[:10]
        n = np.exp(-(d[near] ** 2) / (2 * (r * d[near[:5]].mean()) ** 2))
        agree += np.bincount(y[near], n, 3).argmax() == code
    assert agree >= len(queries) - 1  # r is predicted with two digits


CANNOT = {
    ("variable_kernel", "one class"): "^it needs rows of two classes$",
    ("lda", "one class"): "^it needs two classes",
    ("lda", "a class for each row"): "^it needs two classes and more rows than classes$",
    ("lda", "two rows"): "^it needs two classes and more rows than classes$",
    ("lda", "all rows equal"): "^all rows are equal$",
    ("qda", "one class"): "^it needs two classes of more than one row$",
    ("qda", "a class for each row"): "^it needs two classes of more than one row$",
    ("qda", "two rows"): "^it needs two classes of more than one row$",
    ("qda", "all rows equal"): "^all rows are equal$",
}


@pytest.mark.parametrize("key", CLASSIFIERS)
@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
def test_codes_or_a_sentence_for_any_places(key, scale):
    rng = np.random.default_rng(0)
    X, y = textbook.blobs(n=30, D=3)
    cases = {
        "plain": (X, y),
        "one class": (X, np.zeros(30, int)),
        "a class for each row": (X, np.arange(30)),
        "collinear": (np.hstack([X, 2 * X]), y),
        "more coordinates than rows": (rng.normal(size=(8, 30)), np.arange(8) % 2),
        "all rows equal": (np.ones((12, 2)), np.arange(12) % 3),
        "duplicates": (np.repeat(X[:4], 5, axis=0), np.repeat([0, 1, 0, 1], 5)),
        "two rows": (X[:2], np.array([0, 1])),
    }
    for name, (Y, codes) in cases.items():
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            if (key, name) in CANNOT:
                with pytest.raises(ValueError, match=CANNOT[key, name]):
                    CLASSIFIERS[key].predict(scale * Y, codes, scale * Y[:5])
                continue
            predicted = CLASSIFIERS[key].predict(scale * Y, codes, scale * Y[:5])
        assert predicted.codes.shape == (min(5, len(Y)),)
        assert set(predicted.codes) <= set(codes)


def test_a_singular_covariance_is_shrunk_and_said():
    X, y = textbook.blobs(n=60, D=3, seed=1)
    plain = predict_quadratic(X, y, X)
    assert plain.note == ""
    flat = np.column_stack([X, X[:, 0] + X[:, 1]])
    predicted = predict_quadratic(flat, y, flat)
    assert predicted.note == "covariances shrunk by 10 %, as one is singular"
    Z = (flat - flat.mean(axis=0)) / flat.std(axis=0)
    theirs = QuadraticDiscriminantAnalysis(solver="eigen", shrinkage=0.1).fit(Z, y).predict(Z)
    np.testing.assert_array_equal(predicted.codes, theirs)
    for off, note in ((1e-2, ""), (1e-6, predicted.note)):  # some orders of magnitude are no reason yet
        nearly = np.column_stack([X, X[:, 0] + X[:, 1] + off * np.random.default_rng(0).normal(size=len(X))])
        assert predict_quadratic(nearly, y, nearly).note == note
    alone = y.copy()
    alone[0] = 3
    assert predict_quadratic(X, alone, X).note == "classes of one row left out"


@pytest.mark.parametrize(("n", "note"), [(7, "7 rows are few for 3 coordinates"), (8, "")])
def test_few_rows_for_a_covariance_are_said(n, note):
    X, y = textbook.blobs(n=9, D=3, seed=1)
    assert int(y[:n].max()) == 1
    assert predict_linear(X[:n], y[:n], X).note == note


@pytest.mark.parametrize("apart", [1e2, 1e5])
def test_classes_that_are_narrow_beside_their_distance_have_covariances(apart):
    """As after a training that has parted them."""
    X, y = textbook.blobs(n=90, D=2, seed=1)
    Y = X + apart * (y[:, None] > 0)
    predicted = predict_quadratic(Y[:60], y[:60], Y[60:])
    assert predicted.note == ""
    np.testing.assert_array_equal(predicted.codes, by_loops("qda", Y[:60], y[:60], Y[60:]))
    flat = np.column_stack([Y, Y[:, 0] + Y[:, 1]])
    assert predict_quadratic(flat, y, flat).note == "covariances shrunk by 10 %, as one is singular"


def test_words_and_keys():
    for key, rule in CLASSIFIERS.items():
        assert rule.key == key
        assert rule.description.endswith(".")
    assert len({rule.title for rule in CLASSIFIERS.values()}) == len(CLASSIFIERS)

"""What every entry of METHODS keeps to, and domains of settings; a new method is tested by its line in the registry."""

import math
import re
import time
import warnings
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import pdist

from nca_core.features.validation import UNLABELLED
from nca_core.methods import METHODS
from nca_core.methods.method import Choice, Real, Whole
from nca_core.training.run import TrainingRun
from nca_core.training.starts import INITIALISATIONS
from tests.nca_core import textbook

SOLVED = [key for key, method in METHODS.items() if method.kind == "solved"]
TRAINED = [key for key, method in METHODS.items() if method.kind == "trained"]
EMBEDDING = [key for key, method in METHODS.items() if method.kind == "embedding"]
NEARLY_FIXED = {"vsm", "nca_diagonal"}  # a weight for each feature: it cannot turn to where another matrix looks
SPECIAL = {"dcv"}  # only for data in which the members of a class can coincide


def _data() -> dict[str, tuple[np.ndarray, np.ndarray]]:
    rng = np.random.default_rng(5)
    X, y = textbook.blobs(n=30, D=5, classes=3)
    few = y.copy()
    few[::3] = UNLABELLED
    return {
        "plain": (X, y),
        "tiny": (X * 1e-6, y),
        "huge": (X * 1e6, y),
        "far from the origin": (X + 1e5, y),
        "two classes": (X, y % 2),
        "codes with gaps": (X, y * 7 + 3),
        "some unlabelled": (X, few),
        "none labelled": (X, np.full(30, UNLABELLED)),
        "one class": (X, np.zeros(30, dtype=np.int64)),
        "a class for each row": (X, np.arange(30)),
        "more features than rows": (rng.normal(size=(8, 30)), np.arange(8) % 2),
        "all rows equal": (np.ones((12, 4)), np.arange(12) % 3),
        "all features 0": (np.zeros((12, 4)), np.arange(12) % 3),
        "equal rows of more features": (np.ones((4, 9)), np.arange(4) // 2),
        "duplicates": (np.repeat(X[:4], 5, axis=0), np.repeat(y[:4], 5)),
        "collinear": (np.hstack([X, 2 * X]), y),
        "a constant feature": (np.hstack([X, np.full((30, 1), 4.0)]), y),
        "one feature": (X[:, :1], y),
        "no feature": (X[:, :0], y),
        "three rows": (X[:3], np.array([0, 0, 1])),
    }


DATA = _data()


def result_of(key, X, y, n_components, random_state=0):
    """(problem, A, coordinates) of a method on data; A of a trained one is where a few iterations lead."""
    method = METHODS[key]
    problem = method.problem(X, y, n_components)
    if problem:
        return problem, None, None
    if method.kind == "trained":
        start = method.starts[0]
        config = method.config(n_components, start, random_state, method.with_defaults({}))
        last = method.train(X, y, replace(config, max_iter=3, target_similarity=None)).snapshots[-1]
        return ("", last.transformation, None) if method.linear else ("", None, last.coordinates)
    try:
        fitted = method.fit(X, y, n_components, random_state, **method.with_defaults({}))
    except ValueError as error:  # said on the panel
        return f"{method.title}: {error}", None, None
    return "", fitted.transformation, fitted.embedding


@pytest.mark.parametrize("key", METHODS)
def test_finite_numbers_of_the_right_shape_or_a_sentence(key):
    """On all data, in one to three dimensions in turn."""
    for k, (data, (X, y)) in enumerate(DATA.items()):
        d = 1 + (list(METHODS).index(key) + k) % 3
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            problem, A, embedding = result_of(key, X, y, d)
        if problem:
            assert re.fullmatch(r"[A-Z0-9][^\n]+\.|t-SNE[^\n]+\.", problem)
            usual = ("plain", "tiny", "huge", "codes with gaps", "some unlabelled", "three rows")
            assert data not in usual or key in SPECIAL or (key, data) == ("umap", "three rows")
            continue
        curved = METHODS[key].kind == "embedding" or not METHODS[key].linear
        found, shape = (embedding, (len(X), d)) if curved else (A, (d, X.shape[1]))
        assert (A is None, embedding is None) == (curved, not curved)
        assert (found.shape, found.dtype) == (shape, np.float64)
        assert np.isfinite(found).all()


@pytest.mark.parametrize("key", METHODS)
def test_the_same_seed_gives_the_same_numbers_and_the_data_stay_as_they_were(key):
    X, y = (array.copy() for array in DATA["some unlabelled"])
    X.flags.writeable = y.flags.writeable = False
    for one, two in zip(result_of(key, X, y, 2, 3), result_of(key, X, y, 2, 3), strict=True):
        np.testing.assert_array_equal(one, two)


@pytest.mark.parametrize("key", METHODS)
def test_methods_that_need_labels_say_so_and_the_others_go_without(key):
    X, y = DATA["plain"]
    none, one = (METHODS[key].problem(X, codes, 2) for codes in (np.full_like(y, -1), np.zeros_like(y)))
    assert bool(none) == bool(one) == METHODS[key].needs_labels
    if none:
        assert "no labels" in none
        assert "one class" in one


@pytest.mark.parametrize("key", [key for key in SOLVED + EMBEDDING if not METHODS[key].needs_labels])
def test_methods_that_need_no_labels_do_not_look_at_them(key):
    X, y = DATA["plain"]
    for one, two in zip(result_of(key, X, y, 2), result_of(key, X, (y + 1) % 3, 2), strict=True):
        np.testing.assert_array_equal(one, two)


@pytest.mark.parametrize("key", SOLVED + TRAINED)
def test_more_dimensions_than_features_are_refused_in_a_sentence(key):
    problem = METHODS[key].problem(np.zeros((50, 2)), np.arange(50) % 2, 3)
    assert "at most 2" in problem


@pytest.mark.parametrize("key", METHODS)
def test_words_for_people_a_key_for_links_and_what_goes_with_the_kind(key):
    method = METHODS[key]
    assert method.key == key
    assert re.fullmatch(r"[a-z][a-z0-9_]*", key)
    for text in (method.title, method.description, method.formula):
        assert text == text.strip() != ""
        assert "\n" not in text
    assert len(method.title) <= 20
    assert method.description.endswith(".")
    assert [other.title for other in METHODS.values()].count(method.title) == 1
    trains = method.kind == "trained"
    assert (method.fit is None) == trains
    assert (method.train is not None) == bool(method.starts) == trains
    assert (method.initial_coordinates is not None) == (trains and not method.linear)
    assert not (method.kind == "embedding" and method.needs_labels)  # it is fitted in a process that is given none


@pytest.mark.parametrize("key", TRAINED)
def test_a_training_is_stepped_held_stopped_and_measured_on_held_out_rows(key):
    """What every trained method has as NCA has it: a snapshot an iteration, K̂, an objective that climbs, its name."""
    method = METHODS[key]
    X, y = DATA["plain"]
    settings = method.with_defaults({"max_iter": 50})
    config = replace(method.config(2, method.starts[0], 3, settings), target_similarity=None, tol=1e-9)
    run = TrainingRun(X[:22], y[:22], config, train=method.train, held_out=(X[22:], y[22:]))
    run.step()
    assert run.wait_for(2, 60)
    time.sleep(0.05)
    assert len(run.snapshots_since(0)) == 2
    assert run.state == "paused"
    run.step()
    assert run.wait_for(3, 60)
    run.pause()
    assert run.latest().iteration == 2
    run.stop()
    assert run.wait_for_end(30)
    assert (run.ended, run.state) == ("stopped", "ended")
    snapshots = run.snapshots_since(0)
    assert [snapshot.iteration for snapshot in snapshots] == [0, 1, 2]
    values = [snapshot.objective for snapshot in snapshots]
    assert values[0] < values[1] < values[2]
    for snapshot in snapshots:
        assert 1.0 <= snapshot.k_mean_entropy <= 21.0
        assert 0.0 <= snapshot.mean_p <= 1.0
        assert 0.0 <= snapshot.held_out_1nn <= 1.0
        assert 0.0 <= snapshot.accuracy_1nn <= 1.0
        assert not snapshot.transformation.flags.writeable
        assert (snapshot.coordinates is None) == method.linear
    assert method.objective(config)
    assert "\n" not in method.objective(config)


@pytest.mark.parametrize("key", TRAINED)
def test_a_start_from_a_matrix_is_near_what_that_matrix_shows(key):
    """A frame of another panel: the first picture has the same neighbours in good part."""
    method = METHODS[key]
    X, y = DATA["plain"]
    A = np.random.default_rng(0).normal(size=(2, X.shape[1]))
    config = replace(method.config(2, method.starts[0], 0, method.with_defaults({})), target_similarity=None)
    other = method.train(X, y, replace(config, max_iter=1), initial=-A).snapshots[0]
    first = method.train(X, y, replace(config, max_iter=1), initial=A).snapshots[0]
    Y, there = (shot.coordinates if not method.linear else X @ shot.transformation.T for shot in (first, other))
    np.testing.assert_allclose(pdist(there), pdist(Y), rtol=1e-6)  # a sign is no matter
    if key not in NEARLY_FIXED:
        assert np.corrcoef(pdist(Y), pdist(X @ A.T))[0, 1] > 0.6


@pytest.mark.parametrize("key", TRAINED)
def test_a_trained_method_has_valid_configs_from_every_start_with_every_setting(key):
    method = METHODS[key]
    assert set(method.starts) <= set(INITIALISATIONS)
    assert len(set(method.starts)) == len(method.starts)
    for start in method.starts:
        config = method.config(2, start, 7, method.with_defaults({}))
        config.check(5)
        assert (config.n_components, config.initialisation, config.random_state) == (2, start, 7)
    for setting in method.settings:
        for value in some_values(setting.domain):
            config = method.config(2, method.starts[0], 0, method.with_defaults({setting.key: value}))
            config.check(5)
            assert getattr(config, setting.key) == value


def some_values(domain) -> list:
    """Members of a domain: all of a choice, the ends and something between of numbers."""
    if hasattr(domain, "options"):
        return list(domain.options)
    middle = (domain.minimum + domain.maximum) // 2
    return [domain.minimum, domain.maximum, middle, *([None] if getattr(domain, "optional", False) else [])]


@pytest.mark.parametrize("key", METHODS)
def test_settings_read_what_they_write(key):
    keys = [setting.key for setting in METHODS[key].settings]
    assert len(set(keys)) == len(keys)
    assert not {"labels", "features", "seed", "start", "title"} & set(keys)  # names of a panel's own fields
    for setting in METHODS[key].settings:
        domain = setting.domain
        for value in [*some_values(domain), setting.default]:
            assert domain.accepts(value)
            again = domain.read(domain.write(value))
            assert again == value
            assert type(again) is type(value) or isinstance(value, (int, float))
        assert 0 < len(setting.title) <= 28
        assert domain.allowed
        assert re.fullmatch(r"[a-z][a-z0-9_]*", setting.key)


@pytest.mark.parametrize("key", TRAINED)
def test_where_nothing_can_be_learnt_a_training_says_so(key):
    method = METHODS[key]
    rows, numbers = np.random.default_rng(0).normal(size=(9, 2)), np.arange(9) % 2
    config = replace(method.config(2, method.starts[0], 0, method.with_defaults({})), target_similarity=None)
    one_class = method.train(rows, np.zeros(9, dtype=int), config)
    assert (one_class.ended, len(one_class.snapshots)) == ("cannot_move", 1)
    assert "only one class" in one_class.reason
    equal = method.train(np.ones((9, 2)), numbers, config)
    assert equal.ended == "cannot_move"
    assert re.search("All (labelled )?rows are equal|gradient is zero", equal.reason)
    if method.takes_numbers:
        compared = config if method.numbers else replace(config, target_similarity="gaussian")
        assert "All targets are equal" in method.train(rows, numbers, compared, targets=np.ones(9)).reason


WHOLE, OPTIONAL, REAL = Whole(-5, 2_000), Whole(1, 9, optional=True), Real(-1e6, 1e6)
NO_NUMBER = ["", " ", "NaN", "nan", "inf", "-inf", "Infinity", "1e999", "1_0", "١٢", "²", "0x1", "--1", "1,5", "1 2"]


@pytest.mark.parametrize(
    ("domain", "more"), [(WHOLE, ["1.5", "1e2", "-", "2001"]), (REAL, ["1e7", "-1000001"])], ids=["whole", "real"]
)
def test_texts_that_are_no_number_of_the_domain(domain, more):
    for text in [*NO_NUMBER, *more, "9" * 5_000]:
        with pytest.raises(ValueError):
            domain.read(text)


@pytest.mark.parametrize(
    ("text", "value"), [("7", 7.0), ("-0.5", -0.5), ("1e-3", 0.001), (".5", 0.5), ("2.", 2.0), ("1E+2", 100.0)]
)
def test_numbers_as_people_and_programs_write_them(text, value):
    assert REAL.read(text) == value


def test_an_empty_text_is_none_only_where_that_is_allowed():
    assert OPTIONAL.read("") is None
    assert OPTIONAL.write(None) == ""
    assert OPTIONAL.accepts(None)
    assert not WHOLE.accepts(None)
    assert "or empty" in OPTIONAL.allowed


def test_what_is_no_number():
    nonsense = [True, False, "1", None, [1], {}, math.nan]
    assert not any(WHOLE.accepts(value) for value in [*nonsense, 1.0])
    assert not any(REAL.accepts(value) for value in [*nonsense, math.inf, 1e6 + 1])


@given(st.floats(-1e6, 1e6), st.integers(-5, 2_000))
def test_a_number_survives_its_text_to_the_last_bit(real, whole):
    assert REAL.read(REAL.write(real)) == real
    assert WHOLE.read(WHOLE.write(whole)) == whole


@given(st.text())
def test_any_text_is_read_or_refused(text):
    for domain in (WHOLE, OPTIONAL, REAL, Choice(("a", "b"))):
        try:
            value = domain.read(text)
        except ValueError:
            continue
        assert domain.accepts(value)


@pytest.mark.parametrize("value", ["c", "A", "", None, 1, ["a"]])
def test_what_is_no_choice(value):
    choice = Choice(("a", "b"), ("the first",))
    assert not choice.accepts(value)
    assert choice.title("a") == "the first"
    assert choice.title("b") == "b"
    assert choice.allowed == "one of a, b"

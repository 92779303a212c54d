"""What every public estimator promises, over all of them; scikit-learn's own checks among it."""

import os
import pickle
import signal
import warnings

import numpy as np
import pytest
from sklearn import config_context
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.model_selection import GridSearchCV, cross_validate
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

import nca_core
from nca_core import (
    MCML,
    NCAClassifier,
    NeighborhoodComponentsAnalysis,
    NeuralNCA,
    Projection,
    VariableKernelClassifier,
)
from nca_core.methods import METHODS

NCA = NeighborhoodComponentsAnalysis
ESTIMATORS = {
    "nca": NCA(2, init="pca", max_iter=15),
    "classifier": NCAClassifier(2, max_iter=15, scale_start=False),
    "mcml": MCML(2, max_iter=15),
    "mcml, low rank": MCML(2, rank="low", max_iter=15),
    "mcml, kernel": MCML(2, kernel="rbf", max_iter=15),
    "network": NeuralNCA(2, n_hidden=8, max_iter=15),
    "vsm": VariableKernelClassifier("diagonal", max_iter=15),
    "gvsm": VariableKernelClassifier(max_iter=15),
    "projection": Projection("nca", max_iter=15),
    "projection, network": Projection("neural_nca", n_hidden=8, max_iter=15, random_state=0),
}
every = pytest.mark.parametrize("name", ESTIMATORS)
# For what `TrainedEstimator.fit` does for all of them: one with each way to train and to project.
some = pytest.mark.parametrize("name", ["nca", "network", "gvsm", "projection"])
pytestmark = pytest.mark.filterwarnings("ignore:.*(maximum of|K is not determined):UserWarning")
# By weight 0 a row loses its own term of the objective; it stays a neighbour to the others.
_WEIGHTS = {
    f"check_sample_weight_equivalence_on_{kind}_data": "a row of weight 0 stays a neighbour"
    for kind in ("dense", "sparse")
}
_OF_SETTINGS = {"check_do_not_raise_errors_in_init_or_set_params": "its settings are keywords"}
_OF_SOLVED = {
    f"check_sample_weights_{what}": "it takes none"
    for what in ("shape", "pandas_series", "not_overwritten", "not_an_array", "list")
}


def expected_failures(estimator):
    if not isinstance(estimator, Projection):
        return _WEIGHTS
    own = {"check_no_attributes_set_in_init": "its settings are keywords"}
    return _WEIGHTS | _OF_SETTINGS | (_OF_SOLVED if estimator.method == "lda" else own)


@parametrize_with_checks(
    [
        NCA(max_iter=10),
        NCAClassifier(max_iter=10),
        MCML(max_iter=5),
        NeuralNCA(1, n_hidden=5, max_iter=5),
        VariableKernelClassifier(max_iter=5),
        Projection("lda", 1),
        Projection("nca", 1, max_iter=5),
    ],
    expected_failed_checks=expected_failures,
)
def test_scikit_learns_own_checks(estimator, check):
    check(estimator)


@pytest.fixture(scope="module")
def data():
    """Classes that overlap, in units that differ, so that nothing converges at its start."""
    X, y = load_iris(return_X_y=True)
    return X[::2] * [1.0, 0.5, 2.0, 1.0] + np.random.default_rng(0).normal(0, 0.3, (75, 4)), y[::2]


def projected(model, X):
    return model.transform(X) if hasattr(model, "transform") else model.predict_proba(X)


@every
def test_parameters_are_checked_in_one_way(name, data):
    bad = {
        "n_components": (0, 1.5, True, "two"),
        "max_iter": (0, 1.5, True, None),
        "tol": (-1.0, object(), True, np.nan, np.inf),
        "random_state": (-1, "seed", 1.5),
        "callback": (3,),
        "verbose": ("loud",),
        "warm_start": ("yes", 2),
        "regularisation": (-1.0, False, "much"),
        "r": (0.0, "x", True),
        "n_neighbors": (0, 1.5, True),
        "n_hidden": (0, 2.5),
        "rank": ("half",),
        "kernel": ("cubic",),
        "metric": ("round",),
        "objective": ("h",),
        "units": ("cubic",),
        "init": ("nowhere",),
    }
    model = ESTIMATORS[name]
    for parameter in bad.keys() & model.get_params().keys():
        for value in bad[parameter]:
            broken = clone(model).set_params(**{parameter: value})
            with pytest.raises(ValueError, match=f"The '{parameter}' parameter of {type(model).__name__} must"):
                broken.fit(*data)
    if "n_components" in model.get_params() and name != "mcml, kernel":
        words = r"(n_components.*(13|between 1 and n_features = 4)|finds at most 4 directions)"
        with pytest.raises(ValueError, match=words):
            clone(model).set_params(n_components=13).fit(*data)


@every
def test_random_state_may_be_any_of_scikit_learns_kinds(name, data):
    model = clone(ESTIMATORS[name])
    if "random_state" not in model.get_params():
        assert name.endswith("vsm")  # nothing in it is random
        return
    kinds = (3, np.int64(3), None, np.random.RandomState(3), np.random.RandomState(3))
    found = [projected(clone(model).set_params(random_state=kind).fit(*data), data[0]) for kind in kinds]
    np.testing.assert_array_equal(found[0], found[1])
    np.testing.assert_array_equal(found[3], found[4])
    if "network" in name:
        assert not np.allclose(found[0], found[2])


@every
def test_a_callback_hears_each_iteration_and_may_end_the_training(name, data):
    heard = []
    model = clone(ESTIMATORS[name]).set_params(callback=lambda A, iteration: heard.append((A.copy(), iteration)))
    model.fit(*data)
    assert [iteration for _, iteration in heard] == list(range(1, model.n_iter_ + 1))
    assert all(A.ndim == 1 for A, _ in heard)

    def end(A, iteration):
        if iteration == 2:
            raise StopIteration

    model.set_params(callback=end).fit(*data)
    assert (model.n_iter_, model.ended_) == (2, "stopped")


@some
def test_verbose_prints_a_line_an_iteration(name, data, capsys):
    model = clone(ESTIMATORS[name]).set_params(max_iter=3).fit(*data)
    assert capsys.readouterr().out == ""
    model.set_params(verbose=1).fit(*data)
    said = [line for line in capsys.readouterr().out.splitlines() if "Finding" not in line]
    assert all(line.startswith(f"[{type(model).__name__}]") for line in said)
    assert len(said) == 3 + 1 + model.n_iter_ + 1  # header, start, iterations, time


@every
def test_a_warm_start_goes_on_where_the_last_fit_ended(name, data):
    X, y = data
    whole = clone(ESTIMATORS[name]).set_params(max_iter=60).fit(X, y)
    model = clone(ESTIMATORS[name]).set_params(max_iter=2).fit(X, y)
    first = model.objective_
    heard = []
    model.set_params(warm_start=True, max_iter=60, callback=lambda A, k: heard.append(k)).fit(X, y)
    assert first < model.objective_
    assert model.objective_ > first + 0.3 * (whole.objective_ - first)
    short = model.set_params(max_iter=1).fit(X, y)
    assert short.objective_ >= whole.objective_ - 0.7 * abs(whole.objective_ - first)
    with pytest.raises(ValueError, match=r"new inputs dimensionality \(3\) does not match"):
        model.fit(X[:, :3], y)
    assert model.n_features_in_ == 4


@some
def test_ctrl_c_keeps_the_best_so_far(name, data):
    X, y = data

    def press(A, iteration):
        if iteration == 2:
            os.kill(os.getpid(), signal.SIGINT)

    model = clone(ESTIMATORS[name]).set_params(callback=press, max_iter=200, tol=0.0)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # browser tests leave another one
    try:
        with pytest.raises(KeyboardInterrupt):
            model.fit(X, y)
    finally:
        signal.signal(signal.SIGINT, before)
    assert model.ended_ == "stopped"
    assert "Interrupted" in model.reason_
    assert 2 <= model.n_iter_ < 200
    same = clone(ESTIMATORS[name]).set_params(max_iter=model.n_iter_, tol=0.0).fit(X, y)
    assert model.objective_ == pytest.approx(same.objective_, rel=1e-9)
    np.testing.assert_allclose(projected(model, X), projected(same, X), rtol=1e-9)


@every
def test_learned_distances(name, data):
    X, y = data
    model = clone(ESTIMATORS[name]).fit(X, y)
    pairs = np.stack([X[:20], X[20:40]], axis=1)
    found = model.pair_distance(pairs)
    np.testing.assert_array_equal(model.pair_score(pairs), -found)
    if hasattr(model, "transform"):
        Y = model.transform(X)
        np.testing.assert_allclose(found, np.linalg.norm(Y[:20] - Y[20:40], axis=1))
        model.set_output(transform="pandas")
        np.testing.assert_array_equal(model.pair_distance(pairs), found)
    if "network" in name:
        with pytest.raises(AttributeError, match="has no matrix"):
            model.get_mahalanobis_matrix()
        if name != "network":
            return
        model = clone(model).set_params(units="linear").fit(X, y)
        found = model.pair_distance(pairs)
    if name != "mcml, kernel":
        apart = X[:20] - X[20:40]
        np.testing.assert_allclose(found**2, np.einsum("ij,jk,ik->i", apart, model.get_mahalanobis_matrix(), apart))
    with pytest.raises(ValueError, match=r"pairs has shape \(75, 4\); it must be \(n_pairs, 2, n_features\)"):
        model.pair_distance(X)


@every
def test_weights_weigh_the_terms(name, data):
    X, y = data
    model = clone(ESTIMATORS[name])
    ones, more = np.ones(75), np.where(y == 1, 5.0, 0.2)
    plain, same, weighted = (clone(model).fit(X, y, sample_weight=w) for w in (None, ones, more))
    np.testing.assert_array_equal(projected(same, X), projected(plain, X))
    assert not np.allclose(projected(weighted, X), projected(plain, X), rtol=1e-3)
    with pytest.raises(ValueError, match=r"sample_weight has shape \(3,\); it must be \(75,\)"):
        clone(model).fit(X, y, sample_weight=[1, 2, 3])


@some
def test_weights_are_routed(name, data):
    X, y = data
    model, more = clone(ESTIMATORS[name]), np.where(y == 1, 5.0, 0.2)
    with config_context(enable_metadata_routing=True):
        asking = make_pipeline(
            StandardScaler().set_fit_request(sample_weight=False), clone(model).set_fit_request(sample_weight=True)
        )
        routed = asking.fit(X, y, sample_weight=more)[-1]
        alone = clone(model).fit(StandardScaler().fit_transform(X), y, sample_weight=more)
        assert routed.objective_ == alone.objective_
        found = cross_validate(
            clone(model).set_fit_request(sample_weight=True), X, y, params={"sample_weight": more}, cv=2,
            scoring=lambda fitted, X, y: fitted.objective_,
        )  # fmt: skip
        assert np.isfinite(found["test_score"]).all()


@every
def test_dask_arrays_are_taken_or_refused_with_a_sentence(name, data):
    da = pytest.importorskip("dask.array", reason="Dask is not installed")
    X, y = data
    chunks, labels = da.from_array(X, chunks=(30, 4)), da.from_array(y, chunks=40)
    model = clone(ESTIMATORS[name])
    if isinstance(model, NCA):
        there, here = model.fit(chunks, labels), clone(model).fit(X, y)
        assert there.objective_ == pytest.approx(here.objective_, rel=1e-6)
    else:
        with pytest.raises(ValueError, match="X is in parts, which only NeighborhoodComponentsAnalysis and NCAClassif"):
            model.fit(chunks, labels)
        model.fit(X, labels)


@some
def test_a_pickle_says_where_its_version_differs(name, data, monkeypatch):
    model = clone(ESTIMATORS[name]).fit(*data)
    packed = pickle.dumps(model)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        again = pickle.loads(packed)
    np.testing.assert_array_equal(projected(again, data[0]), projected(model, data[0]))
    monkeypatch.setattr(nca_core, "__version__", "99.0")
    with pytest.warns(UserWarning, match=rf"{type(model).__name__} was saved by nca_core .*and this is 99\.0"):
        pickle.loads(packed)
    assert not hasattr(clone(again), "objective_")


@some
def test_workers_of_a_grid_search_say_nothing(name, data, capfd):
    model = clone(ESTIMATORS[name]).set_params(max_iter=3)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        search = GridSearchCV(
            model, {"tol": [1e-5, 1e-1]}, cv=2, n_jobs=2, scoring=lambda fitted, X, y: fitted.objective_
        )
        search.fit(*data)
    assert np.isfinite(search.best_score_)
    said = capfd.readouterr()
    assert said.out + said.err == ""


def test_dir_lists_the_public_names():
    assert set(nca_core.__all__) <= set(dir(nca_core))
    assert {"MCML", "Projection", "parts_of_folder", "__version__"} <= set(dir(nca_core))
    assert "import_module" not in dir(nca_core)
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        nca_core.nothing  # noqa: B018


@pytest.mark.parametrize("key", METHODS)
def test_projection_is_the_method_of_the_registry(key, data):
    X, y = data
    if key == "dcv":  # which needs directions without spread within classes
        X = np.hstack([X, np.random.default_rng(1).normal(size=(75, 100))])
    method = METHODS[key]
    model = Projection(key, random_state=0)
    few = {"max_iter": 4} if "max_iter" in model.get_params() else {}
    model.set_params(**few)
    if method.kind == "trained":
        settings = {name: value for name, value in model.get_params().items() if name in method.with_defaults({})}
        settings.pop("target_similarity", None)
        config = method.config(2, method.starts[0], 0, settings)
        last = method.train(X, y, config, measure_accuracy=False).snapshots[-1]
        expected = X @ last.transformation.T if last.coordinates is None else last.coordinates
    else:
        found = method.fit(X, y, 2, 0)
        expected = X @ found.transformation.T if found.embedding is None else found.embedding
    assert clone(model).get_params() == model.get_params()
    assert set(method.with_defaults({})) <= set(model.get_params())
    np.testing.assert_allclose(model.fit_transform(X, y), expected, atol=1e-9)
    if method.kind == "embedding":
        with pytest.raises(AttributeError, match="cannot project new rows"):
            model.transform(X)
    else:
        assert model.transform(X[:3]).shape == (3, 2)
        assert list(model.get_feature_names_out()) == ["projection0", "projection1"]
    if not method.needs_labels:
        np.testing.assert_allclose(clone(model).fit_transform(X), expected, atol=1e-9)


def test_settings_of_a_projection(data):
    X, y = data
    with pytest.raises(ValueError, match="pca has no setting 'objective'; it has: none"):
        Projection("pca", objective="g").fit(X, y)
    with pytest.raises(ValueError, match=r"'n_hidden' parameter of Projection must be a whole number from 1 to 500"):
        Projection("neural_nca", n_hidden=0).fit(X, y)
    with pytest.raises(ValueError, match=r"'objective' parameter of Projection must be one of f, g, [a-z_, ]+s\. Got"):
        Projection("nca", objective="nope").fit(X, y)
    with pytest.raises(ValueError, match="start is 'nowhere'; those of nca are: pca"):
        Projection("nca", start="nowhere").fit(X, y)
    with pytest.raises(ValueError, match="LDA takes no sample_weight"):
        Projection("lda").fit(X, y, sample_weight=np.ones(75))
    model = Projection("nca", objective="g", max_iter=3)
    assert model.fit(X, y).objective_ < 0 < Projection("nca", max_iter=3).fit(X, y).objective_
    search = GridSearchCV(
        make_pipeline(model, KNeighborsClassifier()), {"projection__method": ["lda", "nca"]}, cv=2, error_score="raise"
    )
    assert search.fit(X, y).best_score_ > 0.8


def test_a_projection_takes_numbers_for_the_methods_that_do(data):
    X = data[0]
    target = X[:, 0] + 0.1 * X[:, 2]
    for key in ("mlkr", "nca"):
        model = Projection(key, 1, max_iter=30).fit(X, target)
        assert abs(np.corrcoef(model.transform(X)[:, 0], target)[0, 1]) > 0.95
    with pytest.raises(ValueError, match="continuous"):
        Projection("lda").fit(X, target)

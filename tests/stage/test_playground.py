"""The playground computes what nca_core computes."""

import json
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import numpy as np
import pytest
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.neighbors import KNeighborsClassifier

from export.playground import HERE, TABLES, _table
from nca_core.accuracy.stochastic_rule import k_mean_entropy
from nca_core.objectives.evaluator import Evaluator
from nca_core.training.config import TrainingConfig
from nca_core.training.nca import train
from stage.module_files import MODULE, bundle
from tests.stage.javascript import run

_RECORD = Path(__file__).with_name("playground_record.js")
_DRAWING = "_".join(f"{x}.{y}.{int(x > 0)}" for x in range(-900, 901, 150) for y in range(-900, 901, 300))
LINKS = {
    "rings": "#data=rings",
    "rings in 3-D from noise": "#data=rings&columns=4&start=random&dimensions=3&seed=3",
    "wine": "#data=wine",
    "iris from LDA": "#data=iris&start=lda&heldOut=0.4",
    "digits": "#data=digits",
    "noisy XOR": "#data=xor&points=200",
    "drawing": f"#data=drawing&drawing={_DRAWING}",
}


@lru_cache(maxsize=1)
def program():
    """A script with the playground's modules and tables."""
    tables = {key: _table(key) for key in TABLES}
    tables["digits"]["values"] = [[int(c, 36) for c in row] for row in tables["digits"]["values"]]
    return f"globalThis.window = globalThis; {bundle(_RECORD, HERE, MODULE)}; window.tables = {json.dumps(tables)};"


def record(name, iterations):
    return run(f"(hash) => recordPlayground(hash, tables, {iterations})", LINKS[name], program())


@pytest.mark.parametrize("name", LINKS)
def test_numbers_are_those_of_the_engine_and_the_end_is_as_good(name):
    found = record(name, 100)
    D = found["features"]
    X, y = np.array(found["X"]).reshape(-1, D), np.array(found["y"])
    test = np.array(found["test"]["X"]).reshape(-1, D), np.array(found["test"]["y"])
    path = [np.array(A).reshape(-1, D) for A in found["path"]]
    engine = Evaluator(X, y, summation="dense")
    for A, numbers in zip(path, found["numbers"], strict=True):
        at = engine.evaluate(A)
        assert numbers["objective"] == pytest.approx(at.objective, rel=1e-10)
        assert numbers["gradient_norm"] == pytest.approx(np.linalg.norm(at.gradient), rel=1e-6, abs=1e-9)
        assert numbers["k_mean_entropy"] == pytest.approx(k_mean_entropy(at.entropy), rel=1e-6)
    gradient, at = np.array(found["gradient"]).reshape(path[0].shape), engine.evaluate(path[0])
    assert np.abs(gradient - at.gradient).max() <= 1e-10 * np.abs(at.gradient).max()
    np.testing.assert_allclose(found["entropy"], at.entropy, rtol=1e-10, atol=1e-12)

    start = TrainingConfig(n_components=len(path[0]), max_iter=0, summation="dense")
    at_the_start = train(X, y, start, initial=path[0], held_out=test).snapshots[0]
    for field in ("mean_p", "k_mean_perplexity", "accuracy_1nn", "held_out_1nn"):
        assert found["numbers"][0][field] == pytest.approx(getattr(at_the_start, field), rel=1e-9), field
    trained = train(X, y, replace(start, max_iter=100), initial=path[0], unit=found["unit"]).snapshots
    assert found["numbers"][-1]["mean_p"] >= trained[-1].mean_p - 1e-3
    means = [numbers["mean_p"] for numbers in found["numbers"]]
    assert means == sorted(means)


@pytest.mark.parametrize("name", ["wine", "iris from LDA", "rings in 3-D from noise"])
def test_pca_and_lda_are_those_of_other_libraries(name):
    found = record(name, 1)
    D = found["features"]
    X, y = np.array(found["X"]).reshape(-1, D), np.array(found["y"])
    pca = np.array(found["axes"]["pca"]).reshape(-1, D)
    assert pca @ pca.T == pytest.approx(np.eye(len(pca)), abs=1e-9)
    total = np.linalg.eigvalsh(np.cov(X.T))[::-1][: len(pca)]
    assert np.trace(pca @ np.cov(X.T) @ pca.T) == pytest.approx(total.sum(), rel=1e-9)
    lda = np.array(found["axes"]["lda"]).reshape(-1, D)
    theirs = LinearDiscriminantAnalysis(solver="svd", n_components=len(lda)).fit(X, y)
    ours, theirs = X @ lda.T, theirs.transform(X)
    shared = min(len(lda), len(set(y)) - 1)
    for axis in range(shared):
        assert abs(np.corrcoef(ours[:, axis], theirs[:, axis])[0, 1]) == pytest.approx(1, abs=1e-6)
    test = np.array(found["test"]["X"]).reshape(-1, D), np.array(found["test"]["y"])
    expected = KNeighborsClassifier(1).fit(X @ pca.T, y).score(test[0] @ pca.T, test[1])
    assert found["scores"]["pca"]["held_out_1nn"] == pytest.approx(expected)


def test_links_carry_the_settings_and_damage_is_named():
    for hash in LINKS.values():
        read = run("readLink", hash, program())
        assert read["unread"] == ""
        again = run("readLink", read["hash"], program())
        assert again["settings"] == read["settings"]
    damaged = run("readLink", f"#data=drawing&drawing={_DRAWING[:-1]}&seed=-4&nois=3&start=", program())
    assert damaged["settings"]["drawing"] == []
    assert damaged["settings"]["seed"] == 0
    for name in ("drawing", "seed", "nois", "start"):
        assert f"“{name}”" in damaged["unread"]

"""The playground computes what nca_core computes."""

import json
from functools import lru_cache
from pathlib import Path

import numpy as np
import pytest
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.neighbors import KNeighborsClassifier

from export.playground import HERE, TABLES, _table
from nca_core.accuracy import k_mean_entropy
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


@lru_cache
def record(name):
    """Ten iterations, and what they began with."""
    return run("(hash) => recordPlayground(hash, tables, 10)", LINKS[name], program())


@pytest.mark.parametrize("name", LINKS)
def test_values_gradients_and_iterations_are_those_of_the_engine(name):
    found = record(name)
    D = found["features"]
    X, y = np.array(found["X"]).reshape(-1, D), np.array(found["y"])
    path = [np.array(A).reshape(-1, D) for A in found["path"]]
    at = Evaluator(X, y, summation="dense").evaluate(path[0])
    assert found["value"] == pytest.approx(at.objective, rel=1e-10)
    gradient = np.array(found["gradient"]).reshape(path[0].shape)
    assert np.abs(gradient - at.gradient).max() <= 1e-10 * np.abs(at.gradient).max()
    np.testing.assert_allclose(found["entropy"], at.entropy, rtol=1e-10, atol=1e-12)
    assert found["numbers"][0]["k_mean_entropy"] == pytest.approx(k_mean_entropy(at.entropy), rel=1e-10)

    config = TrainingConfig(n_components=len(path[0]), max_iter=10, summation="dense")
    test = np.array(found["test"]["X"]).reshape(-1, D), np.array(found["test"]["y"])
    trained = train(X, y, config, initial=path[0], unit=found["unit"], held_out=test).snapshots
    assert len(path) == len(trained) > 3
    for A, numbers, snapshot in zip(path, found["numbers"], trained, strict=True):
        assert np.abs(A - snapshot.transformation).max() <= 1e-6 * np.abs(snapshot.transformation).max()
        for field in ("objective", "mean_p", "k_mean_entropy", "k_mean_perplexity", "gradient_norm"):
            assert numbers[field] == pytest.approx(getattr(snapshot, field), rel=1e-5, abs=1e-9), field
        for field in ("accuracy_1nn", "held_out_1nn"):
            assert numbers[field] == pytest.approx(getattr(snapshot, field), abs=1e-9), field


@pytest.mark.parametrize("name", ["wine", "iris from LDA", "rings in 3-D from noise"])
def test_pca_and_lda_are_those_of_other_libraries(name):
    found = record(name)
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
    twice = "(hashes) => hashes.map(readLink).map((read) => [read, readLink(read.hash)])"
    damaged = f"#data=drawing&drawing={_DRAWING[:-1]}&seed=-4&nois=3&start="
    *whole, (damaged, _) = run(twice, [*LINKS.values(), damaged], program())
    for read, again in whole:
        assert read["unread"] == ""
        assert again["settings"] == read["settings"]
    assert damaged["settings"]["drawing"] == []
    assert damaged["settings"]["seed"] == 0
    for name in ("drawing", "seed", "nois", "start"):
        assert f"“{name}”" in damaged["unread"]

"""The catalogue says what PCA, LDA and NCA do on a generated set: each such line is measured here.

Accuracy is that of five nearest neighbours in 2-D, leave-one-out, after standardising, as the page does it.
"""

import numpy as np
import pytest

from datasets.catalogue import load_dataset
from datasets.preparation import PreparationConfig, prepare
from nca_core.accuracy import Neighbourhood
from nca_core.methods import METHODS
from nca_core.training.config import TrainingConfig
from nca_core.training.nca import train

BEST = "best_of_several"


def projections(ready, start):
    X, y = ready.dataset.X[ready.train], ready.dataset.y[ready.train]
    found = {name: METHODS[name].fit(X, y, 2, 0).transformation for name in ("pca", "lda")}
    trajectory = train(X, y, TrainingConfig(initialisation=start), measure_accuracy=False)
    return found | {"nca": trajectory.snapshots[-1].transformation}


def five_nearest(key, start="pca", seed=0):
    ready = prepare(load_dataset(key, random_state=seed), PreparationConfig())
    X, y = ready.dataset.X, ready.dataset.y
    return {name: Neighbourhood(X @ A.T, y).leave_one_out((5,))[0] for name, A in projections(ready, start).items()}


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.thorough)])
@pytest.mark.parametrize(
    ("key", "others_at_most", "nca_at_least"),
    [("ring", 0.45, 0.95), ("xor", 0.62, 0.97), ("noisy_xor", 0.62, 0.87), ("moons", 0.9, 0.98)],
)
def test_only_nca_finds_it_from_the_best_of_several_starts(key, others_at_most, nca_at_least, seed):
    accuracy = five_nearest(key, BEST, seed)
    assert max(accuracy["pca"], accuracy["lda"]) < others_at_most
    assert accuracy["nca"] > nca_at_least


@pytest.mark.parametrize("key", ["spirals", "swiss_roll"])
def test_pca_mixes_what_lda_and_nca_find(key):
    accuracy = five_nearest(key)
    assert accuracy["pca"] < 0.8
    assert min(accuracy["lda"], accuracy["nca"]) > 0.96


@pytest.mark.parametrize("seed", [0, *(pytest.param(other, marks=pytest.mark.thorough) for other in (1, 2))])
def test_nca_keeps_the_most_blobs_apart(seed):
    accuracy = five_nearest("blobs", seed=seed)
    assert accuracy["nca"] > max(accuracy["pca"], accuracy["lda"]) + 0.05


def test_clusters_in_pure_noise_are_invented():
    accuracy = five_nearest("pure_noise")
    assert accuracy["pca"] < 0.45
    assert min(accuracy["lda"], accuracy["nca"]) > 0.55  # a third is chance
    held = []
    for seed in range(3):
        data = load_dataset("pure_noise", random_state=seed)
        ready = prepare(data, PreparationConfig(held_out_fraction=0.5, random_state=seed))
        X, y = ready.dataset.X, ready.dataset.y
        Y = X @ projections(ready, "pca")["nca"].T
        train_rows, test_rows = ready.train, ready.held_out
        held.append(Neighbourhood(Y[train_rows], y[train_rows]).held_out(Y[test_rows], y[test_rows], (5,))[0])
    assert abs(np.mean(held) - 1 / 3) < 0.1

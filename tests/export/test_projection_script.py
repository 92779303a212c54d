"""The script projects as the training did, and no name in it is code."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from datasets.catalogue import DATASETS
from datasets.preparation import PREPROCESSING, PreparationConfig, prepare
from export.projection_script import projection_script
from nca_core.training import TrainingConfig, train

HOSTILE = '''"""); open("/nowhere").read() #\n{A}\\'''


def script_of(ready, snapshot):
    return projection_script(ready, HOSTILE, snapshot.transformation, snapshot)


def wine():
    return DATASETS["wine"].load()


@pytest.mark.parametrize("step", list(PREPROCESSING))
@pytest.mark.parametrize("components", [None, 5])
def test_it_gives_the_points_of_the_stage(step, components):
    ready = prepare(wine(), PreparationConfig(step=step, components=components))
    end = train(ready.dataset.X, ready.dataset.y, TrainingConfig(max_iter=3))
    room: dict = {}
    exec(script_of(ready, end.snapshots[-1]), room)
    wanted = ready.dataset.X @ end.snapshots[-1].transformation.T
    np.testing.assert_allclose(room["project"](ready.raw.X), wanted, rtol=1e-7, atol=1e-7 * np.abs(wanted).max())
    assert room["FEATURES"] == list(ready.raw.feature_names)
    assert room["ITERATION"] == 3


def test_names_are_text():
    dataset = wine()
    names = (HOSTILE, "höhe ü 高", *dataset.feature_names[2:])
    ready = prepare(replace(dataset, name=HOSTILE, feature_names=names), PreparationConfig())
    end = train(ready.dataset.X, ready.dataset.y, TrainingConfig(max_iter=1))
    room: dict = {}
    exec(script_of(ready, end.snapshots[-1]), room)
    assert room["DATA"] == room["METHOD"] == HOSTILE
    assert room["FEATURES"][:2] == [HOSTILE, "höhe ü 高"]

"""Nine panels train side by side: none is starved."""

from __future__ import annotations

import time
from dataclasses import replace

from datasets.catalogue import load_dataset
from pages.server import trainings
from pages.server.hub import Hub
from study.panel import PanelRecipe
from study.recipe import DataRecipe, Recipe

KEYS = ("nca", *(f"nca-{number}" for number in range(2, 10)))


def test_nine_trainings_of_digits_go_on_alike():
    hub = Hub(reap=False)
    space, digits = hub.open(), load_dataset("digits")
    panels = tuple(PanelRecipe(key, start="random", random_state=seed) for seed, key in enumerate(KEYS))
    space.belongings.recipe = replace(Recipe(data=DataRecipe("digits")), panels=panels, pace="full_speed")
    try:
        trainings.train(space, digits)
        runs = [held.run for held in space.runs.values()]
        assert len(runs) == 9
        until = time.monotonic() + 60
        while min(len(run.trajectory.snapshots) for run in runs) < 12 and time.monotonic() < until:
            time.sleep(0.05)
        at = [run.latest() for run in runs]
        assert all(run.state == "running" for run in runs)
    finally:
        hub.shutdown()
    iterations = [snapshot.iteration for snapshot in at]
    assert min(iterations) >= 11
    assert max(iterations) <= 2 * min(iterations)

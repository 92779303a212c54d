"""Repeated splits of what takes long: the thread ends soon, also in the middle of one fit."""

from __future__ import annotations

import time
from functools import partial

import pytest

from datasets.catalogue import load_dataset
from pages.server.job import Job
from study.panel import PanelRecipe
from study.recipe import DataRecipe, Recipe
from study.splits import repeat_splits


@pytest.mark.parametrize("key", ["tsne", "mcml"])
def test_one_fit_is_ended_before_it_is_done(key):
    digits = load_dataset("digits")
    recipe = Recipe(data=DataRecipe("digits"), panels=(PanelRecipe(key),))
    job = Job(key, partial(repeat_splits, recipe, digits, 20))
    time.sleep(1.5)
    assert (job.state, job.result) == ("running", None)  # it is in the first split
    job.cancel()
    assert job.wait(5.0)  # one fit of either takes longer
    assert job.state == "cancelled"

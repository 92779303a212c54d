"""A stop is heard within an iteration, whatever the optimiser does there."""

from contextlib import contextmanager

import pytest

from nca_core.optimisers import OPTIMISERS
from nca_core.training.config import TrainingConfig
from nca_core.training.nca import train
from nca_core.training.problem import TrainingStopped
from tests.nca_core import textbook


@pytest.mark.parametrize("optimiser", OPTIMISERS)
@pytest.mark.parametrize("turns", [0, 1, 2, 6])
def test_a_slot_that_refuses_ends_the_training(optimiser, turns):
    X, y = textbook.blobs(n=60, classes=3)
    given = 0

    @contextmanager
    def slot():
        nonlocal given
        if given == turns:
            raise TrainingStopped
        given += 1
        yield

    config = TrainingConfig(optimiser=optimiser, scale_start=False)
    if turns == 0:  # not even the start
        with pytest.raises(TrainingStopped):
            train(X, y, config, slot=slot)
        return
    end = train(X, y, config, slot=slot)
    assert end.ended == "stopped"
    assert given == turns

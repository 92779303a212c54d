"""A stop is heard within an iteration, whatever the optimiser does there."""

import threading
from contextlib import contextmanager

import numpy as np
import pytest

from nca_core.gate import Gate
from nca_core.optimisers import OPTIMISERS
from nca_core.run import TrainingRun
from nca_core.training import TrainingConfig, TrainingStopped, train
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


def test_stop_while_another_training_computes_leaves_no_thread():
    X, y = textbook.blobs(n=60, classes=3)
    gate = Gate(computing=1)
    run = TrainingRun(X, y, TrainingConfig(max_iter=10_000, tol=0.0), gate=gate)
    begun = threading.Event()
    run.subscribe(lambda: begun.set() if run.latest() is not None else None)
    run.start()
    assert begun.wait(30)
    with gate.step():
        run.stop(timeout=0.0)
    run.stop(timeout=30)
    assert run.state == "ended"
    assert run.trajectory.ended == "stopped"
    assert not run._thread.is_alive()
    assert np.isfinite(run.trajectory.snapshots[-1].objective)

"""Embed rows by a method without a matrix, in a process of its own, which can be ended at any moment.

`python -m study.embed` is that process: it reads a pickle on stdin and writes one on stdout.
"""

import io
import os
import pickle
import sys
import time
import warnings
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from datasets.base.child_process import ask_child
from datasets.base.dataset import UNLABELLED
from nca_core.methods import METHODS
from nca_core.training.run import Slot
from study.compare import Comparison
from study.fitting import FittedPanel

# Of several threads those that wait would spin, and the trainings beside them would stand still.
_ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "NUMBA_NUM_THREADS": "1"}


def embed(panel: FittedPanel, n_components: int, check: Callable[[], None]) -> FittedPanel:
    """The waiting panel with its embedding, or with the reason why there is none.

    panel: one that `waits`.
    check: called ten times a second meanwhile; what it raises ends the process.
    """
    recipe = panel.recipe
    question = recipe.method_key, panel.X, n_components, recipe.random_state, recipe.all_settings()
    code, printed = ask_child("study.embed", pickle.dumps(question), check=check, environment=_ONE_THREAD)
    done = replace(panel, waits=False, problem="")
    if code != 0 or not printed:
        why = f"{recipe.method.title} was ended by the system; try it again, or take a sample of the rows."
        return replace(done, problem=why, broken_off=True)
    embedding, note, error, seconds = pickle.loads(printed)
    if error:
        return replace(done, problem=f"{recipe.method.title} cannot be computed on these data: {error}")
    return replace(done, embedding=embedding, note=note, seconds=seconds)


def embedded(comparison: Comparison, slot: Slot) -> Comparison:
    """The comparison with its waiting panels embedded in turn; what `slot` raises ends the work at once."""

    def check() -> None:
        with slot():
            pass

    d = comparison.recipe.n_components
    return replace(
        comparison, panels=tuple(embed(panel, d, check) if panel.waits else panel for panel in comparison.panels)
    )


def _answer(question: bytes) -> bytes:
    key, X, n_components, random_state, settings = pickle.loads(question)
    fit = METHODS[key].fit
    assert fit is not None
    began = time.perf_counter()
    try:
        fitted = fit(X, np.full(len(X), UNLABELLED), n_components, random_state, **settings)  # no labels are used
        answer = fitted.embedding, fitted.note, ""
    except (ValueError, np.linalg.LinAlgError) as error:
        answer = None, "", str(error)
    return pickle.dumps((*answer, time.perf_counter() - began))


def main() -> None:
    warnings.simplefilter("ignore")
    output = sys.stdout.buffer
    sys.stdout = io.StringIO()  # keeps prints of libraries out of the answer
    output.write(_answer(sys.stdin.buffer.read()))
    output.flush()
    os._exit(0)  # nothing is left to tidy


if __name__ == "__main__":
    main()

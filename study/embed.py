"""Placing rows by a method without a matrix, in a process of its own, which can be ended at any moment.

`python -m study.embed` is that process: a question as NPZ on stdin, an answer as NPZ on stdout.
"""

from __future__ import annotations

import io
import json
import os
import sys
import time
import warnings
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from datasets.base.child_process import ask_child
from nca_core import UNLABELLED
from nca_core.run import Slot
from study.compare import Comparison
from study.fitting import Compared

# Of several threads those that wait would spin, and the trainings beside them would stand still.
_ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "NUMBA_NUM_THREADS": "1"}


def embed(panel: Compared, n_components: int, check: Callable[[], None]) -> Compared:
    """The waiting panel with its places, or with the sentence why there are none.

    Parameters
    ----------
    panel : Compared
        One that `waits`.
    n_components : int
        Dimensions.
    check : callable
        Called ten times a second meanwhile; what it raises ends the process.
    """
    recipe = panel.recipe
    about = {
        "method": recipe.method_key,
        "n_components": n_components,
        "random_state": recipe.random_state,
        "settings": recipe.all_settings(),
    }
    question = io.BytesIO()
    np.savez(question, X=panel.X, about=_as_bytes(json.dumps(about)))
    code, printed = ask_child("study.embed", question.getvalue(), check=check, environment=_ONE_THREAD)
    done = replace(panel, waits=False, problem="")
    if code != 0 or not printed:
        why = f"{recipe.method.title} was ended by the system; try it again, or take a sample of the rows."
        return replace(done, problem=why, broken_off=True)
    with np.load(io.BytesIO(printed), allow_pickle=False) as answer:
        note, error = (bytes(answer[name]).decode() for name in ("note", "error"))
        if error:
            return replace(done, problem=f"{recipe.method.title} cannot be computed on these data: {error}")
        return replace(done, embedding=np.array(answer["embedding"]), note=note, seconds=float(answer["seconds"]))


def embedded(comparison: Comparison, slot: Slot) -> Comparison:
    """The comparison with its waiting panels placed, one after the other; what `slot` raises ends the work at once."""

    def check() -> None:
        with slot():
            pass

    d = comparison.recipe.n_components
    return replace(
        comparison, panels=tuple(embed(panel, d, check) if panel.waits else panel for panel in comparison.panels)
    )


def _answer(data: bytes) -> bytes:
    from nca_core.methods import METHODS

    with np.load(io.BytesIO(data), allow_pickle=False) as question:
        about, X = json.loads(bytes(question["about"])), question["X"]
    fit = METHODS[about["method"]].fit
    began = time.perf_counter()
    error, note, embedding = "it has no fit", "", np.zeros((0, about["n_components"]))
    if fit is not None:
        nobody = np.full(len(X), UNLABELLED)  # no method without a matrix looks at labels
        try:
            fitted = fit(X, nobody, about["n_components"], about["random_state"], **about["settings"])
            if fitted.embedding is not None:
                error, note, embedding = "", fitted.note, fitted.embedding
        except (ValueError, np.linalg.LinAlgError) as failed:
            error = str(failed)
    output = io.BytesIO()
    seconds = time.perf_counter() - began
    np.savez(output, embedding=embedding, note=_as_bytes(note), error=_as_bytes(error), seconds=seconds)
    return output.getvalue()


def _as_bytes(text: str) -> np.ndarray:
    return np.frombuffer(text.encode(), dtype=np.uint8)


def main() -> None:
    warnings.simplefilter("ignore")
    output = sys.stdout.buffer
    sys.stdout = io.StringIO()  # what a library prints must not end in the answer
    output.write(_answer(sys.stdin.buffer.read()))
    output.flush()
    os._exit(0)  # nothing is left to tidy


if __name__ == "__main__":
    main()

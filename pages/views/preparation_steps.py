"""The fitted steps of a preparation as one line."""

from __future__ import annotations

from datasets.preparation import Prepared
from datasets.preparation_steps import MatrixStep, SelectStep, Step

_WORDS = {"none": "features as they are"}
_TO = {"pca": "PCA", "random projection": "random projection"}


def preparation_steps(ready: Prepared) -> str:
    """As in "1,437 rows, 360 held out: standardise → PCA to 30"."""
    held_out, train = int(ready.held_out.sum()), int(ready.train.sum())
    unlabelled = ready.raw.n_samples - train - held_out
    rows = [f"{train:,} rows"]
    if held_out:
        rows.append(f"{held_out:,} held out")
    if unlabelled:
        rows.append(f"{unlabelled:,} unlabelled")
    return f"{', '.join(rows)}: {' → '.join(_words(step) for step in ready.steps)}"


def _words(step: Step) -> str:
    if step.name in _TO and isinstance(step, MatrixStep):
        return f"{_TO[step.name]} to {len(step.down)}"
    if isinstance(step, SelectStep):
        return f"the {len(step.kept):,} best of {step.n_in:,} by F-value"
    return _WORDS.get(step.name, step.name)

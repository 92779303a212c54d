"""takeaway: what a workspace shows now, held fast, to be exported while its trainings go on."""

from __future__ import annotations

from collections.abc import Sequence

from datasets.base.dataset import Dataset
from export.subject import SourceFile, Subject
from pages.server.workspace import Workspace
from study.compare import Comparison


def takeaway(space: Workspace, comparison: Comparison, rows: Sequence[int], address: str, dark: bool) -> Subject:
    """The comparison with its trainings as they stand.

    Parameters
    ----------
    rows : sequence of int
        Those that are selected on the stage.
    address : str
        Of the page, to link back to.
    dark : bool
        The theme of the page, for pictures.
    """
    histories, starts = {}, {}
    for panel in comparison.panels:
        held = space.runs.get(panel.key)
        if held is None or not panel.trains or not (snapshots := held.run.trajectory.snapshots):
            continue
        histories[panel.key] = snapshots
        if panel.recipe.frame is None and held.run.given_start is not None:
            starts[panel.key] = held.run.given_start
    source = source_of(space, comparison.dataset)
    return Subject(comparison, histories, starts, source, address, tuple(rows), dark)


def source_of(space: Workspace, dataset: Dataset) -> SourceFile | None:
    """The file that the data were read from, where it is the one that was brought along last."""
    own = space.first.belongings
    upload = own.upload
    if upload is None or upload.plan is None or own.own_data.get(upload.key) is not dataset:
        return None
    gaps = upload.plan.gaps
    return SourceFile(
        upload.filename,
        upload.data,
        upload.options,
        upload.sheet,
        upload.choices,
        dataset.image_shape,
        gaps_filled=gaps.choice == "impute" and gaps.costs[gaps.choice].n_filled > 0,
    )

"""The runs of Explore go to Compare, where they stay while Explore trains others."""

from __future__ import annotations

from pages.server.hub import HUB
from pages.server.workspace import Workspace
from study.panel_changes import rows_of, taken_over


def keep_runs(space: Workspace) -> bool:
    """Put the runs of a workspace, as far as they have come, on its page of comparisons; there they go on.

    Returns
    -------
    bool
        False where Compare held other rows: it begins anew with these, and its undo brings back what was there.

    Raises
    ------
    ValueError
        Where there is no run, or no room for them.
    """
    comparison = space.belongings.comparison
    if comparison is None or not space.runs:
        raise ValueError("There is no run to keep yet; press Train first.")
    fresh = space.second is None
    second = HUB.open_second(space) if space.second is None else space.second
    there = second.belongings
    # What it was opened with was nobody's choice.
    recipe, keys = taken_over(None if fresh else there.recipe, comparison.recipe, space.runs.keys())
    fits = fresh or rows_of(there.recipe) == rows_of(recipe)
    if not fits:
        second.keep_runs(())
        there.started = {}
    there.change(recipe)
    there.remembered("chosen", recipe.data, lambda: comparison.dataset)
    for before, after in keys.items():
        if before in space.runs:
            second.set_run(after, space.hand_over(before))
            there.started[after] = recipe.panel(after)
    return fits

"""Embeddings under way: places of rows that take seconds to find, so that the page shows all else at once.

Each has a thread that waits for a process; both end when the panel goes, its rows change, or the workspace does.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from pages.server.saved_embeddings import SavedEmbedding
from pages.server.workspace import Workspace
from study.compare import Comparison
from study.embed import embed
from study.fitting import Compared, left_waiting

_AT_ONCE = threading.BoundedSemaphore(2)  # processes of all sessions together
_log = logging.getLogger(__name__)


class _Left(Exception):
    """Nobody wants the places any more."""


class EmbeddingJob:
    """The fitting of one waiting panel."""

    def __init__(self, panel: Compared, n_components: int) -> None:
        self.panel = panel
        self.done: Compared | None = None
        self.n_components = n_components
        self._left = threading.Event()
        self._began = time.monotonic()
        self._thread = threading.Thread(target=self._work, name="nca-embedding", daemon=True)
        self._thread.start()

    @property
    def seconds(self) -> float:
        """Since it was asked for."""
        return time.monotonic() - self._began

    def leave(self) -> None:
        """End it; returns at once."""
        self._left.set()

    def _check(self) -> None:
        if self._left.is_set():
            raise _Left

    def _work(self) -> None:
        try:
            while not _AT_ONCE.acquire(timeout=0.1):
                self._check()
            try:
                self.done = embed(self.panel, self.n_components, self._check)
            finally:
                _AT_ONCE.release()
        except _Left:
            pass
        except Exception:
            _log.exception("an embedding failed")
            title = self.panel.recipe.method.title
            why = f"{title} failed by an error in the program; its log has the details."
            self.done = replace(self.panel, waits=False, problem=why, broken_off=True)


def settle(space: Workspace, comparison: Comparison) -> Comparison:
    """The comparison with what is done by now; what waits is begun, and what nobody waits for any more is ended."""
    jobs, d = _jobs(space), comparison.recipe.n_components
    again = {each.key: jobs[each.key].panel for each in comparison.panels if each.broken_off and each.key in jobs}
    if again:
        comparison = replace(comparison, panels=tuple(again.get(panel.key, panel) for panel in comparison.panels))
    saved, space.belongings.saved_embeddings = space.belongings.saved_embeddings, {}
    if saved:  # of before a restart
        comparison = replace(comparison, panels=tuple(_as_saved(panel, saved, d) for panel in comparison.panels))
    waiting = {panel.key: panel for panel in comparison.panels if panel.waits}
    for key, job in list(jobs.items()):
        panel = waiting.get(key)
        if panel is None or panel.X is not job.panel.X or (panel.recipe, d) != (job.panel.recipe, job.n_components):
            jobs.pop(key).leave()
    for key, panel in waiting.items():
        if key not in jobs:
            jobs[key] = EmbeddingJob(panel, d)
    done = {key: job.done for key, job in jobs.items() if job.done is not None}
    for key in done:
        del jobs[key]
    if not done:
        return comparison
    return replace(comparison, panels=tuple(done.get(panel.key) or panel for panel in comparison.panels))


def _as_saved(panel: Compared, saved: Mapping[str, SavedEmbedding], n_components: int) -> Compared:
    known = saved.get(panel.key) if panel.waits else None
    return panel if known is None else known.into(panel, n_components) or panel


def try_again(space: Workspace, panel: Compared) -> None:
    """Begin anew what was broken off; the next `settle` has it waiting."""
    jobs, comparison = _jobs(space), space.belongings.comparison
    if comparison is not None and panel.key not in jobs:
        jobs[panel.key] = EmbeddingJob(left_waiting(panel), comparison.recipe.n_components)


def asked_for(space: Workspace) -> list[EmbeddingJob]:
    """Those that wait, and those that are done and not shown yet."""
    return list(_jobs(space).values())


def _leave_all(jobs: dict[str, EmbeddingJob]) -> None:
    for job in jobs.values():
        job.leave()


def _jobs(space: Workspace) -> dict[str, EmbeddingJob]:
    jobs: dict[str, EmbeddingJob] | None = space.belongings.embeddings
    if jobs is None:
        jobs = space.belongings.embeddings = {}
        space.when_forgotten(partial(_leave_all, jobs))
    return jobs

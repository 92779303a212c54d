"""Compute slow embeddings as jobs, so that the page shows everything else at once."""

import hashlib
from collections.abc import Generator
from dataclasses import dataclass, replace

import numpy as np

from nca_core.training.run import Slot
from pages.server.document import Document
from pages.server.jobs import Job, Turns
from study.compare import Comparison
from study.embed import embed
from study.fitting import FittedPanel, as_waiting
from study.panel import PanelRecipe
from study.panel_changes import without_name

_TURNS = Turns(2)  # processes of all sessions together
_NAME = "embedding "


class EmbeddingJob(Job):
    """Fit one waiting panel in a child process."""

    saved = False  # its result is saved with the comparison

    def __init__(self, panel: FittedPanel, n_components: int) -> None:
        self.panel, self.n_components = panel, n_components
        super().__init__(panel.key, self._embed, turns=_TURNS)

    def _embed(self, slot: Slot) -> Generator[FittedPanel, None, None]:
        yield embed(self.panel, self.n_components, self.check)

    @property
    def fitted(self) -> FittedPanel | None:
        """The panel with its embedding, or with why there is none; None while the job runs."""
        if self.state == "failed":
            problem = f"{self.panel.recipe.method.title} was not computed. {self.error}"
            return replace(self.panel, waits=False, problem=problem, broken_off=True)
        return self.result if self.state == "done" else None


def embedding_jobs(own: Document) -> list[EmbeddingJob]:
    """Jobs that run, or have ended and are not shown yet."""
    return [job for job in own.jobs.values() if isinstance(job, EmbeddingJob)]


def settle_embeddings(own: Document, comparison: Comparison) -> Comparison:
    """Put finished embeddings into the comparison, start jobs for waiting panels and cancel stale ones."""
    jobs, d = {job.panel.key: job for job in embedding_jobs(own)}, comparison.recipe.n_components
    saved, own.saved_embeddings = own.saved_embeddings, {}
    panels = []
    for panel in comparison.panels:
        job = jobs.pop(panel.key, None)
        if panel.broken_off and job is not None:  # retried
            panel = job.panel
        if panel.waits and panel.key in saved:  # restored
            panel = saved[panel.key].into(panel, d) or panel
        wanted = panel.waits and (panel.recipe, d)
        if job is not None and not (panel.X is job.panel.X and wanted == (job.panel.recipe, job.n_components)):
            own.jobs.cancel(_NAME + panel.key)
            job = None
        if panel.waits and job is None:
            own.jobs[_NAME + panel.key] = job = EmbeddingJob(panel, d)
        if job is not None and (fitted := job.fitted) is not None:
            own.jobs.cancel(_NAME + panel.key)
            panel = fitted
        panels.append(panel)
    for key in jobs:  # of panels that are gone
        own.jobs.cancel(_NAME + key)
    unchanged = all(new is old for new, old in zip(panels, comparison.panels, strict=True))
    return comparison if unchanged else replace(comparison, panels=tuple(panels))


def try_again(own: Document, panel: FittedPanel) -> None:
    """Retry a fit that was broken off; the next `settle_embeddings` shows it waiting."""
    if own.comparison is not None and _NAME + panel.key not in own.jobs:
        own.jobs[_NAME + panel.key] = EmbeddingJob(as_waiting(panel), own.comparison.recipe.n_components)


# -- saved


@dataclass(frozen=True)
class SavedEmbedding:
    """An embedding as the store has it."""

    recipe: PanelRecipe  # what it was computed for
    features: str  # hash of the panel's features
    embedding: np.ndarray  # (n_samples, n_components)
    note: str
    seconds: float

    def into(self, panel: FittedPanel, n_components: int) -> FittedPanel | None:
        """The waiting panel with this embedding; None if it is of something else."""
        same = without_name(self.recipe) == without_name(panel.recipe) and self.embedding.shape[1] == n_components
        if not same or self.features != _hashed(panel.X):
            return None
        return replace(panel, waits=False, problem="", embedding=self.embedding, note=self.note, seconds=self.seconds)


def saved_embedding(panel: FittedPanel) -> SavedEmbedding:
    assert panel.embedding is not None
    return SavedEmbedding(panel.recipe, _hashed(panel.X), panel.embedding, panel.note, panel.seconds)


def _hashed(X: np.ndarray) -> str:
    return hashlib.sha256(str(X.shape).encode() + np.ascontiguousarray(X).tobytes()).hexdigest()

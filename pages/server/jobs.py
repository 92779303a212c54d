"""The long work of a workspace, by name; it ends with the workspace."""

from __future__ import annotations

from pages.server.job import Job, Work
from pages.server.workspace import Workspace


def job_of(space: Workspace, name: str, of: object) -> Job | None:
    """The work of that name where it is about `of`; None where there is none, or it was about something else."""
    own = space.belongings
    job = own.jobs.get(name) or own.saved_jobs.get(name)
    return job if job is not None and job.of == of else None


def panel_asked(space: Workspace, name: str) -> str:
    """The key of the panel that the work of that name is about; "" where there is none."""
    own = space.belongings
    job = own.jobs.get(name) or own.saved_jobs.get(name)
    return str(job.of[1]) if job is not None and isinstance(job.of, tuple) else ""


def start_job(space: Workspace, name: str, of: object, work: Work) -> None:
    """Begin the work of that name; the one before it is cancelled."""
    jobs = space.belongings.jobs
    if not jobs:
        space.when_forgotten(lambda: _cancel_all(space))
    if (before := jobs.pop(name, None)) is not None:
        before.cancel()
    space.belongings.saved_jobs.pop(name, None)
    jobs[name] = Job(of, work)


def _cancel_all(space: Workspace) -> None:
    for job in list(space.belongings.jobs.values()):
        job.cancel()

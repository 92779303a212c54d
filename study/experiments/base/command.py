"""The command line: list, run, report."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Mapping
from functools import partial
from pathlib import Path

from datasets.local_folder import VARIABLE as DATA_VARIABLE
from study.cluster import VARIABLE as DASK_VARIABLE
from study.experiments.base.cluster import on_cluster_at
from study.experiments.base.data import Data
from study.experiments.base.document import as_html, as_markdown
from study.experiments.base.experiment import Experiment, chosen
from study.experiments.base.found import found_of
from study.experiments.base.machine import made
from study.experiments.base.outcome import Outcome
from study.experiments.base.report import TITLE, blocks
from study.experiments.base.run import Progress, run_tasks, tasks_of
from study.experiments.base.store import VARIABLE as STORE_VARIABLE
from study.experiments.base.store import Store, store_folder

INTERRUPTED = 130  # as a shell has it


def main(arguments: list[str], experiments: Mapping[str, Experiment]) -> int:
    """Do what the command line says; the exit code."""
    asked = _parser().parse_args(arguments)
    try:
        _check_folders(asked)
        store = Store(Path(asked.store).expanduser() if asked.store else store_folder())
        data = Data(asked.data or "", asked.fetch)
        if asked.command == "list":
            return _list(experiments, store, data)
        wanted = chosen(experiments, asked.ids or ["all"])
        if asked.command == "report":
            return _report(wanted, store, data, Path(asked.to))
        return _run(wanted, store, data, asked)
    except (ValueError, OSError) as error:
        print(error, file=sys.stderr)
        return 2


def _check_folders(asked: argparse.Namespace) -> None:
    for option in ("data", "store", "to"):
        folder = Path(getattr(asked, option, None) or ".").expanduser()
        if folder.exists() and not folder.is_dir():
            raise ValueError(f"--{option}: {folder} is a file; name a folder.")
        if option == "data" and not folder.exists():
            raise ValueError(f"--data: there is no folder {folder}.")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m study.experiments", description="Reproduce the papers.")
    commands = parser.add_subparsers(dest="command", required=True)
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--data", help=f"folder with tables of your own (else {DATA_VARIABLE})")
    common.add_argument("--store", help=f"folder that keeps finished cells (else {STORE_VARIABLE}, else the cache)")
    common.add_argument("--fetch", action="store_true", help="download what the folder lacks and the catalogue has")
    commands.add_parser("list", parents=[common], help="what there is, and how much of it is done")
    run = commands.add_parser("run", parents=[common], help="carry out what is not done yet")
    run.add_argument("ids", nargs="+", metavar="ID", help="ids of the list, or all")
    run.add_argument("--fast", action="store_true", help="two splits of what is quick: minutes")
    run.add_argument("--seeds", type=_count, default=0, help="splits of each, in the place of its own number")
    run.add_argument(
        "--dask", default=os.environ.get(DASK_VARIABLE, ""), help=f"address of a scheduler (else {DASK_VARIABLE})"
    )
    run.add_argument("--jobs", type=_jobs, default=1, help="processes, of one thread each; -1 for every core")
    report = commands.add_parser("report", parents=[common], help="write report.html and report.md of what is done")
    report.add_argument("ids", nargs="*", metavar="ID", help="ids of the list; all where none is given")
    report.add_argument("--to", default=".", help="folder for the two files (else this one)")
    return parser


def _count(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("it must be at least 1")
    return number


def _jobs(text: str) -> int:
    number = int(text)
    if number == 0:
        raise argparse.ArgumentTypeError("it must not be 0; -1 is every core")
    return number


def _list(experiments: Mapping[str, Experiment], store: Store, data: Data) -> int:
    print("Numbers that are made, of those there are:")
    for experiment in experiments.values():
        found = found_of(experiment, store, data)
        print(f"{experiment.key:18} {found.done:5}/{found.wanted:<5} {experiment.title} ({experiment.source})")
    return 0


def _report(wanted: list[Experiment], store: Store, data: Data, folder: Path) -> int:
    known: dict[str, Outcome | None] = {}
    all_found = [found_of(experiment, store, data, known) for experiment in wanted]
    parts = blocks(all_found, made(all_found))
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in (("report.html", as_html(parts, TITLE)), ("report.md", as_markdown(parts))):
        (folder / name).write_text(text, encoding="utf-8")
        print(folder / name)
    return 0


def _run(wanted: list[Experiment], store: Store, data: Data, asked: argparse.Namespace) -> int:
    tasks, missing = tasks_of(wanted, store, data, asked.seeds, asked.fast)
    for sentence in missing:
        print(f"Left out: {sentence}")
    left_out = sum(bool(asked.fast and line.slow) for experiment in wanted for line in experiment.lines)
    if left_out:
        print(f"Left out of a fast run: {left_out} lines that take long.")
        if not tasks and not missing:
            print("Nothing of this is quick; leave --fast out.")
    elsewhere = partial(on_cluster_at, address=asked.dask) if asked.dask else None
    began, at = time.monotonic(), Progress(0, 0, len(tasks))
    try:
        for at in run_tasks(tasks, missing, asked.jobs, elsewhere=elsewhere):
            print(progress_line(at), flush=True)
    except KeyboardInterrupt:
        print(f"\nStopped; {at.done + at.found} of {at.wanted} cells are kept. The same command goes on from there.")
        return INTERRUPTED
    done = at.done - at.failed
    print(f"Done: {done} carried out in {spoken(time.monotonic() - began)}, {at.found} were there.")
    if at.failed:
        print(f"Failed: {at.failed}; their lines above say why. The same command tries them again.")
    return 1 if at.failed else 0


def progress_line(at: Progress) -> str:
    """How far a run is, and what it found last, in a line."""
    if at.last is None or at.outcome is None:
        return f"{at.wanted} cells, {at.found} of them are there."
    recipe = at.last.cell.recipe
    what = f"{at.last.experiment}: {recipe.data.key} {recipe.panels[0].key} seed {recipe.preparation.random_state}"
    said = at.outcome.problem or f"{at.outcome.seconds:.1f} s"
    left = "" if at.left != at.left or at.done + at.found == at.wanted else f"; {spoken(at.left)} left"
    return f"[{at.done + at.found}/{at.wanted}] {what}: {said}{left}"


def spoken(seconds: float) -> str:
    """A time as people say it."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    if seconds < 5400:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"

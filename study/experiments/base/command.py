"""The command line: list, run, report."""

import argparse
import os
import sys
import time
from collections.abc import Mapping
from contextlib import closing
from functools import partial
from pathlib import Path

from datasets.base.words import duration
from datasets.local_folder import VARIABLE as DATA_VARIABLE
from nca_core.training.run import Slot
from study.cluster import VARIABLE as DASK_VARIABLE
from study.experiments.base.experiment import Experiment, chosen
from study.experiments.base.report import TITLE, as_html, as_markdown, provenance, report_blocks
from study.experiments.base.results import Results, results_of
from study.experiments.base.run import RunStatus, in_processes, run_tasks, tasks_of
from study.experiments.base.store import (
    KEPT,
    Data,
    OutcomeStore,
    download_id,
    keep_run,
    key_of_split,
    store_folder,
)
from study.experiments.base.store import VARIABLE as STORE_VARIABLE
from study.pieces import Inputs, PieceResults, Spread, Work, in_turn


def main(arguments: list[str], experiments: Mapping[str, Experiment]) -> int:
    """Run the command line; returns the exit code."""
    options = _parser().parse_args(arguments)
    try:
        if options.data and not Path(options.data).expanduser().is_dir():
            raise ValueError(f"--data: there is no folder {options.data}.")
        store = OutcomeStore(Path(options.store).expanduser() if options.store else store_folder())
        data = Data(options.data or "", options.fetch)
        if options.command == "list":
            print("Stored numbers of each experiment:")
            for one in experiments.values():
                found = results_of(one, store, data)
                print(f"{one.key:18} {found.done:5}/{found.wanted:<5} {one.title} ({one.source})")
            return 0
        wanted = chosen(experiments, options.ids or ["all"])
        if options.command == "run":
            return _run(wanted, store, data, options)
        found_of_all = [results_of(experiment, store, data) for experiment in wanted]
        if options.command == "keep":
            _keep(found_of_all, options.commit)
        else:
            _report(found_of_all, Path(options.to), options.commit)
        return 0
    except (ValueError, OSError) as error:
        print(error, file=sys.stderr)
        return 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m study.experiments", description="Reproduce the papers.")
    commands = parser.add_subparsers(dest="command", required=True)
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--data", help=f"folder with tables of your own (else {DATA_VARIABLE})")
    common.add_argument("--store", help=f"folder that keeps finished cells (else {STORE_VARIABLE}, else the cache)")
    common.add_argument("--fetch", action="store_true", help="download what the folder lacks and the catalogue has")
    commands.add_parser("list", parents=[common], help="experiments and their progress")
    run = commands.add_parser("run", parents=[common], help="compute what is missing")
    run.add_argument("ids", nargs="+", metavar="ID", help="ids of the list, or all")
    run.add_argument("--fast", action="store_true", help="two splits of the quick lines: minutes")
    run.add_argument("--seeds", type=int, help="splits of each, instead of its own number")
    run.add_argument(
        "--dask", default=os.environ.get(DASK_VARIABLE, ""), help=f"address of a scheduler (else {DASK_VARIABLE})"
    )
    run.add_argument("--jobs", type=int, default=1, help="processes, of one thread each; -1 for every core")
    keep = commands.add_parser("keep", parents=[common], help="pack stored cells as the run that the page opens on")
    report = commands.add_parser("report", parents=[common], help="write report.html and report.md")
    for command in (keep, report):
        command.add_argument("ids", nargs="*", metavar="ID", help="ids of the list; all where none is given")
        command.add_argument("--commit", default="", help="where the cells were computed, if not here")
    report.add_argument("--to", default=".", help="folder for the two files (else this one)")
    return parser


def _report(found: list[Results], folder: Path, commit: str) -> None:
    parts = report_blocks(found, commit)
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in (("report.html", as_html(parts, TITLE)), ("report.md", as_markdown(parts))):
        (folder / name).write_text(text, encoding="utf-8")
        print(folder / name)


def _keep(found: list[Results], commit: str) -> None:
    """Pack the stored cells, under the keys that they have without a folder of tables."""
    outcomes = {
        key_of_split(m.line.cell, seed, download_id(m.line.cell), one.experiment.version): outcome
        for one in found
        for m in one.means
        for seed, outcome in m.outcomes.items()
    }
    keep_run(provenance(found, commit), outcomes)
    print(f"{KEPT}: {len(outcomes):,} cells, {KEPT.stat().st_size / 1e3:.0f} kB")


def _run(wanted: list[Experiment], store: OutcomeStore, data: Data, options: argparse.Namespace) -> int:
    if options.jobs == 0 or (options.seeds is not None and options.seeds < 1):
        raise ValueError("--seeds must be at least 1, and --jobs not 0 (-1 is every core).")
    tasks, missing = tasks_of(wanted, store, data, options.seeds or 0, options.fast)
    for sentence in missing:
        print(f"Left out: {sentence}")
    left_out = sum(bool(options.fast and line.slow) for experiment in wanted for line in experiment.lines)
    if left_out:
        print(f"Left out of a fast run: {left_out} slow lines.")
        if not tasks and not missing:
            print("All lines are slow; leave --fast out.")
    spread: Spread = on_cluster_at(options.dask) if options.dask else partial(in_processes, options.jobs)
    if options.jobs == 1 and not options.dask:
        spread = in_turn
    began, at = time.monotonic(), RunStatus(0, 0, len(tasks))
    try:
        for at in run_tasks(tasks, spread=spread):
            print(progress_line(at), flush=True)
    except KeyboardInterrupt:
        print(f"\nStopped; {at.done + at.found} of {at.wanted} cells are stored. The same command continues.")
        return 130  # as a shell has it
    print(f"Done: {at.done - at.failed} computed in {duration(time.monotonic() - began)}, {at.found} stored before.")
    if at.failed:
        print(f"Failed: {at.failed}; see the lines above. The same command tries them again.")
    return 1 if at.failed else 0


def on_cluster_at(address: str) -> Spread:
    """A spread over the workers of the scheduler at `address`; they need the same version of this program.

    Raises ValueError when Dask is not installed, or no scheduler answers.
    """
    if ":" not in address:
        raise ValueError(
            f"{address} is no address of a scheduler, like tcp://host:8786; it is from --dask or {DASK_VARIABLE}."
        )
    try:
        from study.cluster.connection import Connection, Unreachable
        from study.cluster.work import finished
    except ImportError:
        raise ValueError("Dask is not installed: pip install distributed, or leave --dask out to run here.") from None

    def spread(work: Work, inputs: Inputs, slot: Slot) -> PieceResults:
        with closing(Connection(address)) as connection:
            try:
                yield from finished(connection, work, inputs, slot)
            except Unreachable as problem:
                why = f"{problem} Leave --dask out, or {DASK_VARIABLE} where that names it, to run here."
                raise ValueError(why) from None

    return spread


def progress_line(at: RunStatus) -> str:
    """The progress of a run and its last outcome, in a line."""
    if at.last is None or at.outcome is None:
        return f"{at.wanted} cells, {at.found} of them stored."
    recipe = at.last.cell.recipe
    what = f"{at.last.experiment}: {recipe.data.key} {recipe.panels[0].key} seed {recipe.preparation.random_state}"
    said = at.outcome.problem or f"{at.outcome.seconds:.1f} s"
    left = f"; {duration(at.left)} left" if at.done + at.found < at.wanted else ""
    return f"[{at.done + at.found}/{at.wanted}] {what}: {said}{left}"

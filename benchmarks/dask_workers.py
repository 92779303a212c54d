"""Dask workers beside the app's own process: experiments, the first frame, ten trainings with clicks, a killed worker.

    python benchmarks/dask_workers.py [--parts experiments first ten kill] [--seeds 2] [--trainings 10]

Starts a scheduler and two worker processes of one thread on this machine, and the app with and without them. Each
tab is a client of the real protocol (Streamlit's socket and the stage's); everything shares the machine. A click is
Reset in a tab that trains nothing, from the press until the page has been run and sent.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

import psutil  # noqa: E402
from distributed import LocalCluster  # noqa: E402

from benchmarks.load import line  # noqa: E402
from benchmarks.load_client import Tab  # noqa: E402
from benchmarks.server import Server  # noqa: E402
from study.cluster import VARIABLE  # noqa: E402
from study.cluster.connection import Connection  # noqa: E402

LINK = "recipe=2&data={data}&pace=full_speed&nca.optimiser=gradient-ascent&nca.max_iter={iterations}"
PARTS = ("experiments", "first", "ten", "kill")


def experiments(cluster: LocalCluster, arguments: argparse.Namespace) -> None:
    """The same cells by two processes of joblib and by the two workers, each into an empty store."""
    from study.experiments import EXPERIMENTS
    from study.experiments.base.cluster import on_cluster
    from study.experiments.base.data import Data
    from study.experiments.base.experiment import chosen
    from study.experiments.base.run import run_tasks, tasks_of
    from study.experiments.base.store import Store

    wanted = chosen(EXPERIMENTS, arguments.experiments)
    connection = Connection(cluster.scheduler_address)

    def seconds(seeds: int, folder: str, **options: object) -> tuple[float, int]:
        tasks, _ = tasks_of(wanted, Store(Path(folder)), Data(), seeds, fast=True)
        began = time.perf_counter()
        last = list(run_tasks(tasks, **options))[-1]  # type: ignore[arg-type]
        if last.failed or last.done != len(tasks):
            raise SystemExit(f"{last.failed} of {len(tasks)} cells failed.")
        return time.perf_counter() - began, last.done

    took: dict[str, list[float]] = {"joblib": [], "Dask": []}
    ways: dict[str, dict[str, object]] = {
        "joblib": {"jobs": 2},
        "Dask": {"elsewhere": lambda tasks: on_cluster(tasks, connection)},
    }
    with tempfile.TemporaryDirectory() as folder:
        for name, options in ways.items():  # processes are started, and have loaded what they need
            seconds(1, f"{folder}/warm-{name}", **options)
        for number in range(arguments.rounds):
            for name, options in ways.items():
                taken, cells = seconds(arguments.seeds, f"{folder}/{name}-{number}", **options)
                took[name].append(taken)
    connection.close()
    joblib, dask = (min(took[name]) for name in ways)
    print(
        f"experiments: {cells} cells, joblib with two processes {joblib:.1f} s, two Dask workers {dask:.1f} s: "
        f"{dask / joblib:.2f} times (best of {arguments.rounds})",
        flush=True,
    )


async def wait_for_end(tab: Tab) -> float:
    """Until the stage was told that the training ended; the seconds."""
    began = time.perf_counter()
    while tab.state != "ended":
        if time.perf_counter() - began > 600:
            raise SystemExit(f"A training is {tab.state} after ten minutes.")
        await asyncio.sleep(0.01)
    return time.perf_counter() - began


def rest(server: Server) -> None:
    """Wait until the app and the workers have loaded and compiled what they need."""
    server.rest()
    ours = [each for each in psutil.Process().children(recursive=True) if each != server.process]
    for _ in range(60):
        used = [_seconds(each) for each in ours]
        time.sleep(1.0)
        if sum(_seconds(each) for each in ours) - sum(used) < 0.2:
            return


def _seconds(process: psutil.Process) -> float:
    try:
        return float(sum(process.cpu_times()[:2]))
    except psutil.Error:  # it has ended
        return 0.0


async def with_app(address: str, use: Callable[[Server], object]) -> None:
    server = Server(**{VARIABLE: address})
    server.start()
    try:
        await use(server)  # type: ignore[misc]
    finally:
        await asyncio.to_thread(server.stop)


async def first(arguments: argparse.Namespace, where: str, server: Server) -> None:
    """From the press of Train to the first message with snapshots."""
    link = LINK.format(data=arguments.data, iterations=20)
    tab = Tab(server.host, link)
    await tab.open()
    await asyncio.to_thread(rest, server)
    took = []
    for _ in range(5):
        await tab.press("Reset")
        tab.messages = 0
        began = time.perf_counter()
        pressed = asyncio.create_task(tab.press("Train"))
        await tab.first_snapshot()
        took.append(time.perf_counter() - began)
        await pressed
        await wait_for_end(tab)
        tab.states.clear()
    await tab.close()
    print(line(f"first frame after Train, {where}", took), flush=True)


async def ten(arguments: argparse.Namespace, where: str, server: Server) -> None:
    """Trainings of as many tabs at once, and clicks of one more tab meanwhile."""
    link = LINK.format(data=arguments.data, iterations=arguments.iterations)
    tabs = [Tab(server.host, link) for _ in range(arguments.trainings)]
    for tab in tabs:
        await tab.open()
    clicker = Tab(server.host, link)
    await clicker.open()
    await asyncio.to_thread(rest, server)
    began = time.perf_counter()
    await asyncio.gather(*(tab.press("Train") for tab in tabs))
    ended = asyncio.gather(*(wait_for_end(tab) for tab in tabs))
    clicks = []
    while not ended.done():
        clicks.append(await clicker.press("Reset"))
        await asyncio.sleep(0.5)
    await ended
    seconds = time.perf_counter() - began
    shown = min(len(tab.arrivals) for tab in tabs)
    for tab in (*tabs, clicker):
        await tab.close()
    print(f"{arguments.trainings} trainings, {where}: {seconds:.1f} s for {arguments.iterations} iterations of each")
    print(f"  at least {shown} iterations reached each tab; " + line("a click", clicks), flush=True)


async def kill(cluster: LocalCluster, arguments: argparse.Namespace, server: Server) -> None:
    """The worker of a training is killed at a third of it."""
    link = LINK.format(data=arguments.data, iterations=arguments.iterations)
    tab = Tab(server.host, link)
    await tab.open()
    await asyncio.to_thread(rest, server)
    await tab.press("Train")
    while len(tab.arrivals) < arguments.iterations // 3:
        await asyncio.sleep(0.005)
    busiest = max(_pids(cluster), key=_share_of)
    os.kill(busiest, signal.SIGKILL)
    at = len(tab.arrivals) - 1
    await wait_for_end(tab)
    told = tab.states[-1]["runs"]["nca"]  # type: ignore[index]
    longest = max(b - a for a, b in zip(tab.arrivals, tab.arrivals[1:], strict=False))
    await tab.close()
    print(f"killed at iteration {at}: {len(tab.arrivals)} of {arguments.iterations + 1} iterations arrived,")
    print(f"  the longest wait between two {longest:.2f} s; the stage was told: {told['note']!r}", flush=True)


def _pids(cluster: LocalCluster) -> list[int]:
    return [nanny.process.process.pid for nanny in cluster.workers.values()]


def _share_of(pid: int) -> float:
    """Share of a processor, within half a second from now."""
    return float(psutil.Process(pid).cpu_percent(0.5))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=list(PARTS))
    parser.add_argument("--experiments", nargs="+", default=["r-fig3", "r-fig5"])
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--trainings", type=int, default=10)
    parser.add_argument("--iterations", type=int, default=60)
    parser.add_argument("--data", default="digits")
    arguments = parser.parse_args()
    os.environ.pop(VARIABLE, None)
    options = {"n_workers": 2, "threads_per_worker": 1, "processes": True, "dashboard_address": None}
    with LocalCluster(**options, env={"PYTHONPATH": str(ROOT)}) as cluster:
        address = cluster.scheduler_address
        if "experiments" in arguments.parts:
            experiments(cluster, arguments)
        for name, part in (("first", first), ("ten", ten)):
            if name in arguments.parts:
                asyncio.run(with_app("", partial(part, arguments, "in the app's own process")))
                asyncio.run(with_app(address, partial(part, arguments, "on two Dask workers")))
        if "kill" in arguments.parts:
            asyncio.run(with_app(address, partial(kill, cluster, arguments)))


if __name__ == "__main__":
    main()

"""Dask workers beside the app's own process: ten trainings with clicks, and a killed worker.

    python benchmarks/dask_workers.py [--parts ten kill] [--trainings 10]

Starts a scheduler and two worker processes of one thread on this machine, and the app with and without them. Each
tab is a client of the real protocol (Streamlit's socket and the stage's); everything shares the machine. A click is
Reset in a tab that trains nothing, from the press until the page has been run and sent.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import time
from collections.abc import Callable
from functools import partial

import psutil
from common import ROOT, options
from distributed import LocalCluster
from server import Server, Tab, line

from study.cluster import VARIABLE

LINK = "recipe=2&data={data}&pace=full_speed&nca.optimiser=gradient-ascent&nca.max_iter={iterations}"
PARTS = ("ten", "kill")


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
    parts = {"default": list(PARTS), "choices": PARTS}
    arguments = options(__doc__, parts=parts, trainings=10, iterations=60, data="digits")
    os.environ.pop(VARIABLE, None)
    workers = {"n_workers": 2, "threads_per_worker": 1, "processes": True, "dashboard_address": None}
    with LocalCluster(**workers, env={"PYTHONPATH": str(ROOT)}) as cluster:
        address = cluster.scheduler_address
        if "ten" in arguments.parts:
            asyncio.run(with_app("", partial(ten, arguments, "in the app's own process")))
            asyncio.run(with_app(address, partial(ten, arguments, "on two Dask workers")))
        if "kill" in arguments.parts:
            asyncio.run(with_app(address, partial(kill, cluster, arguments)))


if __name__ == "__main__":
    main()

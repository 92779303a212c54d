"""Kill a server again and again: how soon it is healthy, what is lost, whether a page is left behind.

    python benchmarks/kills.py [--kills 20]

Starts the app by itself, with a store. A tab trains. At a random moment, or while something is written,
the server's process is killed and started again. Then:

- it must be healthy within ten seconds,
- the open stage must be told that its run can be restored, and the page must restore all but the last five seconds,
- no process of the killed server may be left.
"""

import argparse
import asyncio
import random
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from common import options
from server import Server, Tab

from pages.server.store import FILE

LINK = "recipe=2&data=digits&nca.optimiser=gradient-ascent&nca.max_iter=2000"
MOST_LOST = 5.0  # seconds
_PATIENCE = 10  # times 0.3 s for the children of a killed server to end


@dataclass
class Found:
    """Outcome of one kill."""

    moment: str
    healthy: float = 0.0  # seconds
    lost: float = 0.0  # seconds of training
    faults: list[str] = field(default_factory=list)


async def kill_once(server: Server, folder: Path, moment: str, rng: random.Random, seed: int) -> Found:
    """Open, train, kill, start, restore."""
    found = Found(moment)
    tab = Tab(server.host, LINK.replace("digits", ("digits", "wine", "breast_cancer")[seed % 3]))
    await tab.open()
    await tab.press("Train")
    await tab.first_snapshot()
    await asyncio.sleep(rng.uniform(0.5, 8.0))
    if moment == "writing":
        log = folder / f"{FILE}-wal"  # which is deleted after each look
        for _ in range(2_000):
            if log.exists():
                break
            await asyncio.sleep(0.002)
    iterations, at = len(tab.arrivals), time.perf_counter()
    server.kill()
    for _ in range(_PATIENCE):  # a child that has just begun checks for its parent later
        await asyncio.sleep(0.3)
        if not server.orphans():
            break
    if left := server.end_orphans():
        found.faults.append(f"{left} processes were left")
    found.healthy = await asyncio.to_thread(server.start)
    await _comes_back(tab, found, iterations, at)
    return found


async def _comes_back(tab: Tab, found: Found, iterations: int, at: float) -> None:
    """Check that the stage's socket requests a restore, and that the next page run has the training."""
    n_closed = len(tab.closed)
    for _ in range(200):
        if any(reason for _, reason in tab.closed[n_closed:]):
            break
        await asyncio.sleep(0.05)
    reasons = [reason for _, reason in tab.closed[n_closed:] if reason]
    again = Tab(tab.host, tab.link, cookies=tab.cookies)
    await again.open()
    for _ in range(100):  # on a busy machine the socket opens late
        if again.state != "no training yet":
            break
        await asyncio.sleep(0.1)
    back = -1
    while back != (back := len(again.arrivals)):
        await asyncio.sleep(0.5)
    found.lost = 0.0 if back >= iterations else at - tab.arrivals[max(0, back - 1)]
    if back or found.lost > MOST_LOST:  # else it began too late to be saved
        if not reasons or reasons[-1] != "kept":
            found.faults.append(f"the stage was told {reasons[-1:] or 'nothing'}")
        if again.state != "paused":
            found.faults.append(f"the training came back {again.state}")
    await tab.close()
    await again.close()


async def run(server: Server, folder: Path, arguments: argparse.Namespace) -> int:
    rng = random.Random(arguments.seed)
    all_found = []
    for k in range(arguments.kills):
        found = await kill_once(server, folder, ("training", "writing")[k % 2], rng, k)
        all_found.append(found)
        print(
            f"kill {k + 1:2} while {found.moment:8}: healthy after {found.healthy:.1f} s, {found.lost:.1f} s of "
            f"training lost{''.join('; ' + fault for fault in found.faults)}",
            flush=True,
        )
    faults = sum(len(found.faults) for found in all_found)
    healthy, lost = (max(getattr(found, name) for found in all_found) for name in ("healthy", "lost"))
    traces = server.log().count("Traceback")
    print(
        f"{len(all_found)} kills: healthy after {healthy:.1f} s at most, {lost:.1f} s of training lost at most, "
        f"{faults} faults, {traces} tracebacks in the log"
    )
    return int(bool(faults) or healthy > 10 or lost > MOST_LOST or traces > 0)


def main() -> int:
    arguments = options(__doc__, kills=20, seed=0)
    with tempfile.TemporaryDirectory() as folder:
        server = Server(NCA_EXPLORER_STORE=folder)
        try:
            server.start()
            answer = asyncio.run(run(server, Path(folder), arguments))
        finally:
            server.stop()
            if arguments.kills:
                sys.stderr.write(server.log()[-3_000:] if "Traceback" in server.log() else "")
    return answer


if __name__ == "__main__":
    sys.exit(main())

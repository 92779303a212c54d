"""Many tabs at once: how soon a click is answered while they train, what they cost, what is left when they close.

    python benchmarks/load.py [--tabs 30] [--seconds 40] [--data digits]

Starts the app by itself. Each tab is a client of the real protocol (Streamlit's socket and the stage's) that trains
NCA by gradient ascent, which goes on for all its iterations, and acknowledges what it gets as the stage does. Clients
and server share the machine. A click is Pause or Resume, from the press until the page has been run and sent.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import statistics
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.load_client import Tab  # noqa: E402
from benchmarks.server import Server, words  # noqa: E402

LINK = "recipe=2&data={data}&nca.optimiser=gradient-ascent&nca.max_iter=2000"


def line(what: str, seconds: list[float]) -> str:
    if not seconds:
        return f"{what}: none"
    ordered = sorted(seconds)
    p95 = ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))]
    return f"{what}: median {statistics.median(ordered):.3f} s, p95 {p95:.3f} s, most {ordered[-1]:.3f} s"


async def click(tab: Tab, arguments: argparse.Namespace, rng: random.Random) -> list[float]:
    """Pause, look for two seconds, go on again; now and then, as somebody would."""
    until = time.perf_counter() + arguments.seconds
    took: list[float] = []
    await asyncio.sleep(rng.uniform(0, 2 * arguments.every))
    while time.perf_counter() < until:
        took.append(await tab.press("Pause"))
        await asyncio.sleep(2)
        took.append(await tab.press("Resume"))
        await asyncio.sleep(rng.uniform(arguments.every, 3 * arguments.every))
    return took


async def run(server: Server, started: float, arguments: argparse.Namespace) -> None:
    host = server.host
    rng = random.Random(0)
    link = LINK.format(data=arguments.data)
    first = Tab(host, link)
    opened = await first.open()
    print(f"server healthy after {started:.2f} s, the first tab's stage {opened:.2f} s later")
    idle = server.level()
    tabs = [first]
    opening = []
    for _ in range(arguments.tabs - 1):
        tab = Tab(host, link)
        opening.append(await tab.open())
        tabs.append(tab)
    if opening:
        print(line("another tab opened", opening))
    filled = server.level()
    if arguments.tabs > 1:
        print(f"an idle tab costs {(filled[0] - idle[0]) / (arguments.tabs - 1):.1f} MB")
    begun = time.perf_counter()
    pressed = await first.press("Train")
    await first.first_snapshot()
    print(f"Train to the first snapshot {time.perf_counter() - begun:.3f} s (click answered in {pressed:.3f} s)")
    await asyncio.gather(*(tab.press("Train") for tab in tabs[1:]))
    await asyncio.sleep(2)
    said = [
        next(iter(tab.states[-1]["runs"].values()))["state"] for tab in tabs if tab.states and tab.states[-1]["runs"]
    ]
    print(", ".join(f"{said.count(state)} {state}" for state in sorted(set(said))))
    before = [tab.messages for tab in tabs]
    own = time.process_time()
    cpu = sum(server.process.cpu_times()[:2])
    since = time.perf_counter()
    took = await asyncio.gather(*(click(tab, arguments, rng) for tab in tabs))
    elapsed = time.perf_counter() - since
    cpu = (sum(server.process.cpu_times()[:2]) - cpu) / elapsed
    own = (time.process_time() - own) / elapsed
    rates = [(tab.messages - old) / elapsed for tab, old in zip(tabs, before, strict=True)]
    clicks = [second for each in took for second in each]
    busy = server.level()
    print(line(f"{len(clicks)} clicks in {len(tabs)} tabs that train", clicks))
    print(f"messages a second and tab: least {min(rates):.1f}, median {statistics.median(rates):.1f}")
    print(f"server {100 * cpu:.0f} % of a core, clients {100 * own:.0f} %; {words(busy)}")
    for tab in tabs:
        await tab.close()
    await asyncio.sleep(arguments.rest)
    left = server.level()
    print(f"{arguments.rest:.0f} s after the last tab closed: {words(left)}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tabs", type=int, default=30)
    parser.add_argument("--seconds", type=float, default=40.0, help="how long people click")
    parser.add_argument("--every", type=float, default=10.0, help="seconds between two clicks in a tab, on average")
    parser.add_argument("--rest", type=float, default=20.0, help="seconds to wait after the last tab has closed")
    parser.add_argument("--data", default="digits")
    arguments = parser.parse_args()
    server = Server()
    try:
        asyncio.run(run(server, server.start(), arguments))
    finally:
        server.stop()


if __name__ == "__main__":
    main()

"""Many tabs at once: how soon a click is answered while they train, what they cost, what is left when they close.

    python benchmarks/load.py [--tabs 30] [--train 30] [--seconds 40] [--data digits]

Starts the app by itself. Each tab is a client of the real protocol (Streamlit's socket and the stage's) that trains
NCA by gradient ascent, which goes on for all its iterations, and acknowledges what it gets as the stage does. Clients
and server share the machine. A click is Pause or Resume, from the press until the page has been run and sent.
"""

import argparse
import asyncio
import random
import statistics
import time
from collections import Counter
from typing import Any

from common import options
from server import Server, Tab, line, words

LINK = "recipe=2&data={data}&nca.optimiser=gradient-ascent&nca.max_iter=2000"


async def click(tab: Tab, arguments: argparse.Namespace, rng: random.Random, trains: bool) -> list[float]:
    """Press Pause, and Resume two seconds later, at random times; Reset in a tab without a training."""
    until = time.perf_counter() + arguments.seconds
    took: list[float] = []
    await asyncio.sleep(rng.uniform(0, 2 * arguments.every))
    while time.perf_counter() < until:
        if trains:
            took.append(await tab.press("Pause"))
            await asyncio.sleep(2)
        took.append(await tab.press("Resume" if trains else "Reset"))
        await asyncio.sleep(rng.uniform(arguments.every, 3 * arguments.every))
    return took


async def open_all(server: Server, first: Tab, arguments: argparse.Namespace) -> list[Tab]:
    """The tabs, opened one after the other; what each costs."""
    few = arguments.tabs > 4
    tabs, opening = [first], []
    before = server.level()
    for k in range(arguments.tabs - 1):
        if few and k == 2:  # what the first ones load is loaded once
            await asyncio.to_thread(server.rest)
            before = server.level()
        tab = Tab(server.host, first.link)
        opening.append(await tab.open())
        tabs.append(tab)
    if opening:
        await asyncio.sleep(1)
        counted = len(opening) - 2 * few
        print(line("another tab opened", opening))
        print(f"an idle tab costs {(server.level()[0] - before[0]) / counted:.2f} MB")
    return tabs


async def train_all(tabs: list[Tab]) -> None:
    """Press Train in each; print how soon the first one moves, and the states of the others."""
    if not tabs:
        return
    begun = time.perf_counter()
    pressed = await tabs[0].press("Train")
    await tabs[0].first_snapshot()
    print(f"Train to the first snapshot {time.perf_counter() - begun:.3f} s (click answered in {pressed:.3f} s)")
    await asyncio.gather(*(tab.press("Train") for tab in tabs[1:]))
    await asyncio.sleep(2)
    runs: list[Any] = [next(iter(tab.states[-1]["runs"].values())) for tab in tabs if tab.states]  # type: ignore[attr-defined]
    said = Counter(run["state"] for run in runs)
    last = max((run["queue"] for run in runs), default=0)
    queue = f"; the last tab shows number {last} in the queue" if last else ""
    print(", ".join(f"{count} {state}" for state, count in sorted(said.items())) + queue)


async def run(server: Server, started: float, arguments: argparse.Namespace) -> None:
    rng = random.Random(0)
    first = Tab(server.host, LINK.format(data=arguments.data))
    opened = await first.open()
    print(f"server healthy after {started:.2f} s, the first tab's stage {opened:.2f} s later")
    if arguments.tabs > 4:
        await asyncio.to_thread(server.rest)
    tabs = await open_all(server, first, arguments)
    n_training = arguments.tabs if arguments.train is None else arguments.train
    training, filled = tabs[:n_training], server.level()
    await train_all(training)
    before = [tab.messages for tab in tabs]
    own = time.process_time()
    cpu = sum(server.process.cpu_times()[:2])
    since = time.perf_counter()
    took = await asyncio.gather(*(click(tab, arguments, rng, tab in training) for tab in tabs))
    elapsed = time.perf_counter() - since
    cpu = (sum(server.process.cpu_times()[:2]) - cpu) / elapsed
    own = (time.process_time() - own) / elapsed
    rates = [(tab.messages - old) / elapsed for tab, old in zip(tabs, before, strict=True)]
    clicks = [second for each in took for second in each]
    busy = server.level()
    print(line(f"{len(clicks)} clicks in {len(tabs)} tabs, of which {len(training)} train", clicks))
    if training:
        print(f"messages a second and tab: least {min(rates):.1f}, median {statistics.median(rates):.1f}")
        print(f"a training tab costs {(busy[0] - filled[0]) / len(training):.2f} MB more")
    print(f"server {100 * cpu:.0f} % of a core, clients {100 * own:.0f} %; {words(busy)}")
    for tab in tabs:
        await tab.close()
    await asyncio.sleep(arguments.rest)
    print(f"{arguments.rest:.0f} s after the last tab closed: {words(server.level())}")


def main() -> None:
    arguments = options(
        __doc__,
        tabs=30,
        seconds={"default": 40.0, "help": "how long the tabs click"},
        every={"default": 10.0, "help": "seconds between two clicks in a tab, on average"},
        rest={"default": 20.0, "help": "seconds to wait after the last tab has closed"},
        data="digits",
        train={"type": int, "help": "number of tabs that train; all by default"},
    )
    server = Server()
    try:
        asyncio.run(run(server, server.start(), arguments))
    finally:
        server.stop()


if __name__ == "__main__":
    main()

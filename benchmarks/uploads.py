"""Large tables brought by many at once: how much memory the server takes, and how late it answers meanwhile.

    python benchmarks/uploads.py [--sessions 10] [--files 2] [--megabytes 50]

Starts the app by itself. Each session drops one table after the other and lets the page read it. What the children
take that read is told apart: they end with their file.
"""

from __future__ import annotations

import argparse
import asyncio
import gzip
import multiprocessing
import sys
import time
import urllib.request
from collections import Counter
from multiprocessing.connection import Connection
from pathlib import Path

import numpy as np
import psutil

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.load import line  # noqa: E402
from benchmarks.load_client import Tab  # noqa: E402
from benchmarks.server import Server, words  # noqa: E402

_FIELD = "Your own table"


def table(megabytes: float) -> bytes:
    """Numbers in eight columns and a label in the ninth, as CSV."""
    rng = np.random.default_rng(0)
    lines = [",".join(f"{value:.4f}" for value in row) for row in rng.normal(size=(5_000, 8))]
    block = "\n".join(f"{text},{'xyz'[k % 3]}" for k, text in enumerate(lines)).encode() + b"\n"
    wanted = int(1e6 * megabytes)
    body = (block * (wanted // len(block) + 1))[:wanted]
    return b"a,b,c,d,e,f,g,h,kind\n" + body[: body.rindex(b"\n") + 1]


def watch(host: str, pid: int, told: Connection) -> None:
    """Ask for health and memory several times a second until told to end; in a process of its own."""
    server, late, own, children = psutil.Process(pid), [], 0.0, 0.0
    while not told.poll(0.1):
        begun = time.perf_counter()
        try:
            with urllib.request.urlopen(f"http://{host}/_stcore/health", timeout=30):
                late.append(time.perf_counter() - begun)
        except OSError:
            late.append(float("inf"))
        try:
            own = max(own, server.memory_info().rss / 1e6)
            theirs = [child.memory_info().rss for child in server.children(recursive=True)]
            children = max(children, sum(theirs) / 1e6)
        except psutil.Error:  # a child that has ended meanwhile
            continue
    told.send((late, own, children))


async def bring(host: str, files: list[tuple[str, bytes]], told: Counter[str]) -> None:
    """One session: each file dropped and read, one after the other."""
    tab = Tab(host, "recipe=2&data=wine", with_stage=False)
    await tab.open()
    for name, data in files:
        status = await tab.upload(_FIELD, name, data)
        if status >= 400:
            told[f"refused with {status}"] += 1
            continue
        await tab.rerun(patience=900)
        said = " ".join(tab.said)
        why = "refused, room is said" if "room for" in said else f"refused, {said[-80:]}"
        told["read" if "own%3A" in tab.link or "data=own" in tab.link else why] += 1
    await tab.close()


async def run(server: Server, arguments: argparse.Namespace) -> None:
    data = table(arguments.megabytes)
    packed = gzip.compress(data, 1)
    kinds = [("large.csv", data), ("large.csv.gz", packed)]
    files = [kinds[k % 2] for k in range(arguments.files)]
    print(f"{len(data) / 1e6:.1f} MB of CSV, {len(packed) / 1e6:.1f} MB packed; before: {words(server.level())}")
    here, there = multiprocessing.get_context("spawn").Pipe()
    watcher = multiprocessing.get_context("spawn").Process(target=watch, args=(server.host, server.process.pid, there))
    watcher.start()
    told = Counter[str]()
    begun = time.perf_counter()
    try:
        await asyncio.gather(*(bring(server.host, files, told) for _ in range(arguments.sessions)))
    finally:
        here.send("end")
    late, own, children = here.recv()
    watcher.join(10)
    took = time.perf_counter() - begun
    print(f"{sum(told.values())} files by {arguments.sessions} sessions in {took:.0f} s: {dict(told)}")
    print(f"server at most {own:.0f} MB, the children that read at most {children:.0f} MB together")
    print(line(f"{len(late)} health checks", late))
    await asyncio.sleep(arguments.rest)
    print(f"{arguments.rest:.0f} s after the last tab closed: {words(server.level())}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sessions", type=int, default=10)
    parser.add_argument("--files", type=int, default=2, help="of each session; every other one is packed")
    parser.add_argument("--megabytes", type=float, default=49.0)
    parser.add_argument("--rest", type=float, default=10.0, help="seconds to wait after the last tab has closed")
    arguments = parser.parse_args()
    server = Server()
    try:
        server.start()
        asyncio.run(run(server, arguments))
    finally:
        server.stop()


if __name__ == "__main__":
    main()

"""X that is never in one place: peak memory of each process, seconds, and bytes that travel.

    python benchmarks/engine_in_parts.py [--rows 2000000] [--features 64] [--iterations 3] [--ways folder dask]

Writes X in parts of 64 MB to a temporary folder, which is removed afterwards, and trains from there: in one process
that reads the files, and as a Dask array whose chunks two worker processes read. Each way runs in a process of its own.
The peak counts what is mapped of a file, too. Travelled is what went through the network device `lo` in an evaluation.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from memory import in_use, peak

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
PART_BYTES = 64_000_000
CLASSES = 10
LATER = 30.0  # times A, as late in a training, when K̂ is small


def write(folder: Path, n: int, D: int) -> int:
    """The parts and y; the number of parts."""
    rng = np.random.default_rng(0)
    means = 2.0 * rng.normal(size=(CLASSES, D)) / np.sqrt(D)
    y = rng.integers(0, CLASSES, n)
    np.save(folder / "_y.npy", y)
    size = PART_BYTES // (8 * D)
    starts = range(0, n, size)
    for number, start in enumerate(starts):
        labels = y[start : start + size]
        np.save(folder / f"{number}.npy", rng.normal(size=(len(labels), D)) + means[labels])
    return len(starts)


def measure(way: str, folder: str, iterations: int) -> dict[str, object]:
    """One way, in a process of its own."""
    from nca_core import NeighborhoodComponentsAnalysis, parts_of_folder
    from nca_core.evaluator import Evaluator
    from nca_core.warm_up import compile_all

    compile_all()
    before = in_use()
    y = np.load(Path(folder) / "_y.npy")
    client, X = (None, parts_of_folder(folder)[0]) if way == "folder" else on_workers(folder)
    began = time.perf_counter()
    model = NeighborhoodComponentsAnalysis(2, init="pca", scale_start=True, max_iter=iterations, tol=0.0).fit(X, y)
    training = time.perf_counter() - began
    evaluator = Evaluator(X, y)
    lines = []
    for larger in (1.0, LATER):
        sent, began = sent_by_now(), time.perf_counter()
        at = evaluator.evaluate(model.components_ * larger * (1.0 + 1e-9))
        lines.append(
            {
                "k": float(np.exp(at.entropy.mean())),
                "summation": at.summation,
                "evaluation": time.perf_counter() - began,
                "travelled": sent_by_now() - sent,
            }
        )
    A, d_Y = model.components_, np.ones((2, len(y)))
    began = time.perf_counter()
    evaluator._rows.projected(A)
    evaluator._rows.over_rows(d_Y)
    passes = time.perf_counter() - began
    peaks = {"this process": peak()}
    if client is not None:
        peaks |= {f"worker {number}": found for number, found in enumerate(client.run(peak).values())}
        client.close()
    return {
        "training": training,
        "iterations": model.n_iter_,
        "lines": lines,
        "passes": passes,
        "before": before,
        "peaks": peaks,
    }


def on_workers(folder: str) -> tuple[object, object]:
    """A client of two worker processes, and X as chunks that they read."""
    import dask.array as da
    from dask import delayed
    from distributed import Client

    client = Client(n_workers=2, threads_per_worker=1, dashboard_address=":0", direct_to_workers=True)
    files = sorted(Path(folder).glob("[0-9]*.npy"), key=lambda path: int(path.stem))
    load = delayed(lambda path: np.load(path, mmap_mode="r"))
    return client, da.concatenate(
        [da.from_delayed(load(path), np.load(path, mmap_mode="r").shape, np.float64) for path in files]
    )


def sent_by_now() -> float:
    """Bytes that went through `lo`; NaN where that is not told."""
    for line in Path("/proc/net/dev").read_text().splitlines() if Path("/proc/net/dev").exists() else []:
        if line.strip().startswith("lo:"):
            return float(line.split(":")[1].split()[8])
    return float("nan")


def on_paper(n: int, D: int, x: dict) -> str:
    """What was measured, carried over to 100,000,000 rows in proportion."""
    times, early = 1e8 / n, x["lines"][0]
    row = (x["peaks"]["this process"] - x["before"]) * 2**20 / n
    sums = early["evaluation"] - x["passes"]
    each, passes = 0.8e9 * D / 64e9, x["passes"] * times * 2 / 64
    return (
        f"\nOn paper, n = 100,000,000 and D = {D} on 64 workers, in proportion to the lines above: "
        f"X {64 * each:.1f} GB, {each:.1f} GB for each worker; Y and ∂F/∂Y, 3.2 GB, travel in an evaluation; "
        f"both passes over X {passes:.0f} s on one core a worker; sums over a grid on the caller's two cores "
        f"{sums * times / 60:.0f} min, and {row * 1e8 / 1e9:.0f} GB of memory there ({row:.0f} bytes a row)."
    )


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--rows", type=int, default=2_000_000)
    options.add_argument("--features", type=int, default=64)
    options.add_argument("--iterations", type=int, default=3)
    options.add_argument("--ways", nargs="+", choices=["folder", "dask"], default=["folder", "dask"])
    options.add_argument("--task", help=argparse.SUPPRESS)
    chosen = options.parse_args()
    if chosen.task:
        print(json.dumps(measure(*json.loads(chosen.task))))
        return
    n, D = chosen.rows, chosen.features
    with tempfile.TemporaryDirectory(prefix="nca-parts-") as folder:
        needed = 8 * n * (D + 1)
        if shutil.disk_usage(folder).free < 2 * needed:
            raise SystemExit(f"{folder} has not twice the {needed / 1e9:.2f} GB free that the parts take.")
        count = write(Path(folder), n, D)
        print(f"X: {n:,} x {D} = {8 * n * D / 1e6:,.0f} MB on disk in {count} parts; Y: {16 * n / 1e6:,.0f} MB\n")
        print(
            "| way | training, s (iterations) | K̂ | summation | evaluation, s | both passes over X, s | travels, MB "
            "| peak, MB |"
        )
        print("|---|---:|---:|---|---:|---:|---:|---|")
        for way in chosen.ways:
            task = json.dumps([way, folder, chosen.iterations])
            said = subprocess.run(
                [sys.executable, __file__, "--task", task], stdout=subprocess.PIPE, text=True, check=True, cwd=ROOT
            )
            x = json.loads(said.stdout.splitlines()[-1])
            peaks = ", ".join(f"{name} {value:.0f}" for name, value in x["peaks"].items())
            for line in x["lines"]:
                travelled = "–" if way == "folder" else f"{line['travelled'] / 1e6:,.0f}"
                print(
                    f"| {way} | {x['training']:.1f} ({x['iterations']}) | {line['k']:,.1f} | {line['summation']} "
                    f"| {line['evaluation']:.2f} | {x['passes']:.2f} | {travelled} | {peaks} |",
                    flush=True,
                )
        print(on_paper(n, D, x))


if __name__ == "__main__":
    main()

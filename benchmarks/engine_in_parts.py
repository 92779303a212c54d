"""X that is never in one place: peak memory of each process, seconds, and bytes that travel.

    python benchmarks/engine_in_parts.py [--rows 2000000] [--features 64] [--iterations 3] [--ways folder dask]

Writes X in parts of 64 MB to a temporary folder, which is removed afterwards, and trains from there: in one process
that reads the files, and as a Dask array whose chunks two worker processes read. Each way runs in a process of its own.
The peak counts what is mapped of a file, too. Travelled is what went through the network device `lo` in an evaluation.
"""

from __future__ import annotations

import shutil
import tempfile
import time
from pathlib import Path

import numpy as np
from common import in_a_child, memory_peak, options

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
    from nca_core.objectives.evaluator import Evaluator
    from nca_core.training.warm_up import compile_all

    compile_all()
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
    peaks = {"this process": memory_peak()}
    if client is not None:
        peaks |= {f"worker {number}": found for number, found in enumerate(client.run(memory_peak).values())}
        client.close()
    return {
        "training": training,
        "iterations": model.n_iter_,
        "lines": lines,
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


def main() -> None:
    ways = {"default": ["folder", "dask"], "choices": ["folder", "dask"]}
    chosen = options(__doc__, measure, rows=2_000_000, features=64, iterations=3, ways=ways)
    n, D = chosen.rows, chosen.features
    with tempfile.TemporaryDirectory(prefix="nca-parts-") as folder:
        needed = 8 * n * (D + 1)
        if shutil.disk_usage(folder).free < 2 * needed:
            raise SystemExit(f"{folder} has not twice the {needed / 1e9:.2f} GB free that the parts take.")
        count = write(Path(folder), n, D)
        print(f"X: {n:,} x {D} = {8 * n * D / 1e6:,.0f} MB on disk in {count} parts; Y: {16 * n / 1e6:,.0f} MB\n")
        print("| way | training, s (iterations) | K̂ | summation | evaluation, s | travels, MB | peak, MB |")
        print("|---|---:|---:|---|---:|---:|---|")
        for way in chosen.ways:
            x = in_a_child(__file__, way, folder, chosen.iterations)
            peaks = ", ".join(f"{name} {value:.0f}" for name, value in x["peaks"].items())
            for line in x["lines"]:
                travelled = "–" if way == "folder" else f"{line['travelled'] / 1e6:,.0f}"
                print(
                    f"| {way} | {x['training']:.1f} ({x['iterations']}) | {line['k']:,.1f} | {line['summation']} "
                    f"| {line['evaluation']:.2f} | {travelled} | {peaks} |",
                    flush=True,
                )


if __name__ == "__main__":
    main()

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
from memory import peak

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
PART_BYTES = 64_000_000
CLASSES = 10


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
    y = np.load(Path(folder) / "_y.npy")
    peaks = {}
    client = None
    if way == "dask":
        import dask.array as da
        import psutil
        from dask import delayed
        from distributed import Client

        client = Client(n_workers=2, threads_per_worker=1, dashboard_address=None)
        files = sorted((path for path in Path(folder).glob("[0-9]*.npy")), key=lambda path: int(path.stem))
        shapes = [np.load(path, mmap_mode="r").shape for path in files]
        load = delayed(lambda path: np.load(path, mmap_mode="r"))
        X = da.concatenate(
            [da.from_delayed(load(path), shape, float) for path, shape in zip(files, shapes, strict=True)]
        )
    else:
        X, _ = parts_of_folder(folder)
    began = time.perf_counter()
    model = NeighborhoodComponentsAnalysis(2, init="pca", scale_start=True, max_iter=iterations, tol=0.0).fit(X, y)
    training = time.perf_counter() - began
    evaluator = Evaluator(X, y)
    travelled = float("nan")
    before = psutil.net_io_counters(pernic=True)["lo"].bytes_sent if client is not None else 0
    began = time.perf_counter()
    at = evaluator.evaluate(model.components_ * (1.0 + 1e-9))
    evaluation = time.perf_counter() - began
    if client is not None:
        travelled = float(psutil.net_io_counters(pernic=True)["lo"].bytes_sent - before)
    A, d_Y = model.components_, np.ones((2, len(y)))
    began = time.perf_counter()
    evaluator._rows.projected(A)
    evaluator._rows.over_rows(d_Y)
    passes = time.perf_counter() - began
    peaks["this process"] = peak()
    if client is not None:
        for number, found in enumerate(client.run(peak).values()):
            peaks[f"worker {number}"] = found
        client.close()
    return {
        "training": training,
        "iterations": model.n_iter_,
        "evaluation": evaluation,
        "passes": passes,
        "summation": at.summation,
        "mean_p": at.mean_p,
        "k": model.k_estimate_,
        "travelled": travelled,
        "peaks": peaks,
    }


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
            "| way | training, s (iterations) | evaluation, s | of it passes over X, s | summation | f/n | K̂ "
            "| peak, MB | travels, MB an evaluation (bytes a row) |"
        )
        print("|---|---:|---:|---:|---|---:|---:|---|---:|")
        for way in chosen.ways:
            task = json.dumps([way, folder, chosen.iterations])
            said = subprocess.run(
                [sys.executable, __file__, "--task", task], stdout=subprocess.PIPE, text=True, check=True, cwd=ROOT
            )
            x = json.loads(said.stdout.splitlines()[-1])
            peaks = ", ".join(f"{name} {value:.0f}" for name, value in x["peaks"].items())
            sent = "–" if way == "folder" else f"{x['travelled'] / 1e6:,.1f} ({x['travelled'] / n:.1f})"
            print(
                f"| {way} | {x['training']:.1f} ({x['iterations']}) | {x['evaluation']:.2f} | {x['passes']:.2f} "
                f"| {x['summation']} | {x['mean_p']:.4f} | {x['k']:.1f} | {peaks} | {sent} |",
                flush=True,
            )


if __name__ == "__main__":
    main()

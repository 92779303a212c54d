"""Time and memory against n, from 10,000 to 1,000,000 rows: one evaluation, a whole training, and the floor.

    python benchmarks/engine_scaling.py [--largest 1000000] [--iterations 60] [--data rings classes] [--ways array dask]
    python benchmarks/engine_scaling.py --sampled 1000000 [--components 10] [--exact 1]

The floor is the time of the two passes over X alone (A Xᵀ, and a matrix product of the gradient's shape). Each line is
measured in a process of its own, so that the peak memory (above the data and the imports) is its own. The exponent is
the slope of log time against log n, by least squares over the lines.

With --sampled, instead: a training of that many rows in D = 50, by batches of rows where exact sums cannot be paid for,
with its CPU seconds; mean p_i of new rows, beside that of LDA at its best scale; and where exact iterations follow, the
share of their f that batches alone reach. With --exact a training follows whose iterations are all exact, and the share
of its f that the first reaches.

X is an array; or it is written in parts to a temporary folder and read from there, or as a Dask array whose chunks two
worker processes read, whose peaks follow. Travelled is what went through the network device `lo` in an evaluation. CPU
is the processor time of an evaluation in all processes, and the share of it that the caller and Dask's scheduler take.
"""

import contextlib
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from common import best_of, blobs, classes, heavy, in_a_child, memory_peak, options, reset_memory_peak, rings

DATA: dict[str, Callable[[int], tuple[np.ndarray, np.ndarray]]] = {"rings": rings, "classes": classes, "heavy": heavy}
WAYS = ("array", "folder", "dask")
PART_BYTES = 64_000_000
NEW_ROWS = 5_000


def write(folder: Path, X: np.ndarray) -> None:
    """X in parts of 64 MB."""
    size = PART_BYTES // X[0].nbytes
    for number, start in enumerate(range(0, len(X), size)):
        np.save(folder / f"{number}.npy", X[start : start + size])


def on_workers(folder: Path) -> tuple[Any, Any]:
    """A client of two worker processes, and X as chunks that they read."""
    import dask.array as da
    from dask import delayed
    from distributed import Client

    client = Client(n_workers=2, threads_per_worker=1, dashboard_address=":0", direct_to_workers=True)
    files = sorted(folder.glob("*.npy"), key=lambda path: int(path.stem))
    load = delayed(lambda path: np.load(path, mmap_mode="r"))
    shapes = [np.load(path, mmap_mode="r").shape for path in files]
    return client, da.concatenate(
        [da.from_delayed(load(path), shape, np.float64) for path, shape in zip(files, shapes, strict=True)]
    )


def sent_by_now() -> float:
    """Bytes through `lo` since the machine began; NaN where the system does not report them."""
    with contextlib.suppress(OSError, StopIteration):
        lines = Path("/proc/net/dev").read_text().splitlines()
        return float(next(line for line in lines if line.strip().startswith("lo:")).split(":")[1].split()[8])
    return float("nan")


def measure(data: str, n: int, iterations: int, way: str) -> dict[str, Any]:
    """One line of the table; called in a child process."""
    from nca_core import parts_of_folder
    from nca_core.objectives.evaluator import Evaluator
    from nca_core.training.config import TrainingConfig
    from nca_core.training.nca import train
    from nca_core.training.warm_up import compile_all

    compile_all()
    X, y = DATA[data](n)
    given, client, data_mb = X, None, X.nbytes / 1e6
    with tempfile.TemporaryDirectory(prefix="nca-parts-") as folder:
        if way != "array":
            write(Path(folder), X)
            client, given = (None, parts_of_folder(folder)[0]) if way == "folder" else on_workers(Path(folder))
            X = X[:100_000].copy()
        before = reset_memory_peak()
        began = time.perf_counter()
        end = train(given, y, TrainingConfig(max_iter=iterations, tol=0.0), measure_accuracy=False)
        seconds = time.perf_counter() - began
        peaks = [memory_peak() - before]
        if client is not None:
            peaks += client.run(memory_peak).values()
        evaluator = Evaluator(given, y)
        first, middle, last = (end.snapshots[k] for k in (0, len(end.snapshots) // 2, -1))

        def cpu() -> np.ndarray:
            return np.array([time.process_time(), *(client.run(time.process_time).values() if client else ())])

        evaluator.evaluate(last.transformation)
        times, sent, used = [], sent_by_now(), cpu()
        for snapshot in (first, middle, last):
            nearby = snapshot.transformation * (1.0 + 1e-9)
            times.append(best_of(1, lambda A=nearby: evaluator.evaluate(A)))
        sent, used = (sent_by_now() - sent) / 3, (cpu() - used) / 3
        if client is not None:
            client.close()
    A, d_Y = last.transformation, np.ones((2, len(X)))
    return {
        "n": n,
        "floor": best_of(3, lambda: (A @ X.T, d_Y @ X)) * n / len(X),
        "evaluation": float(np.mean(times)),
        "summation": "/".join(dict.fromkeys(snapshot.summation for snapshot in end.snapshots)),
        "training": seconds,
        "iterations": len(end.snapshots) - 1,
        "k": f"{first.k_mean_entropy:.0f} → {last.k_mean_entropy:.1f}",
        "mean_p": last.mean_p,
        "cpu": f"{used.sum():.2f} ({used[0] / used.sum():.0%})",
        "travelled": f"{sent / 1e6:,.0f}" if way == "dask" else "–",
        "memory": f"{', '.join(f'{peak:.0f}' for peak in peaks)} (data {data_mb:.0f})",
    }


def sampled(n: int, max_iter: int, d: int, exact: bool) -> dict[str, Any]:
    """A training that begins with batches of rows, or with `exact` one without; called in a child process."""
    from contextlib import nullcontext

    from nca_core.neighbours import choose
    from nca_core.objectives.evaluator import Evaluator
    from nca_core.training.config import TrainingConfig
    from nca_core.training.nca import train
    from nca_core.training.starts import scaled_start
    from nca_core.training.warm_up import compile_all

    if exact:
        choose.MOST_PAIRS = np.inf
    compile_all()
    everything, labels = blobs(n + NEW_ROWS)
    X, y = everything[:n], labels[:n]
    before, began, cpu = reset_memory_peak(), time.perf_counter(), time.process_time()
    path = train(X, y, TrainingConfig(n_components=d, max_iter=max_iter), measure_accuracy=False).snapshots
    last, batched = path[-1], [at for at in path if at.sampled][-1:]
    seconds, cpu, memory = time.perf_counter() - began, time.process_time() - cpu, memory_peak() - before
    with_new, new = Evaluator(everything, labels), [np.arange(n, n + NEW_ROWS)]

    def of_new_rows(A: np.ndarray) -> float:
        return with_new.estimate(A, new, nullcontext).mean_p

    lda = scaled_start(X, y, d, "lda", 0).transformation
    result = {"seconds": seconds, "cpu": cpu, "memory": memory, "mean_p": last.mean_p, "exact": 0}
    result |= {"new": of_new_rows(last.transformation), "lda": max(of_new_rows(c * lda) for c in (1, 2, 4, 8, 16))}
    if batched and not last.sampled:
        A = batched[0].transformation
        share = Evaluator(X, y).evaluate(A).mean_p / last.mean_p
        result |= {"exact": len(path) - 1 - batched[0].iteration, "share": share}
        result["share_new"] = of_new_rows(A) / result["new"]
    return result


def exponent(lines: list[dict[str, Any]], what: str) -> float:
    return float(np.polyfit(np.log([x["n"] for x in lines]), np.log([x[what] for x in lines]), 1)[0])


def main() -> None:
    chosen = options(
        __doc__,
        lambda *task: sampled(*task) if isinstance(task[0], int) else measure(*task),
        sampled=0,
        components=10,
        exact=0,
        largest=1_000_000,
        iterations=60,
        data={"default": list(DATA), "choices": list(DATA)},
        ways={"default": ["array"], "choices": WAYS},
    )
    if chosen.sampled:
        trainings = []
        for exact in (False, True)[: 1 + chosen.exact]:
            x = in_a_child(__file__, chosen.sampled, chosen.iterations, chosen.components, exact)
            trainings.append(x)
            print(
                f"{chosen.sampled:,} rows, D = 50, d = {chosen.components}{', all exact' if exact else ''}: "
                f"{x['cpu'] / 2:.0f} s on two idle cores "
                f"({x['cpu']:.0f} CPU s, {x['seconds']:.0f} s now), {x['memory']:.0f} MB; "
                f"f/n {x['mean_p']:.4f}, of {NEW_ROWS:,} new rows {x['new']:.4f} (LDA {x['lda']:.4f})",
                flush=True,
            )
            if x["exact"]:
                print(
                    f"Batches of rows alone: {x['share']:.1%} of the f that {x['exact']} exact iterations more reach, "
                    f"{x['share_new']:.1%} of new rows."
                )
        if chosen.exact:
            first, other = trainings
            print(f"The first reaches {first['mean_p'] / other['mean_p']:.1%} of the f of the exact one.")
        return
    sizes = [n for n in (10_000, 31_623, 100_000, 316_228, 1_000_000) if n <= chosen.largest]
    print(
        "| data | way | n | passes over X, s | evaluation, s | training, s | iterations | K̂ | f/n | summation "
        "| CPU, s (caller) | travels, MB | memory, MB |\n"
        "|---|---|---:|---:|---:|---:|---:|---:|---:|---|---:|---:|---:|"
    )
    for data, way in ((data, way) for data in chosen.data for way in chosen.ways):
        lines = []
        for n in sizes:
            x = in_a_child(__file__, data, n, chosen.iterations, way)
            lines.append(x)
            print(
                f"| {data} | {way} | {n:,} | {x['floor']:.4f} | {x['evaluation']:.3f} | {x['training']:.1f} "
                f"| {x['iterations']} | {x['k']} | {x['mean_p']:.4f} | {x['summation']} | {x['cpu']} "
                f"| {x['travelled']} | {x['memory']} |",
                flush=True,
            )
        if len(lines) > 1:
            slopes = " | ".join(f"{exponent(lines, what):.2f}" for what in ("floor", "evaluation", "training"))
            print(f"| {data} | {way} | exponent | {slopes} | | | | | | |")


if __name__ == "__main__":
    main()

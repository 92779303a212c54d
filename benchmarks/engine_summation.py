"""The three summation methods against each other, over shapes, n, d and K̂: CPU time of sums and gradient.

    python benchmarks/engine_summation.py [--smallest 1000] [--largest 30000] [--dimensions 1 2 3 6] [--classes 10 1000]

Points lie evenly in a cube whose size gives about the K̂ that is asked for, or in a Gaussian or Cauchy cloud of about
that size, in classes at random. More than three components have no spectral method. Beyond --dense-up-to points the
dense method takes minutes and is left out. The last column is the time of the method that would be chosen against the
best of those that were measured; lines where that is above 1.3 are named again at the end. How exact the methods are is
a matter of tests: `nca_core/neighbours/__init__.py` lists them.
"""

import time
from itertools import product

import numpy as np
from common import options

from nca_core.neighbours.base.sums import Classes
from nca_core.neighbours.base.threads import one_blas_thread
from nca_core.neighbours.choose import SUMMATION_METHODS, summed_by
from nca_core.neighbours.grid.spectral import Groups
from nca_core.training.warm_up import compile_all

SHAPES = {
    "cube": lambda rng, d, n, side: rng.uniform(0, side, (d, n)),
    "gaussian": lambda rng, d, n, side: rng.normal(0, side / 3, (d, n)),
    "tails": lambda rng, d, n, side: side / 3 * rng.standard_cauchy((d, n)),
}
SKIPPED_AT = 10.0  # seconds that the spectral method is expected to take
MOST_TIMES_THE_BEST = 1.3
_SECONDS_FOR_A_LINE = 0.3
MOST_NEIGHBOURS = 3e8  # pairs of neighbours beyond which the truncated method takes long


@one_blas_thread()  # as within an evaluation: threads of BLAS that wait would count as well
def evaluate(method: str, Y: np.ndarray, classes: Classes) -> tuple[float, float]:
    """CPU seconds of sums and the gradient of f in Y, the best of several, and K̂."""
    best, spent = np.inf, 0.0
    for turn in range(12):
        if turn > 1 and spent > _SECONDS_FOR_A_LINE:
            break
        began = time.process_time()
        sums = SUMMATION_METHODS[method](Y, classes, False)
        p = np.exp(sums.sums.log_p)
        sums.gradient(p, -p)
        taken = time.process_time() - began
        best, spent = min(best, taken), spent + taken
    return best, float(np.exp(sums.sums.entropy.mean()))


def main() -> None:
    chosen = options(
        __doc__,
        smallest=1_000,
        largest=100_000,
        dense_up_to=30_000,
        dimensions={"default": (1, 2, 3, 6), "choices": tuple(range(1, 14))},
        classes=(10, 1_000),
        shapes={"default": tuple(SHAPES), "choices": tuple(SHAPES)},
    )
    compile_all()
    rng = np.random.default_rng(0)
    times = " | ".join(f"{method}, ms" for method in SUMMATION_METHODS)
    print(f"| shape | d | n | classes | K̂ | {times} | chosen | times the best |")
    print("|---|---:|---:|---:|---:|" + "---:|" * len(SUMMATION_METHODS) + "---|---:|")
    worse = []
    sizes = (1_000, 2_500, 10_000, 30_000, 100_000, 300_000, 1_000_000)
    for shape, d, n, n_classes, k in product(
        chosen.shapes, chosen.dimensions, sizes, chosen.classes, (3, 30, 300, 3_000)
    ):
        if not chosen.smallest <= n <= chosen.largest or n_classes > n / 2 or k > n / 4:
            continue
        Y = SHAPES[shape](rng, d, n, (n * (np.pi * np.e) ** (d / 2) / k) ** (1 / d))
        classes = Classes.of(np.sort(rng.integers(0, n_classes, n)))
        groups = Groups.of(Y, classes) if d <= 3 else None
        left_out = {
            "dense": n > chosen.dense_up_to,
            "truncated": n * k > MOST_NEIGHBOURS,
            "spectral": groups is None or groups.cost > SKIPPED_AT * 1e9 or not groups.fit,
        }
        results = {method: evaluate(method, Y, classes) for method in SUMMATION_METHODS if not left_out[method]}
        if not results:
            continue
        method, against_best = summed_by("auto", Y, classes, False).name, "-"
        if method in results:
            times_best = results[method][0] / min(seconds for seconds, _ in results.values())
            against_best = f"{times_best:.2f}"
            if times_best > MOST_TIMES_THE_BEST:
                worse.append(f"{shape} d = {d} n = {n:,} {n_classes} classes K = {k}: {method}, {against_best}")
        shown = [f"{1e3 * results[name][0]:.1f}" if name in results else "-" for name in SUMMATION_METHODS]
        k_found = next(iter(results.values()))[1]
        cells = [shape, f"{d}", f"{n:,}", f"{n_classes:,}", f"{k_found:.1f}", *shown, method, against_best]
        print(f"| {' | '.join(cells)} |", flush=True)
    print("\n".join([f"chosen at more than {MOST_TIMES_THE_BEST} times the best: {len(worse)} lines", *worse]))


if __name__ == "__main__":
    main()

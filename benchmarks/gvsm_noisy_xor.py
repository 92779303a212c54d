"""Figures 3 and 4 of the GVSM paper: errors on noisy XOR by the correlation of its noise.

`python benchmarks/gvsm_noisy_xor.py [--draws 20] [--correlations 0 0.5 0.9 0.95]`. 100 training and 1,000 test points,
D = 8. The paper does not say its K; this is K = 10, Lowe's. Of figure 4 the deviations are those of the text.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from datasets.generators.noisy_xor import noisy_xor
from nca_core import VariableKernelClassifier

RULES = {"untrained": "none", "VSM": "diagonal", "GVSM": "full"}
LEVELS = {"figure 3": (0.3, 0.5), "figure 4": (0.55, 0.7)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draws", type=int, default=20)
    parser.add_argument("--correlations", type=float, nargs="+", default=[0.0, 0.5, 0.9, 0.95])
    asked = parser.parse_args()
    print(f"Error on 1,000 test points, mean of {asked.draws} draws (seeds from 0) and its standard error; K = 10.\n")
    print("| level | correlation | " + " | ".join(RULES) + " |\n|" + "---|" * (2 + len(RULES)))
    for level, (bits, noise) in LEVELS.items():
        for correlation in asked.correlations:
            cells = []
            for metric in RULES.values():
                errors = [_error(metric, bits, noise, correlation, seed) for seed in range(asked.draws)]
                spread = np.std(errors, ddof=1) / np.sqrt(len(errors)) if len(errors) > 1 else np.nan
                cells.append(f"{np.mean(errors):.3f} ± {spread:.3f}")
            print(f"| {level} | {correlation:g} | " + " | ".join(cells) + " |", flush=True)


def _error(metric: str, bits: float, noise: float, correlation: float, seed: int) -> float:
    data = noisy_xor(1100, bits, noise, correlation, random_state=seed)
    rule = VariableKernelClassifier(metric, r=1.0 if metric == "none" else None)
    return 1.0 - float(rule.fit(data.X[:100], data.y[:100]).score(data.X[100:], data.y[100:]))


if __name__ == "__main__":
    main()

"""How long a whole training of full-rank MCML takes, live: `python benchmarks/mcml_training.py [--sets wine digits]`.

Standardised features, λ = 1, until the duality gap ends it; with the snapshots and accuracies that the stage shows.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

import numpy as np
from sklearn.datasets import load_digits, load_wine

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from nca_core.mcml.train import train_mcml
from nca_core.training import TrainingConfig

SETS = {"wine": load_wine, "digits": load_digits}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sets", nargs="+", default=list(SETS), choices=SETS)
    for name in parser.parse_args().sets:
        X, y = SETS[name](return_X_y=True)
        spread = X.std(axis=0)
        X = (X - X.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
        came: list[float] = []
        began = time.perf_counter()
        config = TrainingConfig(n_components=2, regularisation=1.0, max_iter=500)
        end = train_mcml(X, y, config, lambda snapshot, came=came: came.append(time.perf_counter()))
        took = time.perf_counter() - began
        waited = float(np.max(np.diff([began, *came])))
        print(
            f"{name}: n = {len(X):,}, D = {X.shape[1]}: {took:.2f} s, {len(came)} snapshots, the longest wait for one"
        )
        print(f"  {waited:.2f} s. {end.reason}", flush=True)


if __name__ == "__main__":
    main()

"""pyDML's table for MCML again: 3-NN accuracy, ten folds, features scaled to [0, 1], all dimensions.

    python benchmarks/mcml_against_pydml.py FOLDER [--sets balance iris wine ionosphere digits] [--regularisation 0.1]

FOLDER holds balance.csv and ionosphere.csv, whose last column is `label`; the others come with scikit-learn. Digits
take minutes. Each accuracy comes with its standard error over the folds, and whether the published one is reached
within two of them.
"""

from __future__ import annotations

import argparse
import sys
import time
import warnings
from pathlib import Path

import numpy as np
from sklearn.datasets import load_digits, load_iris, load_wine
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from nca_core import MCML

PUBLISHED = {"balance": 0.874, "ionosphere": 0.863, "iris": 0.947, "wine": 0.983, "digits": 0.969}
_OURS = {"iris": load_iris, "wine": load_wine, "digits": load_digits}


def table(name: str, folder: Path) -> tuple[np.ndarray, np.ndarray]:
    """(X, y) of a data set of the table."""
    if name in _OURS:
        return _OURS[name](return_X_y=True)
    import pandas as pd

    frame = pd.read_csv(folder / f"{name}.csv")
    return frame.drop(columns="label").to_numpy(float), frame["label"].to_numpy(str)


def accuracy(X: np.ndarray, y: np.ndarray, regularisation: float) -> tuple[float, float]:
    """Mean 3-NN accuracy over ten folds, and its standard error."""
    rule = make_pipeline(MinMaxScaler(), MCML(regularisation=regularisation), KNeighborsClassifier(3))
    folds = StratifiedKFold(10, shuffle=True, random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        scores = cross_val_score(rule, X, y, cv=folds)
    return float(scores.mean()), float(scores.std(ddof=1) / np.sqrt(len(scores)))


def reached(name: str, mean: float, error: float) -> bool:
    """Whether the published accuracy is reached within two standard errors."""
    return mean + 2.0 * error >= PUBLISHED[name]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--sets", nargs="+", choices=list(PUBLISHED), default=["balance", "ionosphere", "iris", "wine"])
    parser.add_argument("--regularisation", type=float, default=0.1)
    asked = parser.parse_args()
    for name in asked.sets:
        began = time.perf_counter()
        mean, error = accuracy(*table(name, asked.folder), asked.regularisation)
        said = "reached" if reached(name, mean, error) else "NOT reached"
        seconds = time.perf_counter() - began
        print(
            f"{name:11} {mean:.3f} ± {error:.3f}, published {PUBLISHED[name]:.3f}: {said} ({seconds:.0f} s)", flush=True
        )


if __name__ == "__main__":
    main()

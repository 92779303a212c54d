"""Train NCA on the sets of the catalogue and keep where it puts the rows that their small pictures show.

python -m study.trained_pictures            all of them
python -m study.trained_pictures rings xor  these
"""

import sys

import numpy as np

from datasets.base.dataset import Dataset
from datasets.base.stratified import stratified_rows
from datasets.catalogue import DATASETS, load_dataset
from datasets.preparation_steps import standardise
from datasets.previews import keep_picture, preview_rows
from nca_core.training.config import TrainingConfig
from nca_core.training.nca import train

_MOST_ROWS = 2_000


def pictured_keys() -> list[str]:
    """The sets that are there without a download."""
    return [key for key, entry in DATASETS.items() if entry.kind in ("bundled", "generator")]


def trained_points(dataset: Dataset) -> np.ndarray:
    """NCA in two dimensions on the standardised rows, at most 2,000 of them, from the best of several starts.

    Returns where it puts the rows that the small picture shows, (n_shown, 2).
    """
    X = standardise(dataset.X).apply(dataset.X)
    rows = stratified_rows(dataset.y, min(_MOST_ROWS, len(X)), np.random.default_rng(0))
    config = TrainingConfig(n_components=2, initialisation="best_of_several", random_state=0)
    A = train(X[rows], dataset.y[rows], config).snapshots[-1].transformation
    return X[preview_rows(dataset)] @ A.T


if __name__ == "__main__":
    for key in sys.argv[1:] or pictured_keys():
        dataset = load_dataset(key)
        path = keep_picture(key, dataset, trained_points(dataset))
        print(f"{path.name}: {path.stat().st_size / 1e3:.1f} kB")

"""Data on which right and wrong differ: classes that overlap, rows without a label, unequal classes."""

from functools import lru_cache

import numpy as np

from datasets.base.dataset import Dataset, Source
from datasets.noise_lab import NoiseConfig
from datasets.preparation import PreparationConfig
from study.compare import compare
from study.panel import PanelRecipe
from study.recipe import Recipe


@lru_cache(maxsize=4)
def overlapping(n: int = 90, numbers: bool = False) -> Dataset:
    """Three classes in six features of different units; every ninth row has no label. With `numbers`, targets too."""
    rng = np.random.default_rng(14)
    y = rng.choice(3, n, p=[0.5, 0.3, 0.2])
    X = rng.normal(size=(n, 6)) * [1.0, 2.0, 0.5, 1.0, 3.0, 1.0]
    X[:, 0] += 1.1 * y
    X[:, 2] += 0.6 * (y == 1)
    codes = y.astype(np.int64)
    codes[::9] = -1
    target = y + rng.uniform(0, 1, n) if numbers else None
    names = tuple(f"x{k}" for k in range(6))
    return Dataset("overlapping", X, codes, names, ("a", "b", "c"), Source("made here"), target=target)


def recipe_of(*panels: PanelRecipe, held_out: float = 0.35, n_components: int = 2, **noise: float) -> Recipe:
    return Recipe(
        noise=NoiseConfig(**noise),  # type: ignore[arg-type]
        preparation=PreparationConfig(held_out_fraction=held_out, random_state=2),
        n_components=n_components,
        panels=panels,
    )


def whole_training(comparison, key: str):
    """The trajectory of a run, with accuracies on its way."""
    run = comparison.new_run(key)
    run.start()
    assert run.wait_for_end(60)
    run.stop()
    return run.trajectory


def compared(*panels: PanelRecipe, dataset: Dataset | None = None, **options):
    """The comparison of these panels on overlapping classes."""
    return compare(recipe_of(*panels, **options), overlapping() if dataset is None else dataset)

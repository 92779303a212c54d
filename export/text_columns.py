"""Columns of text as scikit-learn encodes them: the part of an exported pipeline before the numbers."""

from __future__ import annotations

from itertools import chain, islice, repeat

import numpy as np
import pandas as pd
from sklearn.compose import ColumnTransformer
from sklearn.decomposition import TruncatedSVD
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import OneHotEncoder

from datasets.base.dataset import Category, Dataset


def table_columns(raw: Dataset) -> list[tuple[str, Category | None]]:
    """The columns that the features came from, in their order: a category is one, however many features it makes."""
    first = {category.first: category for category in raw.categories}
    columns: list[tuple[str, Category | None]] = []
    place = 0
    while place < raw.n_features:
        category = first.get(place)
        columns.append((raw.feature_names[place] if category is None else category.name, category))
        place += 1 if category is None else category.width
    return columns


def text_encoder(raw: Dataset, train: np.ndarray) -> ColumnTransformer:
    """A table with the columns of `table_columns` to the features of `raw`, as the training rows encode its texts.

    A text that no row had counts as "other" where there is that level, else its columns are 0. A missing cell is NaN.

    Parameters
    ----------
    raw : Dataset
    train : ndarray of bool, (n_samples,)
    """
    columns = [(str(k), name, category) for k, (name, category) in enumerate(table_columns(raw))]
    cells = {name: [0.0] if category is None else _cells(category, train) for _, name, category in columns}
    n_rows = max(map(len, cells.values()))
    # Filled up with the first cell, a level that is not rare.
    table = pd.DataFrame({name: list(islice(chain(each, repeat(each[0])), n_rows)) for name, each in cells.items()})
    encoder = OneHotEncoder(min_frequency=2, handle_unknown="infrequent_if_exist", sparse_output=False)
    parts = [(key, "passthrough" if category is None else encoder, [name]) for key, name, category in columns]
    made = ColumnTransformer(parts).fit(table)
    for k, (key, name, category) in enumerate(columns):
        if category is not None:
            one_hot = made.named_transformers_[key]
            matrix = category.factors(raw.X)[:, None] * _columns_of_levels(category, one_hot, train)
            both = Pipeline([("levels", one_hot), ("columns", matrix_step(matrix))])
            made.transformers_[k] = (key, both, [name])
    return made


def matrix_step(M: np.ndarray) -> TruncatedSVD:
    """x -> M x, with M (n_out, n_in)."""
    made = TruncatedSVD(n_components=len(M))
    made.components_ = np.array(M)
    made.n_features_in_ = M.shape[1]
    return made


def _cells(category: Category, train: np.ndarray) -> list[object]:
    """Cells to fit an encoder to: each level that is "other" once, each one with a column, or missing, twice."""
    place, names = category.places(train)
    other = names.index(category.other) if category.other else None
    levels = list(zip(category.levels, place.tolist(), strict=True))
    own: list[object] = [level for level, at in levels if at not in (-1, other)]
    if category.missing.any():
        own.append(np.nan)
    return [*own, *own, *(level for level, at in levels if at == other)]


def _columns_of_levels(category: Category, one_hot: OneHotEncoder, train: np.ndarray) -> np.ndarray:
    """Which column of the category, as rows, each output of the encoder becomes, (width, n_outputs) of 0 and 1."""
    place, names = category.places(train)
    column: dict[object, int] = dict(zip(category.levels, place.tolist(), strict=True))
    if category.missing.any():
        column[np.nan] = int(place[category.missing][0])
    rare = set() if one_hot.infrequent_categories_[0] is None else set(one_hot.infrequent_categories_[0])
    outputs = [column[level] for level in one_hot.categories_[0] if level not in rare]
    if rare:
        outputs.append(names.index(category.other))
    return (np.arange(category.width)[:, None] == outputs).astype(float)

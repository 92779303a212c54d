"""Import what the first page needs, before it is opened."""

from __future__ import annotations

import importlib

_HEAVY = (
    "pandas",
    "pyarrow",
    "scipy.linalg",
    "scipy.spatial",
    "scipy.optimize",
    "sklearn.datasets",
    "streamlit.dataframe_util",
    "nca_core.training.nca",
    "nca_core.training.run",
    "nca_core.methods",
    "nca_core.accuracy.votes",
    "datasets.catalogue",
    "datasets.preparation",
    "stage.streamlit_host",
)


def load_heavy_modules() -> None:
    for name in _HEAVY:
        importlib.import_module(name)

"""The imports that the first page needs, done before anybody opens it."""

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
    "nca_core.training",
    "nca_core.run",
    "nca_core.methods",
    "nca_core.accuracy.evaluation",
    "datasets.catalogue",
    "datasets.preparation",
    "pages.stage.component",
)


def load_heavy_modules() -> None:
    for name in _HEAVY:
        importlib.import_module(name)

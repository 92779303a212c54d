"""pyDML's table for MCML: what is quick of it; `python benchmarks/mcml_against_pydml.py` runs the whole."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from benchmarks.mcml_against_pydml import accuracy, reached, table

FOLDER = Path(os.environ.get("NCA_PAPER_DATA", "no folder was named"))


@pytest.mark.parametrize("name", ["iris", "wine", "balance", "ionosphere"])
def test_published_accuracies_are_reached_within_two_standard_errors(name):
    if name in ("balance", "ionosphere") and not (FOLDER / f"{name}.csv").exists():
        pytest.skip(f"{name}.csv is not here; NCA_PAPER_DATA names a folder that holds it")
    mean, error = accuracy(*table(name, FOLDER), 0.1)
    assert reached(name, mean, error)
    assert error < 0.03

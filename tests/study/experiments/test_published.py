"""What is quick of pyDML's table: the numbers of our MCML are the published ones or better."""

from __future__ import annotations

import pytest

from study.experiments import EXPERIMENTS
from study.experiments.base.carry_out import carry_out
from study.experiments.base.data import Data
from study.experiments.base.experiment import MAIN
from study.experiments.base.found import Mean
from study.experiments.base.verdict import verdict_of

PYDML = EXPERIMENTS["pydml"]


@pytest.mark.parametrize("name", ["iris", "wine", pytest.param("balance", marks=pytest.mark.thorough)])
def test_published_accuracies_of_mcml_are_reached(name):
    line = next(line for line in PYDML.lines if line.place == (name, "MCML") and line.variant == MAIN)
    cells = [line.cell.seeded(seed) for seed in range(PYDML.splits)]
    outcomes = tuple(carry_out(cell, Data().of(cell)) for cell in cells)
    values = {seed: outcome.numbers[line.number] for seed, outcome in enumerate(outcomes)}
    found = Mean(line, values, len(values), outcomes)
    assert verdict_of(found, PYDML.published_splits).word in ("agrees", "better")
    assert found.standard_error < 0.03

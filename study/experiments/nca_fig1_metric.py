"""Figure 1 of the NCA paper, upper half: one neighbour in all dimensions."""

from __future__ import annotations

from typing import Any

from study.experiments.base.bars import bars
from study.experiments.base.cell import ALL_FEATURES, Cell
from study.experiments.base.experiment import Claim, Experiment, Line
from study.experiments.base.nca_paper import FEW, SETS, Variant, lines_of

_METHODS = {
    "NCA": "nca",
    "diagonal NCA": "nca_diagonal",
    "RCA": "rca",
    "whitened": "whitening",
    "Euclidean": "euclidean",
}
# A thesis' repetition: random start, conjugate gradients, 40 runs.
_REPEATED = {"balance": 0.934, "ionosphere": 0.862, "iris": 0.951, "wine": 0.954}


def _lines(name: str) -> list[Line]:
    published = (_REPEATED[name],) if name in _REPEATED else ()
    return lines_of(name, _METHODS, ALL_FEATURES, published, _variants(name) if published else (), FEW)


def _variants(name: str) -> list[Variant]:
    data = SETS[name]

    def nca(**more: Any) -> Cell:
        return data.cell("nca", ALL_FEATURES, **more)

    as_there = {"optimiser": "cg"}
    return [
        ("random start, conjugate gradients", nca(start="random", settings=as_there), "test_1nn"),
        (
            "random start, conjugate gradients, not scaled",
            nca(start="random", settings=as_there, scale="none"),
            "test_1nn",
        ),
        ("not scaled", nca(scale="none"), "test_1nn"),
        ("K by leave-one-out", nca(rules=("k_leave_one_out",)), "test_k_leave_one_out"),
        ("objective g", nca(settings={"objective": "g"}), "test_1nn"),
    ]


NCA_FIG1_METRIC = Experiment(
    "nca-fig1-metric",
    "Nearest neighbour by learnt metrics, all dimensions",
    "Goldberger, Roweis, Hinton, Salakhutdinov (2004), figure 1, upper half; numbers of a thesis that repeats it",
    "Accuracy with K = 1; 40 splits of 70/30; of the digits 200 of each class trained on and 500 tested on. Not said: "
    "how features are scaled (standardised here), how housing was cut into classes (three bins of equal frequency "
    "here). The figure has no numbers; those printed are of a thesis (random start, conjugate gradients). Of more "
    "than 2,000 test rows so many are asked.",
    tuple(line for name in SETS for line in _lines(name)),
    tuple(
        Claim(f"NCA not worse than {other} on {name}", (f"{name}, test", "NCA"), (f"{name}, test", other), True)
        for name in SETS
        for other in ("RCA", "whitened", "Euclidean")
    ),
    splits=40,
    published_splits=40,
    figure=bars,
)

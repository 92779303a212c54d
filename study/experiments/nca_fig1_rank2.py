"""Figure 1 of the NCA paper, lower half: one neighbour in two dimensions."""

from __future__ import annotations

from typing import Any

from study.experiments.base.bars import bars
from study.experiments.base.cell import Cell
from study.experiments.base.experiment import Claim, Experiment, Line
from study.experiments.base.nca_paper import FEW, SETS, Variant, lines_of

_METHODS = {"NCA": "nca", "LDA + RCA": "lda_rca", "LDA": "lda", "PCA": "pca"}
# Two repetitions: a thesis (random start, conjugate gradients, 40 runs), and another run.
_REPEATED = {
    "balance": (0.908, 0.927),
    "ionosphere": (0.799, 0.862),
    "iris": (0.949, 0.944),
    "wine": (0.924, 0.967),
}


def _lines(name: str) -> list[Line]:
    return lines_of(name, _METHODS, 2, _REPEATED.get(name, ()), _variants(name), SETS[name].splits or FEW)


def _variants(name: str) -> list[Variant]:
    data = SETS[name]

    def nca(**more: Any) -> Cell:
        return data.cell("nca", 2, **more)

    as_there = {"optimiser": "cg"}
    return [
        ("random start, conjugate gradients", nca(start="random", settings=as_there), "test_1nn"),
        ("not scaled", nca(scale="none"), "test_1nn"),
        ("start from LDA", nca(start="lda"), "test_1nn"),
        ("best of several starts", nca(start="best_of_several"), "test_1nn"),
        ("K by leave-one-out", nca(rules=("k_leave_one_out",)), "test_k_leave_one_out"),
        ("objective g", nca(settings={"objective": "g"}), "test_1nn"),
    ]


NCA_FIG1_RANK2 = Experiment(
    "nca-fig1-rank2",
    "Nearest neighbour in two dimensions",
    "Goldberger, Roweis, Hinton, Salakhutdinov (2004), figure 1, lower half; numbers of two repetitions",
    "Accuracy with K = 1; 40 splits of 70/30; of the digits 200 of each class trained on and 500 tested on. "
    "Standardised, housing in three bins of equal frequency. The figure has no numbers; those printed are of two "
    "repetitions, which differ among themselves by up to 6 points. Of more than 2,000 test rows so many are asked.",
    tuple(line for name in SETS for line in _lines(name)),
    tuple(
        Claim(f"NCA better than {other} on {name}", (f"{name}, test", "NCA"), (f"{name}, test", other))
        for name in SETS
        for other in ("LDA", "PCA")
    ),
    splits=40,
    published_splits=40,
    figure=bars,
)

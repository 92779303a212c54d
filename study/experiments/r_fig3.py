"""Figure 3 of the R report: LDA, QDA, one neighbour and NCA."""

from __future__ import annotations

from study.experiments.base.bars import bars
from study.experiments.base.experiment import Claim, Experiment, Line
from study.experiments.base.r_report import SETS, all_features
from study.splits import FEWEST


def _lines(name: str) -> list[Line]:
    plain = all_features(name, "euclidean", rules=("lda", "qda"))
    nca = all_features(name, "nca", start="whitening")
    best = all_features(name, "nca", start="best_of_several")
    return [
        Line(name, "LDA", plain, "test_lda"),
        Line(name, "QDA", plain, "test_qda"),
        Line(name, "1-NN", plain, "test_1nn"),
        Line(name, "NCA", nca, "test_1nn"),
        Line(name, "NCA", best, "test_1nn", variant="best of several starts", splits=FEWEST, slow=name == "ionosphere"),
    ]


R_FIG3 = Experiment(
    "r-fig3",
    "NCA beside LDA, QDA and one neighbour",
    "The R report, figure 3",
    "Accuracy, K = 1, standardised, ten splits of 90/10 in the place of ten folds. The figure has no numbers; "
    "the report reads from it that NCA never outperforms QDA.",
    tuple(line for name in SETS for line in _lines(name)),
    tuple(Claim(f"QDA not worse than NCA on {name}", (name, "QDA"), (name, "NCA"), True) for name in SETS),
    splits=10,
    published_splits=10,
    figure=bars,
)

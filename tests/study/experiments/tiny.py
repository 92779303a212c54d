"""A small experiment of cells that take milliseconds, with every kind of line; as a program, a run of it."""

import sys

from study.experiments.base.command import main
from study.experiments.base.experiment import ALL_FEATURES, Cell, Claim, Experiment, Line, method_cell

NCA = method_cell("iris", "nca", 0.3, settings={"max_iter": 5}, rules=("lda",), places=True)
PLAIN = method_cell("iris", "euclidean", 0.3, dimensions=ALL_FEATURES, knn=3)
GONE = method_cell("folder:not_here.csv", "pca", 0.3)

TINY = Experiment(
    "tiny",
    "A small table",
    "Nobody (2004), table 1",
    "Accuracy.",
    (
        Line("iris", "Euclidean", PLAIN, "test_knn", (0.95,)),
        Line("iris", "Euclidean", Cell(PLAIN.recipe, knn=5), "test_knn", (0.95,), variant="two features, K = 5"),
        Line("iris", "NCA", NCA, published=(0.0,), error=True),
        Line("iris", "NCA, LDA's rule", NCA, "test_lda"),
    ),
    (Claim("NCA not worse", ("iris", "NCA"), ("iris", "NCA"), equal_will_do=True),),
    splits=4,
    published_splits=4,
)
LONG = Experiment("long", "Many cells", "Nobody", "Accuracy.", (Line("iris", "NCA", NCA),), splits=200)
LACKING = Experiment(
    "lacking", "Half of it", "Nobody", "Accuracy.", (Line("gone", "PCA", GONE), TINY.lines[0]), splits=2
)
ALL = {experiment.key: experiment for experiment in (TINY, LONG, LACKING)}

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], ALL))

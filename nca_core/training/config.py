"""TrainingConfig: how to train, checked in one place."""

from dataclasses import dataclass

from nca_core.features.validation import check_choice, check_n_components
from nca_core.neighbours.similarity import TARGET_SIMILARITIES
from nca_core.objectives import OBJECTIVES
from nca_core.objectives.evaluator import DTYPES, SUMMATIONS
from nca_core.optimisers import OPTIMISERS
from nca_core.training.starts import INITIALISATIONS


@dataclass(frozen=True)
class TrainingConfig:
    """How to train; every choice is a key of its registry."""

    objective: str = "f"  # key of OBJECTIVES
    n_components: int = 2  # d, rows of A
    initialisation: str = "pca"  # key of INITIALISATIONS
    # key of OPTIMISERS. With "l-bfgs" and "stochastic" f is climbed by batches of rows and estimated from a sample
    # where an exact evaluation looks at more than 1e10 pairs: from 100,000 rows on in four or more components
    optimiser: str = "l-bfgs"
    regularisation: float = 0.0  # λ of the penalty −λ‖A‖²
    max_iter: int = 100  # most iterations
    # when the climb ends: see NeighborhoodComponentsAnalysis. Of log f the gain counts as it is, not as a mean; where
    # the climb has gained more than 1, tol is a share of that. By gradient ascent and mini-batches it ends when an
    # iteration gains less than 1e-4 tol of the objective
    tol: float = 1e-5
    random_state: int = 0  # seed of random starts and of the accuracy's sample
    scale_start: bool = True  # scale the start so that its K̂ is sensible
    # "full", or "diagonal" for A = diag(a), one weight for each feature (n_components = n_features)
    shape: str = "full"
    standardise: bool = False  # train on standardised features and fold the scaling back into A
    # key of TARGET_SIMILARITIES, for numeric targets in the place of classes; None for classes
    target_similarity: str | None = None
    # "auto", or a key of SUMMATION_METHODS: how the sums over neighbours are computed; named, all are exact
    summation: str = "auto"
    dtype: str = "float64"  # "float64", or "float32" for half the memory and time of the passes over X

    def check(self, n_features: int) -> None:
        """Check the names and the size of A; ValueError naming the field, its value and what is allowed."""
        check_choice("objective", self.objective, OBJECTIVES)
        check_choice("initialisation", self.initialisation, INITIALISATIONS)
        check_choice("optimiser", self.optimiser, OPTIMISERS)
        check_choice("summation", self.summation, SUMMATIONS)
        check_choice("dtype", self.dtype, DTYPES)
        if self.target_similarity is not None:
            check_choice("target_similarity", self.target_similarity, TARGET_SIMILARITIES)
        check_n_components(self.n_components, n_features)
        check_choice("shape", self.shape, ("full", "diagonal"))
        if self.shape == "diagonal" and self.n_components != n_features:
            raise ValueError(
                f"n_components is {self.n_components}; a diagonal A needs as many as there are features, {n_features}."
            )

    def numbers_in_a_snapshot(self, n_features: int) -> int:
        """How many numbers a snapshot keeps of what is learnt; A has n_components rows."""
        return self.n_components * n_features

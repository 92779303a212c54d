"""The methods that train: NCA and its kin, MCML, variable-kernel metrics, and metric learning for kernel regression."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from nca_core.methods.method import Choice, Method, Real, Setting, Whole
from nca_core.neighbours.similarity import TARGET_SIMILARITIES
from nca_core.objectives import OBJECTIVES
from nca_core.objectives.evaluator import SUMMATIONS
from nca_core.optimisers import FULL_BATCH, OPTIMISERS
from nca_core.training.kernel_regression import train_mlkr
from nca_core.training.mcml import train_mcml
from nca_core.training.nca import train, train_diagonal
from nca_core.training.network import NetworkConfig, initial_coordinates, train_network
from nca_core.training.starts import INITIALISATIONS, SIMPLE_STARTS
from nca_core.training.variable_kernel import VariableKernelConfig, train_variable_kernel

SUMMATION_TITLES = {
    "auto": "the quickest",
    "dense": "dense: every pair",
    "truncated": "truncated: near pairs",
    "spectral": "spectral: over a grid",
}
# Words for select boxes, where there is room for about 22 letters; a key without an entry shows as it is.
TITLES = {
    "f": "f: expected correct",
    "g": "g: log-probability",
    "log_f": "log f",
    "pairs": "all same-class pairs",
    "pair_weights": "pairs, one softmax",
    "l-bfgs": "L-BFGS",
    "bfgs": "BFGS",
    "cg": "conjugate gradients",
    "gradient-ascent": "delta-bar-delta ascent",
    "stochastic": "stochastic (Adam)",
    **SUMMATION_TITLES,
    "gaussian": "closeness of numbers",
    "ranks": "closeness of ranks",
    "same": "equal numbers only",
}


def choice(registry: Mapping[str, Any] | tuple[str, ...]) -> Choice:
    """A choice of the keys of a registry, with display names."""
    return Choice(tuple(registry), tuple(TITLES.get(key, key) for key in registry))


def first(start: str, starts: Iterable[str] = INITIALISATIONS) -> tuple[str, ...]:
    """The starts with that one first, which makes it the default."""
    return (start, *(name for name in starts if name != start))


_trained = partial(Method, kind="trained", starts=first("pca"), needs_labels=True)

NCA = _trained(
    key="nca",
    title="NCA",
    description="Neighbourhood Components Analysis: a point's nearest neighbours come to share its class.",
    formula="max Σ pᵢ,  p_ij ∝ exp(−‖A xᵢ − A xⱼ‖²)",
    train=train,
    settings=(
        Setting(
            "max_iter",
            "Maximal iterations",
            100,
            Whole(1, 2_000, 5),
            "The training ends here, or earlier where nothing improves any more.",
            advanced=False,
        ),
        Setting(
            "target_similarity",
            "Rows match by",
            "gaussian",
            choice(TARGET_SIMILARITIES),
            "Where the label holds numbers, NCA draws together the rows whose numbers are close.",
            advanced=False,
        ),
        Setting(
            "objective",
            "Objective",
            "f",
            choice(tuple(key for key in OBJECTIVES if key != "mcml")),  # which is a method of its own
            "What NCA makes as large as it can. f: the expected number of points that choose a neighbour of their "
            "class (eq. 3 of the paper); log f has the same optimum. g: the log-probability that all points do so "
            "(eq. 6), which minds single points far off. Those of pairs add up "
            "the log-probabilities of all pairs of one class, by a softmax for each point or by one for all (eq. 8).",
        ),
        Setting(
            "optimiser",
            "Optimiser",
            "l-bfgs",
            choice(OPTIMISERS),
            "How A is improved. L-BFGS suits most data; an iteration of the stochastic one is up to 20 steps, each on "
            "a random batch of points.",
        ),
        Setting(
            "regularisation",
            "Penalty λ on ‖A‖²",
            0.0,
            Real(0.0, 1e6, 0.1),
            "Holds the scale of A back, so that K̂ does not run down to 1 on separable classes.",
        ),
        Setting(
            "summation",
            "Sums over neighbours",
            "auto",
            choice(SUMMATIONS),
            "All methods give the same answer; they differ in time. Of a label of numbers, every pair is summed.",
        ),
    ),
)
_OF_NCA = {setting.key: setting for setting in NCA.settings}

NCA_DIAGONAL = _trained(
    key="nca_diagonal",
    title="Diagonal NCA",
    description="NCA that only weighs the features; the weighted rows are shown along their principal axes.",
    formula="max Σ pᵢ,  A = diag(a)",
    train=train_diagonal,
    settings=NCA.settings,
    starts=first("whitening", SIMPLE_STARTS),
    most_features=500,  # distances are in all of them
)

NEURAL_NCA = _trained(
    key="neural_nca",
    title="Neural NCA",
    description="NCA through a network with one hidden layer: the projection is curved, and new rows have places too.",
    formula="max Σ pᵢ,  y = V s(W x + b)",
    train=train_network,
    config_class=NetworkConfig,
    initial_coordinates=initial_coordinates,
    linear=False,
    settings=(
        _OF_NCA["max_iter"],
        _OF_NCA["target_similarity"],
        Setting(
            "n_hidden",
            "Hidden units",
            100,
            Whole(1, 500, 10),
            "More of them bend the projection more, and fit noise more easily; the NCA paper took 100.",
            advanced=False,
        ),
        replace(
            _OF_NCA["regularisation"],
            title="Penalty λ on the weights",
            help="Holds the weights of the network back, and with them how sharply the projection may bend.",
            advanced=False,
        ),
        Setting(
            "units",
            "Hidden units are",
            "logistic",
            Choice(("logistic", "linear"), ("logistic", "linear (as NCA)")),
            "Linear units make the network a matrix: then it finds what NCA finds.",
        ),
        replace(_OF_NCA["objective"], domain=choice(tuple(OBJECTIVES))),
        replace(_OF_NCA["optimiser"], domain=choice(FULL_BATCH), help="How the weights are improved."),
        _OF_NCA["summation"],
    ),
    most_features=5_000,
    penalised="(‖W‖² + ‖V‖²)",
)

MCML_METHOD = _trained(
    key="mcml",
    title="MCML",
    description="Maximally collapsing metric learning: the one metric Q that brings each class nearest to a point; "
    "its leading axes are shown.",
    formula="min Σ KL[p⁰ᵢ ‖ p_Q,ᵢ] + λ tr Q,  Q ⪰ 0",
    train=train_mcml,
    settings=(
        replace(
            _OF_NCA["max_iter"],
            default=200,
            help="The training ends here, or earlier where the duality gap proves that Q is all but the optimum.",
        ),
        Setting(
            "regularisation",
            "Penalty λ on tr Q",
            1.0,
            Real(0.0, 1e6, 0.1),
            "Holds Q back. At 0 no duality gap proves the optimum, and Q runs away on data whose classes can "
            "be brought to points.",
            advanced=False,
        ),
    ),
    most_samples=10_000,
    most_features=500,
    instead="use the low-rank MCML",
    climbed=OBJECTIVES["mcml"].formula,
    penalised="s tr Q",  # s is the mean variance of a feature
)

# Globerson, Roweis (2005), Metric learning by collapsing classes, section 4.
MCML_LOW_RANK = _trained(
    key="mcml_low_rank",
    title="MCML, low rank",
    description="Maximally collapsing metric learning in as many dimensions as are shown: each class comes to a point.",
    formula="max Σᵢ Σⱼ p⁰(j|i) log p_ij over A",
    train=train,
    fixed={"objective": "mcml"},
    settings=tuple(
        _OF_NCA[key] for key in ("max_iter", "target_similarity", "optimiser", "regularisation", "summation")
    ),
    starts=first("lda"),
)

VSM = _trained(
    key="vsm",
    title="VSM",
    description="Variable-kernel similarity metric: a weight for each feature, learnt for a vote whose width follows "
    "the density.",
    formula="min Σ (s − p)², d² = Σ w² (x − c)²",
    train=train_variable_kernel,
    config_class=VariableKernelConfig,
    fixed={"metric": "diagonal"},
    settings=(
        replace(
            _OF_NCA["max_iter"],
            default=60,
            help="The training ends here, or earlier where nothing lowers the error any more.",
        ),
        Setting(
            "n_neighbours",
            "Neighbours that vote (K)",
            10,
            Whole(2, 50),
            "Their weights fall off with distance; the nearer half of them sets the width of the kernel.",
            advanced=False,
        ),
    ),
    most_samples=20_000,
    most_features=300,
    climbed="−Σ (s − p)², leave one out",
)
GVSM = replace(
    VSM,
    key="gvsm",
    title="GVSM",
    description="VSM with a metric that may lie askew: L is upper triangular.",
    formula="min Σ (s − p)², d² = ‖L (x − c)‖²",
    fixed={"metric": "full"},
)

MLKR = _trained(
    key="mlkr",
    title="MLKR",
    description="Metric learning for kernel regression: the mean of its neighbours predicts a row's number best. "
    "Classes are predicted by their shares.",
    formula="min Σ (tᵢ − Σⱼ p_ij tⱼ)²",
    train=train_mlkr,
    settings=(_OF_NCA["max_iter"], _OF_NCA["regularisation"]),
    numbers=True,
    most_samples=10_000,
    climbed="−Σ (t − t̂)²",
)

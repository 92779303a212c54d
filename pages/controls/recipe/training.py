"""Widgets for one training -> TrainingConfig and the pace at which it is shown."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from nca_core.evaluator import SUMMATIONS
from nca_core.initialisation import INITIALISATIONS
from nca_core.neighbours.target_similarity import TARGET_SIMILARITIES
from nca_core.objectives import OBJECTIVES
from nca_core.optimisers import OPTIMISERS
from nca_core.training import TrainingConfig
from pages.controls.base.persistence import IN_ADDRESS
from pages.shared import wording


@dataclass(frozen=True)
class TrainingChoice:
    config: TrainingConfig
    pace: float  # least seconds between two iterations, so that eyes can follow


def choose_training(numeric_label: bool = False) -> TrainingChoice:
    """Where the label was kept as a number, one also says how far two rows match."""
    n_components = st.segmented_control(
        "Dimensions",
        [2, 3],
        default=2,
        required=True,
        format_func=lambda d: f"{d}-D",
        key="explore.dimensions",
        **IN_ADDRESS,
        help="How many dimensions the projections have. In 3-D, drag a panel to turn it.",
    )
    initialisation = st.selectbox(
        "Start from",
        list(INITIALISATIONS),
        index=list(INITIALISATIONS).index("pca"),
        format_func=wording.labelled(wording.INITIALISATIONS),
        key="explore.start",
        **IN_ADDRESS,
        help="NCA climbs from here; different starts can end in different optima.",
    )
    max_iter = st.slider(
        "Maximal iterations",
        5,
        500,
        100,
        5,
        key="explore.iterations",
        **IN_ADDRESS,
        help="The training ends here, or earlier where nothing improves any more.",
    )
    pace = st.segmented_control(
        "Pace",
        list(wording.PACES),
        default="normal",
        required=True,
        key="explore.pace",
        **IN_ADDRESS,
        help="Small data sets train faster than eyes can follow; this slows the iterations down.",
    )
    target_similarity = None
    if numeric_label:
        target_similarity = st.selectbox(
            "Rows match by",
            list(TARGET_SIMILARITIES),
            format_func=wording.labelled(wording.TARGET_SIMILARITIES),
            key="explore.matches",
            **IN_ADDRESS,
            help="The label holds numbers: NCA draws together the rows whose numbers are close.",
        )
    with st.expander("More settings"):
        objective = st.selectbox(
            "Objective",
            list(OBJECTIVES),
            format_func=wording.labelled(wording.OBJECTIVES),
            key="explore.objective",
            **IN_ADDRESS,
            help="What NCA makes as large as it can. f: the expected number of points that choose a neighbour of their "
            "class (eq. 3 of the paper); log f has the same optimum. g: the log-probability that all points do so "
            "(eq. 6), which minds single points far off. pairs: the log-probabilities of all pairs of one class.",
        )
        optimiser = st.selectbox(
            "Optimiser",
            list(OPTIMISERS),
            format_func=wording.labelled(wording.OPTIMISERS),
            key="explore.optimiser",
            **IN_ADDRESS,
            help="How A is improved. L-BFGS suits most data; an iteration of the stochastic one is up to "
            "20 steps, each on a random batch of points.",
        )
        regularisation = st.number_input(
            "Penalty λ on ‖A‖²",
            0.0,
            1e6,
            0.0,
            0.1,
            format="%g",
            key="explore.penalty",
            **IN_ADDRESS,
            help="Holds the scale of A back, so that K̂ does not run down to 1 on separable classes.",
        )
        summation = st.selectbox(
            "Sums over neighbours",
            list(SUMMATIONS),
            format_func=wording.labelled(wording.SUMMATIONS),
            key="explore.sums",
            **IN_ADDRESS,
            help="All methods give the same answer; they differ in time. Label of numbers: always every pair.",
        )
        random_state = st.number_input(
            "Seed",
            0,
            2**31 - 1,
            0,
            1,
            key="explore.seed",
            **IN_ADDRESS,
            help="Of random starts and of the stochastic optimiser: the same seed gives the same training.",
        )
    config = TrainingConfig(
        objective=objective,
        n_components=int(n_components),
        initialisation=initialisation,
        optimiser=optimiser,
        regularisation=float(regularisation),
        max_iter=int(max_iter),
        random_state=int(random_state),
        target_similarity=target_similarity,
        summation=summation,
    )
    return TrainingChoice(config, wording.PACES[pace])

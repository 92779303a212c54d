"""The words on the page for the names in the registries; a name without an entry shows as it is.

The sidebar has room for about 28 letters, an expander in it for 22; longer explanations go to the help.
"""

from nca_core.methods.trained import SUMMATION_TITLES
from nca_core.snapshot import Candidate, Sampled

INITIALISATIONS = {
    "pca": "PCA",
    "lda": "LDA",
    "identity": "identity (first columns)",
    "random": "random normal",
    "uniform": "random uniform",
    "whitening": "whitening Σ^(-1/2)",
    "pooled_whitening": "within-class whitening",
    "auto": "automatic (as scikit-learn)",
    "sample_first": "a sample first, then all",
    "best_of_several": "best of several short runs",
}
PREPROCESSING = {
    "none": "as they are",
    "standardise": "standardise",
    "min-max": "min-max to [0, 1]",
    "robust": "robust (median, quartiles)",
    "whitening": "whitening",
}
SAMPLING = {"stratified": "share by class", "random": "at random"}
SUMMATIONS = {
    **SUMMATION_TITLES,
    "pairwise": "target similarity: every pair",
    "sampled": "sampled: some rows, each over all others",
}
PACES = {"calm": "Calm", "normal": "Normal", "full_speed": "Full speed"}


def estimated(sampled: Sampled | None) -> str:
    """From how many rows f and K̂ are estimated, with standard errors; "" where they are exact."""
    if sampled is None:
        return ""
    errors = f"f/n ± {sampled.mean_p:.1g}, K̂ ± {sampled.k_mean_entropy:.1g}"
    return f"f and K̂ are estimated from {sampled.n_points:,} of {sampled.of:,} rows ({errors})."


WHAT_IT_IS = (
    "Each point is a row, its colour the class. NCA learns a view in which the nearest neighbours of a point share "
    "its class."
)
BEFORE_TRAINING = "Press Train and watch."
HOLLOW_POINTS = "Hollow points are held out: they test the result."
WHY_K_FALLS = (
    "NCA also learns the scale of the view. The larger the scale, the fewer neighbours influence a point; K̂ is "
    "their average number."
)


NO_TABLE_YET = (
    "Drop a table on the field above. You can then check how it was read and change every guess. No table at hand? "
    "*Catalogue* has data sets, and *Draw* lets you paint points."
)


def start_title(start: Candidate) -> str:
    """The title of a start, as in "LDA × 3" for one three times as large as usual."""
    scale = "" if start.scale == 1 else f" × {start.scale:g}"
    return f"{INITIALISATIONS[start.initialisation]}{scale}"

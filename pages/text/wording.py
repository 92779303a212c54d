"""The words on the page for the names in the registries; a name without an entry shows as it is.

In the sidebar there is room for about 28 letters, under an expander for 22; what needs more stands in the help.
"""

from __future__ import annotations

from collections.abc import Callable

from nca_core.methods.nca import SUMMATION_TITLES
from nca_core.snapshot import Candidate

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
SUMMATIONS = {**SUMMATION_TITLES, "pairwise": "target similarity: every pair"}
PACES = {"full_speed": "full speed"}

WHAT_IT_IS = (
    "Each point is a row, its colour the class. NCA learns a view in which the nearest neighbours of a point share "
    "its class."
)
BEFORE_TRAINING = "Press Train and watch."
HOLLOW_POINTS = "Hollow points are held out, to test the view."
WHILE_TRAINING = "The held-out rows will tell whether this works on new rows too."
WHY_K_FALLS = (
    "NCA learns the scale of its view too. The larger it is, the faster the chance of picking a neighbour falls with "
    "distance, and the fewer neighbours a point effectively looks at: that number is K̂."
)


NO_TABLE_YET = (
    "Drop a table on the field above. How it was read, its columns and what each choice costs then stand here, and "
    "every guess can be overruled. No table at hand? *Catalogue* holds sets to explore at once, and on *Draw* you "
    "paint points of your own."
)


def start_title(start: Candidate) -> str:
    """One of several starts, as in "LDA × 3": how much larger than usual it began stands behind its name."""
    scale = "" if start.scale == 1 else f" × {start.scale:g}"
    return f"{INITIALISATIONS[start.initialisation]}{scale}"


def labelled(words: dict[str, str]) -> Callable[[str], str]:
    """A `format_func` for a select box."""
    return lambda name: words.get(name, name)

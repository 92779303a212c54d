"""The words on the page for the names in the registries; a name without an entry shows as it is.

In the sidebar there is room for about 28 letters, under an expander for 22; what needs more stands in the help.
"""

from __future__ import annotations

from collections.abc import Callable

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
    "auto": "the quickest",
    "dense": "dense: every pair",
    "truncated": "truncated: near pairs",
    "spectral": "spectral: non-uniform FFT",
    "pairwise": "target similarity: every pair",
}
PACES = {"full_speed": "full speed"}

HOW_TO_READ = (
    "Each dot is one row of the table; PCA and LDA are fixed, while NCA turns and stretches its view until the "
    "nearest neighbours of a point mostly share its class. The scale is learned too, so the number of neighbours "
    "that a point effectively looks at, K̂, moves along: as classes separate, it falls."
)


NO_TABLE_YET = (
    "Drop a table on the field above. How it was read, its columns and what each choice costs then stand here, and "
    "every guess can be overruled. No table at hand? *Catalogue* holds sets to explore at once, and on *Draw* you "
    "paint points of your own."
)


def labelled(words: dict[str, str]) -> Callable[[str], str]:
    """A `format_func` for a select box."""
    return lambda name: words.get(name, name)

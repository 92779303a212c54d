"""METHODS: key -> Method, everything that yields a projection.

A new method is one file in this folder and one line here; panels, select boxes, tables, links and the contract tests
find it by themselves.
"""

from __future__ import annotations

from nca_core.methods.lda import LDA
from nca_core.methods.lda_rca import LDA_RCA
from nca_core.methods.method import Method
from nca_core.methods.nca import NCA
from nca_core.methods.pca import PCA
from nca_core.methods.random_projection import RANDOM_PROJECTION
from nca_core.methods.tsne import TSNE_METHOD
from nca_core.methods.whitening import WHITENING

_ALL = (
    PCA,
    LDA,
    NCA,
    WHITENING,
    LDA_RCA,
    RANDOM_PROJECTION,
    TSNE_METHOD,
)
METHODS: dict[str, Method] = {method.key: method for method in _ALL}

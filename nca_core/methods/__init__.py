"""METHODS: key -> Method, everything that yields a projection.

A new method is one file in this folder and one line here; panels, select boxes, tables, links and the contract tests
find it by themselves.
"""

from __future__ import annotations

from nca_core.methods.dcv import DCV
from nca_core.methods.euclidean import EUCLIDEAN
from nca_core.methods.factor_analysis import FACTOR_ANALYSIS
from nca_core.methods.ica import ICA
from nca_core.methods.laplacianfaces import LAPLACIANFACES
from nca_core.methods.lda import LDA
from nca_core.methods.lda_rca import LDA_RCA
from nca_core.methods.mcml import MCML_METHOD
from nca_core.methods.mcml_low_rank import MCML_LOW_RANK
from nca_core.methods.method import Method
from nca_core.methods.mlkr import MLKR
from nca_core.methods.nca import NCA
from nca_core.methods.nca_diagonal import NCA_DIAGONAL
from nca_core.methods.neural_nca import NEURAL_NCA
from nca_core.methods.pca import PCA
from nca_core.methods.random_projection import RANDOM_PROJECTION
from nca_core.methods.rca import RCA
from nca_core.methods.tsne import TSNE_METHOD
from nca_core.methods.umap import INSTALLED as UMAP_INSTALLED
from nca_core.methods.umap import UMAP_METHOD
from nca_core.methods.variable_kernel import GVSM, VSM
from nca_core.methods.whitening import WHITENING

_ALL = (
    PCA,
    LDA,
    NCA,
    NCA_DIAGONAL,
    NEURAL_NCA,
    MCML_METHOD,
    MCML_LOW_RANK,
    VSM,
    GVSM,
    MLKR,
    EUCLIDEAN,
    WHITENING,
    RCA,
    LDA_RCA,
    DCV,
    LAPLACIANFACES,
    ICA,
    FACTOR_ANALYSIS,
    RANDOM_PROJECTION,
    TSNE_METHOD,
    *((UMAP_METHOD,) if UMAP_INSTALLED else ()),  # an optional package
)
METHODS: dict[str, Method] = {method.key: method for method in _ALL}

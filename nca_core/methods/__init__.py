"""METHODS: key -> Method, everything that yields a projection.

A new method is one entry in a file of this folder and one line here; panels, select boxes, tables, links and the
contract tests find it by themselves.
"""

from nca_core.methods import solved, trained
from nca_core.methods.method import Method

_ALL = (
    solved.PCA,
    solved.LDA,
    trained.NCA,
    trained.NCA_DIAGONAL,
    trained.NEURAL_NCA,
    trained.MCML_METHOD,
    trained.MCML_LOW_RANK,
    trained.VSM,
    trained.GVSM,
    trained.MLKR,
    solved.EUCLIDEAN,
    solved.WHITENING,
    solved.RCA,
    solved.LDA_RCA,
    solved.DCV,
    solved.LAPLACIANFACES,
    solved.ICA,
    solved.FACTOR_ANALYSIS,
    solved.RANDOM_PROJECTION,
    solved.TSNE_METHOD,
    *((solved.UMAP_METHOD,) if solved.UMAP_INSTALLED else ()),  # an optional package
)
METHODS: dict[str, Method] = {method.key: method for method in _ALL}

"""METHODS: key -> Method, everything that yields a projection.

A new method is one file in this folder and one line here; panels, select boxes, tables, links and the contract tests
find it by themselves.
"""

from nca_core.methods import embeddings, trained, with_labels, without_labels
from nca_core.methods.method import Method

_ALL = (
    without_labels.PCA,
    with_labels.LDA,
    trained.NCA,
    trained.NCA_DIAGONAL,
    trained.NEURAL_NCA,
    trained.MCML_METHOD,
    trained.MCML_LOW_RANK,
    trained.VSM,
    trained.GVSM,
    trained.MLKR,
    without_labels.EUCLIDEAN,
    without_labels.WHITENING,
    with_labels.RCA,
    with_labels.LDA_RCA,
    with_labels.DCV,
    without_labels.LAPLACIANFACES,
    without_labels.ICA,
    without_labels.FACTOR_ANALYSIS,
    without_labels.RANDOM_PROJECTION,
    embeddings.TSNE_METHOD,
    *((embeddings.UMAP_METHOD,) if embeddings.UMAP_INSTALLED else ()),  # an optional package
)
METHODS: dict[str, Method] = {method.key: method for method in _ALL}

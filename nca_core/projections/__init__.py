"""PROJECTIONS: name -> class with fit(X, y), transform(X), `transformation`, `mean` and a `note` for the panel."""

from __future__ import annotations

from nca_core.projections.lda import LDA
from nca_core.projections.nca import NCA
from nca_core.projections.pca import PCA

PROJECTIONS = {"pca": PCA, "lda": LDA, "nca": NCA}

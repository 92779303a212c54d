"""pipeline_of: preparation and projection of a panel as a pipeline of scikit-learn's own classes, nothing refitted.

Their fitted attributes are set to what the page uses, so that the pipeline needs no class of this program.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from sklearn.compose import ColumnTransformer
from sklearn.decomposition import TruncatedSVD
from sklearn.impute import SimpleImputer
from sklearn.kernel_approximation import Nystroem
from sklearn.neighbors import NeighborhoodComponentsAnalysis
from sklearn.neural_network import MLPRegressor
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler

from datasets.preparation_steps import LinearStep, MatrixStep, SelectStep, Step
from export.panel_features import PanelFeatures
from nca_core.kernel_features import KernelFeatures
from nca_core.network import Network
from nca_core.snapshot import Snapshot

_ACTIVATIONS = {"logistic": "logistic", "linear": "identity"}  # names of Network.units as scikit-learn has them


def pipeline_of(
    features: PanelFeatures, transformation: np.ndarray | None, snapshot: Snapshot | None, *, fill_gaps: bool
) -> Pipeline:
    """Rows as they came -> places: `transform` of a matrix, `predict` of a network.

    Parameters
    ----------
    features : PanelFeatures
        How the panel's features are made.
    transformation : ndarray or None
        A, (n_components, n_panel_features); of a network None, as its snapshot has it.
    snapshot : Snapshot or None
        The iteration that is shown, of a training.
    fill_gaps : bool
        Missing values are filled first, as they were in the data.
    """
    steps: list[tuple[str, Any]] = []
    if fill_gaps:
        # Fitted on one row: its medians are that row.
        steps.append(("fill_gaps", SimpleImputer(strategy="median").fit(features.medians[None])))
    for step in features.prepared.steps:
        steps += _of_step(step)
    if features.kernel is not None:
        steps += _of_kernel(features.kernel)
    network = None if snapshot is None else snapshot.network
    if network is not None:
        steps += _of_network(network)
    elif transformation is not None:
        steps.append(("projection", _projection(transformation, snapshot)))
    names = features.prepared.raw.feature_names
    steps[0][1].feature_names_in_ = np.array(names, dtype=object)
    return Pipeline(steps)


def example_rows(features: PanelFeatures) -> pd.DataFrame:
    """The rows as they came, under the names that the pipeline checks."""
    raw = features.prepared.raw
    return pd.DataFrame(raw.X, columns=list(raw.feature_names))


def _of_step(step: Step) -> list[tuple[str, Any]]:
    name = step.name.replace(" ", "_").replace("-", "_")
    if isinstance(step, LinearStep):
        # What is constant is 0 afterwards: anything finite divided by infinity.
        scale = np.divide(1.0, step.scale, out=np.full(len(step.scale), np.inf), where=step.scale != 0.0)
        return [(name, _scaler(step.offset, scale))]
    if isinstance(step, SelectStep):
        chosen = ColumnTransformer([("kept", "passthrough", step.kept.tolist())], remainder="drop")
        return [(name, chosen.fit(np.zeros((1, step.n_in))))]
    assert isinstance(step, MatrixStep)
    found = [(f"{name}_centre", _scaler(step.offset, None)), (name, _matrix(step.down))]
    return found if step.up is None else [*found, (f"{name}_back", _matrix(step.up))]


def _scaler(offset: np.ndarray, scale: np.ndarray | None) -> StandardScaler:
    made = StandardScaler(with_std=scale is not None)
    made.mean_, made.scale_ = np.array(offset), scale
    made.var_ = None if scale is None else scale**2
    made.n_features_in_ = len(offset)
    made.n_samples_seen_ = 1
    return made


def _matrix(M: np.ndarray) -> TruncatedSVD:
    """x -> M x, which is what this class does with its components."""
    made = TruncatedSVD(n_components=len(M))
    made.components_ = np.array(M)
    made.n_features_in_ = M.shape[1]
    return made


def _projection(A: np.ndarray, snapshot: Snapshot | None) -> Any:
    if snapshot is None:
        return _matrix(A)
    made = NeighborhoodComponentsAnalysis(n_components=len(A))
    made.components_ = np.array(A)
    made.n_features_in_ = A.shape[1]
    made.n_iter_ = snapshot.iteration
    return made


def _of_kernel(kernel: KernelFeatures) -> list[tuple[str, Any]]:
    about: dict[str, dict[str, Any]] = {
        "rbf": {"kernel": "rbf", "gamma": 1.0 / (2.0 * kernel.width**2)},
        "polynomial": {"kernel": "polynomial", "gamma": 1.0 / kernel.width**2, "coef0": 1.0, "degree": 3},
        "linear": {"kernel": "linear"},
    }
    made = Nystroem(n_components=kernel.mapping.shape[1], **about[kernel.kernel])
    made.components_ = np.array(kernel.landmarks)
    made.normalization_ = np.array(kernel.mapping.T)
    made.component_indices_ = np.arange(len(kernel.landmarks))
    made.n_features_in_ = kernel.landmarks.shape[1]
    return [("kernel_centre", _scaler(kernel.centre, None)), ("kernel", made)]


def _of_network(network: Network) -> list[tuple[str, Any]]:
    made = MLPRegressor(hidden_layer_sizes=(len(network.W),), activation=_ACTIVATIONS[network.units])
    made.coefs_ = [np.array(network.W.T), np.array(network.V.T)]
    made.intercepts_ = [np.array(network.b), np.zeros(len(network.V))]
    made.n_layers_, made.n_outputs_, made.out_activation_ = 3, len(network.V), "identity"
    made.n_features_in_ = network.W.shape[1]
    return [("units", _scaler(network.centre, network.spread)), ("network", made)]

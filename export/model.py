"""The model of one panel: preparation and projection as a scikit-learn pipeline, as JSON, and as numpy alone."""

import json
from collections.abc import Callable, Generator
from dataclasses import fields
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
from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder, StandardScaler

from datasets.base.dataset import Category, Dataset
from datasets.preparation import Prepared
from datasets.preparation_steps import LinearStep, MatrixStep, SelectStep, Step
from export.entry import Export, ExportProgress, ExportRequest, File, Subject
from nca_core.features.kernels import KERNELS, KernelFeatures
from nca_core.snapshot import Network, Snapshot
from nca_core.training.run import Slot
from study.link import to_link

FORMAT, VERSION = "nca-explorer-model", 1


def _problem(subject: Subject, request: ExportRequest) -> str:
    panel = next((panel for panel in subject.shown if panel.key == request.panel), None)
    if panel is None:
        return "Choose a panel that shows something."
    title = panel.recipe.shown_title
    if panel.recipe.method.kind == "embedding":
        return f"{title} has no model: it can only place the rows it was fitted on."
    if panel.trains and subject.at(panel.key) is None:
        return f"{title} has not been trained yet: press Train."
    if request.form == "py" and not panel.recipe.method.linear:
        return f"{title} is not linear, so it has no matrix; choose the pipeline or JSON."
    if request.form == "py" and panel.recipe.features in KERNELS:
        return f"{title} uses similarities to other rows; choose the pipeline or JSON."
    return ""


def _make(subject: Subject, request: ExportRequest, slot: Slot) -> Generator[ExportProgress, None, None]:
    mime, written = _WRITTEN[request.form]
    yield ExportProgress(0, 1)
    with slot():
        data = written(subject, request.panel)
    yield ExportProgress(1, 1, File(subject.file_name(f"model.{request.form}", request.panel), mime, data))


def _matrix_of(subject: Subject, key: str) -> np.ndarray | None:
    """A over the panel's features; None of a network."""
    panel, snapshot = subject.comparison.panel(key), subject.at(key)
    if not panel.recipe.method.linear:
        return None
    return panel.transformation if snapshot is None else snapshot.transformation


def _json(subject: Subject, key: str) -> bytes:
    """The steps in their order, then y = A x, or kernel or network."""
    panel, snapshot, A = subject.comparison.panel(key), subject.at(key), _matrix_of(subject, key)
    prepared, kernel = subject.comparison.features_of(key)
    raw = prepared.raw
    found: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "data": raw.name,
        "panel": panel.recipe.shown_title,
        "method": panel.recipe.method_key,
        "formula": panel.recipe.method.formula,
        "features": list(raw.feature_names),
        "fill_gaps_with": _medians(prepared).tolist(),
        "categories": [_levels(category, raw, prepared.train) for category in raw.categories],
        "classes": list(raw.class_names),
        "steps": [{"kind": type(step).__name__, **_values(step)} for step in prepared.steps],
    }
    if kernel is not None:
        found["kernel"] = _values(kernel)
    if snapshot is not None:
        numbers = {"mean_p": snapshot.mean_p, "k_mean_entropy": snapshot.k_mean_entropy}
        found |= {"iteration": snapshot.iteration, "shown_at": subject.moment(key)}
        found |= {name: value for name, value in numbers.items() if not np.isnan(value)}
    if A is not None:
        found["A"] = A.tolist()
    elif snapshot is not None and snapshot.network is not None:
        found["network"] = _values(snapshot.network)
    found["recipe"] = to_link(subject.comparison.recipe)
    return json.dumps(found, indent=1, allow_nan=False).encode()


def _levels(category: Category, raw: Dataset, train: np.ndarray) -> dict[str, Any]:
    """A column of text: the features it becomes, and which of these is 1 at each level, from 0."""
    places = category.places(train)[0].tolist()
    levels = dict(zip(category.levels, places, strict=True))
    return {"column": category.name, "features": list(raw.feature_names[category.columns]), "levels": levels}


def _values(part: Any) -> dict[str, Any]:
    """The fields of a dataclass, arrays as lists."""
    values = {field.name: getattr(part, field.name) for field in fields(part)}
    return {name: value.tolist() if isinstance(value, np.ndarray) else value for name, value in values.items()}


def _medians(prepared: Prepared) -> np.ndarray:
    """Of the training rows, to fill gaps, (n_raw_features,)."""
    return np.asarray(np.median(prepared.raw.X[prepared.train], axis=0))


def _table_columns(raw: Dataset) -> list[tuple[str, Category | None]]:
    """The columns that the features came from, in their order: a category is one, however many features it makes."""
    columns: list[tuple[str, Category | None]] = [(name, None) for name in raw.feature_names]
    for category in reversed(raw.categories):  # so that the places of those before stay
        columns[category.columns] = [(category.name, category)]
    return columns


def _text_encoder(raw: Dataset, train: np.ndarray) -> ColumnTransformer:
    """A table with the columns of `_table_columns` to the features of `raw`, as the training rows encode its texts.

    A text that no row had counts as "other" where there is that level, else its columns are 0. A missing cell is NaN.
    """
    columns = _table_columns(raw)
    table = pd.DataFrame({name: [0.0 if category is None else category.levels[0]] for name, category in columns})
    fitted = ColumnTransformer([(str(k), "passthrough", [name]) for k, (name, _) in enumerate(columns)]).fit(table)
    for k, (name, category) in enumerate(columns):
        if category is not None:
            fitted.transformers_[k] = (str(k), _text_columns(category, raw, train, table[[name]]), [name])
    return fitted


def _text_columns(category: Category, raw: Dataset, train: np.ndarray, cell: pd.DataFrame) -> Pipeline:
    """One column of text to those of the category; `cell` is a table of it alone, with any level."""
    place, names = category.places(train)
    unknown = names.index(category.other) if category.other else -1
    missing = place[category.missing][0] if category.missing.any() else unknown
    column = np.array([missing, unknown, *place])  # of each code, from −2 on
    unseen: dict[str, Any] = {"handle_unknown": "use_encoded_value", "unknown_value": -1, "encoded_missing_value": -2}
    levels = np.array([*category.levels, np.nan], dtype=object)
    codes = OrdinalEncoder(categories=[levels], **unseen).fit(cell)
    one_hot = OneHotEncoder(categories=[np.arange(-2.0, len(place))], sparse_output=False).fit([[0.0]])
    matrix = category.factors(raw.X)[:, None] * (np.arange(category.width)[:, None] == column)
    return Pipeline([("codes", codes), ("levels", one_hot), ("columns", _matrix_step(matrix))])


def _matrix_step(M: np.ndarray) -> TruncatedSVD:
    """x -> M x, with M (n_out, n_in)."""
    fitted = TruncatedSVD(n_components=len(M))
    fitted.components_ = np.array(M)
    fitted.n_features_in_ = M.shape[1]
    return fitted


def _pipeline(subject: Subject, key: str) -> bytes:
    """A pipeline from raw rows to places: `transform` of a matrix, `predict` of a network.

    Its columns are those of `_table_columns`: categories as text, all others as numbers.
    """
    from skops.io import dumps  # takes half a second

    prepared, kernel = subject.comparison.features_of(key)
    snapshot, A, raw = subject.at(key), _matrix_of(subject, key), prepared.raw
    steps: list[tuple[str, Any]] = []
    if raw.categories:
        steps.append(("text_columns", _text_encoder(raw, prepared.train)))
    if raw.gaps is not None:
        # Fitted on one row: its medians are that row.
        steps.append(("fill_gaps", SimpleImputer(strategy="median").fit(_medians(prepared)[None])))
    for step in prepared.steps:
        steps += _of_step(step)
    if kernel is not None:
        steps += _of_kernel(kernel)
    if A is not None:
        steps.append(("projection", _projection(A, snapshot)))
    elif snapshot is not None and snapshot.network is not None:
        steps += _of_network(snapshot.network)
    if not raw.categories:
        steps[0][1].feature_names_in_ = np.array(raw.feature_names, dtype=object)
    return bytes(dumps(Pipeline(steps)))


def _of_step(step: Step) -> list[tuple[str, Any]]:
    name = step.name.replace(" ", "_").replace("-", "_")
    if isinstance(step, LinearStep):
        # A constant feature becomes 0: divided by infinity.
        scale = np.divide(1.0, step.scale, out=np.full(len(step.scale), np.inf), where=step.scale != 0.0)
        return [(name, _scaler(step.offset, scale))]
    if isinstance(step, SelectStep):
        chosen = ColumnTransformer([("kept", "passthrough", step.kept.tolist())], remainder="drop")
        return [(name, chosen.fit(np.zeros((1, step.n_in))))]
    assert isinstance(step, MatrixStep)
    found = [(f"{name}_centre", _scaler(step.offset, None)), (name, _matrix_step(step.down))]
    return found if step.up is None else [*found, (f"{name}_back", _matrix_step(step.up))]


def _scaler(offset: np.ndarray, scale: np.ndarray | None) -> StandardScaler:
    fitted = StandardScaler(with_std=scale is not None)
    fitted.mean_, fitted.scale_ = np.array(offset), scale
    fitted.var_ = None if scale is None else scale**2
    fitted.n_features_in_ = len(offset)
    fitted.n_samples_seen_ = 1
    return fitted


def _projection(A: np.ndarray, snapshot: Snapshot | None) -> Any:
    if snapshot is None:
        return _matrix_step(A)
    fitted = NeighborhoodComponentsAnalysis(n_components=len(A))
    fitted.components_ = np.array(A)
    fitted.n_features_in_ = A.shape[1]
    fitted.n_iter_ = snapshot.iteration
    return fitted


def _of_kernel(kernel: KernelFeatures) -> list[tuple[str, Any]]:
    about: dict[str, dict[str, Any]] = {
        "rbf": {"kernel": "rbf", "gamma": 1.0 / (2.0 * kernel.width**2)},
        "polynomial": {"kernel": "polynomial", "gamma": 1.0 / kernel.width**2, "coef0": 1.0, "degree": 3},
        "linear": {"kernel": "linear"},
    }
    fitted = Nystroem(n_components=kernel.mapping.shape[1], **about[kernel.kernel])
    fitted.components_ = np.array(kernel.landmarks)
    fitted.normalization_ = np.array(kernel.mapping.T)
    fitted.component_indices_ = np.arange(len(kernel.landmarks))
    fitted.n_features_in_ = kernel.landmarks.shape[1]
    return [("kernel_centre", _scaler(kernel.centre, None)), ("kernel", fitted)]


def _of_network(network: Network) -> list[tuple[str, Any]]:
    activation = "identity" if network.units == "linear" else network.units
    fitted = MLPRegressor(hidden_layer_sizes=(len(network.W),), activation=activation)
    fitted.coefs_ = [np.array(network.W.T), np.array(network.V.T)]
    fitted.intercepts_ = [np.array(network.b), np.zeros(len(network.V))]
    fitted.n_layers_, fitted.n_outputs_, fitted.out_activation_ = 3, len(network.V), "identity"
    fitted.n_features_in_ = network.W.shape[1]
    return [("units", _scaler(network.centre, network.spread)), ("network", fitted)]


_SCRIPT = '''"""A projection made in NCA Explorer. How the features were prepared is folded in."""

import numpy as np

DATA = {name}
METHOD = {method}
ITERATION = {iteration}  # of its training; None for a method that is solved in one go{moment}
MEAN_P = {mean_p!r}  # expected leave-one-out accuracy of the stochastic rule
K = {k!r}  # exp(mean entropy), the estimate of the number of neighbours
FEATURES = {features}  # what project() takes, in this order; of a category 0 or 1 for each level
PREPARED_BY = {steps}
A = np.array(  # (n_components, n_features), in the units of the features as they came
    {A}
)
SHIFT = np.array({shift})
FILL = np.array({medians})  # takes the place of a missing value (NaN): medians of the training rows


def project(X):
    """Rows X, (n, n_features), to points, (n, n_components); the stage turns these so that its panels match."""
    X = np.asarray(X, dtype=float)
    return np.where(np.isnan(X), FILL, X) @ A.T + SHIFT
'''


def _python(subject: Subject, key: str) -> bytes:
    """A script that projects; users' names are literals in it, so that no name can be code."""
    snapshot, moment, transformation = subject.at(key), subject.moment(key), _matrix_of(subject, key)
    ready = subject.comparison.features_of(key)[0]
    assert transformation is not None
    A = ready.back_to_features(transformation)
    origin = ready.apply(np.zeros((1, ready.raw.n_features)))[0]
    return _SCRIPT.format(
        name=ascii(ready.raw.name),
        method=ascii(subject.titles[key]),
        iteration=None if snapshot is None else snapshot.iteration,
        moment=f"; {moment}" if moment else "",
        mean_p=None if snapshot is None else snapshot.mean_p,
        k=None if snapshot is None else snapshot.k_mean_entropy,
        features=ascii(list(ready.raw.feature_names)),
        steps=ascii([step.sentence for step in ready.steps]),
        A=repr(A.tolist()),
        shift=repr((transformation @ origin).tolist()),
        medians=repr(_medians(ready).tolist()),
    ).encode()


_WRITTEN: dict[str, tuple[str, Callable[[Subject, str], bytes]]] = {
    "skops": ("application/octet-stream", _pipeline),
    "json": ("application/json", _json),
    "py": ("text/x-python", _python),
}


MODEL = Export(
    key="model",
    title="Model: to project new rows",
    description="Preparation and projection of one panel, for rows as they came: the columns of the table, categories "
    "as text, answers on a scale as 1, 2, 3. The pipeline is made of scikit-learn's classes alone and loads without "
    "running code: skops.io.load(file, trusted=[]), with trusted=['numpy.dtype'] where it fills gaps. The Python form "
    "takes a category as columns of 0 and 1.",
    forms={"skops": "scikit-learn pipeline (skops)", "json": "JSON", "py": "Python, numpy alone"},
    make=_make,
    problem=_problem,
    of_panel=True,
)

"""watch: the stage as a notebook widget that moves while an estimator is fitted. plot: one iteration as a figure.

Works where anywidget does: Jupyter, VS Code, Colab, marimo.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from nca_core import UNLABELLED
from nca_core.estimators.base import TrainedEstimator
from nca_core.features.covariance import turned_towards
from nca_core.methods import METHODS
from nca_core.snapshot import Snapshot
from nca_core.training.mcml import truncated
from stage.module_files import MODULE, bundle
from stage.palette import colour_of
from stage.scene import Panel, Scene, align_panels, shown_rows, with_rows
from stage.wire import encode_scene, encode_snapshots

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

_KEY = "fitted"
_NOTEBOOK_CSS = """
.nca-notebook {
  --st-background-color: var(--jp-layout-color0, var(--vscode-editor-background, #ffffff));
  --st-text-color: var(--jp-ui-font-color0, var(--vscode-editor-foreground, #1d2733));
  background: var(--st-background-color); color: var(--st-text-color); padding: 0.6rem;
  font: 14px/1.45 var(--jp-ui-font-family, system-ui, sans-serif);
}
"""


def watch(
    estimator: TrainedEstimator, X: Any, y: Any, *, beside: Sequence[str] = ("pca", "lda"), **fit_params: Any
) -> Any:
    """Fit an estimator on the stage.

    The widget is displayed at once and moves while `fit` runs in this cell. Afterwards it replays and scrubs; points
    can be selected in it.

    Parameters
    ----------
    estimator : TrainedEstimator
        One of `nca_core` with a projection to 2 or 3 dimensions.
    X : array-like of shape (n_samples, n_features)
        Features, dense; of a DataFrame the columns' names are shown.
    y : array-like of shape (n_samples,)
        Class labels.
    beside : sequence of str
        Keys of METHODS to show next to it, computed at once.
    **fit_params
        For `fit`, as `sample_weight`.

    Returns
    -------
    anywidget.AnyWidget
        `selected` has the selected rows; `path` the Snapshots.

    Raises
    ------
    ImportError
        Without anywidget.
    ValueError
        For an estimator without a projection to 2 or 3 dimensions, and whatever `fit` raises.
    """
    from IPython.display import display

    widget = _widget_class()()
    rows: np.ndarray | None = None

    def send_state(state: str, reason: str = "") -> None:
        run = {"run": 1, "state": state, "reason": reason, "starts": [], "min_interval": None}  # at a calm pace
        widget.send({"kind": "runs", "runs": {_KEY: run}})

    def show(snapshot: Snapshot) -> None:
        nonlocal rows
        snapshot = _on_stage(snapshot, estimator, X, widget.path)
        if not widget.path:
            scene = fitted_scene(snapshot, X, y, type(estimator).__name__, beside)
            rows = shown_rows(scene)
            widget.send({"kind": "scene"}, [encode_scene(with_rows(scene, rows))])
            send_state("running")
        widget.path = (*widget.path, snapshot)
        placed = None if snapshot.coordinates is None else rows
        widget.send({"kind": "snapshots"}, [encode_snapshots([snapshot], panel=len(beside), rows=placed)])

    display(widget)
    with estimator.observed_by(show):
        estimator.fit(X, y, **fit_params)
    send_state("ended", getattr(estimator, "reason_", ""))
    return widget


def plot(estimator: TrainedEstimator, X: Any, y: Any, iteration: int = -1) -> Figure:
    """Draw the projection at one iteration of an estimator that was fitted with `keep_path=True`.

    Parameters
    ----------
    estimator : TrainedEstimator
        Fitted.
    X, y
        The rows that it was fitted on.
    iteration : int
        Number of the iteration, or −1 for the last.

    Returns
    -------
    plotly.graph_objects.Figure
        A scatter plot with a trace for each class.
    """
    import plotly.graph_objects as go

    path = fitted_path(estimator, X)
    snapshot = path[-1] if iteration < 0 else next((at for at in path if at.iteration == iteration), None)
    if snapshot is None:
        raise ValueError(f"There is no iteration {iteration}; the last one is {path[-1].iteration}.")
    names, codes = _classes(y)
    A = snapshot.transformation
    Y = np.asarray(X, dtype=np.float64) @ A.T if snapshot.coordinates is None else snapshot.coordinates
    scatter, size = (go.Scatter3d, 4) if Y.shape[1] == 3 else (go.Scattergl, 7)
    figure = go.Figure()
    for code in [*range(len(names)), *([-1] if (codes < 0).any() else [])]:
        places = dict(zip("xyz", Y[codes == code].T, strict=False))
        marker = {"color": colour_of(code, dark=False), "size": size}
        name = names[code] if code >= 0 else "unlabelled"
        figure.add_trace(scatter(**places, mode="markers", name=name, marker=marker))
    title = f"Iteration {snapshot.iteration}"
    if np.isfinite(snapshot.mean_p):
        title += f": f/n {snapshot.mean_p:.2f}, K̂ {snapshot.k_mean_entropy:.1f}"
    figure.update_layout(title=title, template="plotly_white")
    if Y.shape[1] == 2:
        figure.update_yaxes(scaleanchor="x")
    return figure


def fitted_path(estimator: TrainedEstimator, X: Any) -> tuple[Snapshot, ...]:
    """The recorded iterations of an estimator that was fitted on rows X.

    Raises ValueError where it was not fitted with `keep_path=True`, or has not 2 or 3 dimensions.
    """
    path: tuple[Snapshot, ...] = ()
    for snapshot in getattr(estimator, "path_", ()):
        path = (*path, _on_stage(snapshot, estimator, X, path))
    if not path:
        raise ValueError(f"{type(estimator).__name__} has no path_: fit it with keep_path=True.")
    return path


def fitted_scene(first: Snapshot, X: Any, y: Any, title: str, beside: Sequence[str]) -> Scene:
    """The scene of one training, from its first snapshot, with closed-form methods next to it."""
    names = tuple(map(str, getattr(X, "columns", ())))
    X = np.asarray(X, dtype=np.float64)
    names = names or tuple(f"feature {k + 1}" for k in range(X.shape[1]))
    class_names, codes = _classes(y)
    labelled = codes >= 0
    if first.coordinates is None:
        live, d = Panel(_KEY, title, first.transformation, live=True), len(first.transformation)
    else:
        live, d = Panel(_KEY, title, first.coordinates, kind="coordinates", live=True), first.coordinates.shape[1]
    panels = []
    for key in beside:
        if key not in METHODS:
            raise ValueError(f"beside has {key!r}; the names are: {', '.join(METHODS)}.")
        method = METHODS[key]
        if method.kind != "solved" or method.fit is None:
            raise ValueError(f"beside has {key!r}, which is not computed in closed form.")
        fitted = method.fit(X[labelled], codes[labelled], d, 0)
        panels.append(Panel(key, method.title, fitted.transformation, note=fitted.note))
    return Scene(
        features=(X,),
        labels=codes,
        class_names=class_names,
        hover=X,
        hover_names=names,
        row_numbers=np.arange(len(X)),
        held_out=np.zeros(len(X), dtype=bool),
        panels=align_panels((X,), (*panels, live)),
        n_components=d,
        feature_names=names if len(names) <= 30 else (),
    )


def _on_stage(snapshot: Snapshot, estimator: TrainedEstimator, X: Any, before: tuple[Snapshot, ...]) -> Snapshot:
    """The snapshot with as many rows as the estimator keeps, which are 2 or 3, turned towards the one before."""
    A = snapshot.transformation
    d = snapshot.coordinates.shape[1] if snapshot.coordinates is not None else len(A)
    wanted = getattr(estimator, "n_components", None) or d
    if min(d, wanted) not in (2, 3):
        raise ValueError(f"This projection has {min(d, wanted)} dimensions; the stage shows 2 or 3. Set n_components.")
    if snapshot.coordinates is not None:
        return snapshot
    X = np.asarray(X, dtype=np.float64)
    if A.shape[1] != X.shape[1]:
        raise ValueError(f"This projection is of {A.shape[1]} kernel features; the stage shows projections of X.")
    if d > wanted:  # MCML of full rank: the leading axes of its metric
        A = truncated(A.T @ A, wanted)[0]
        A = turned_towards(A, before[-1].transformation, X - X.mean(axis=0)) if before else A
    return replace(snapshot, transformation=A)


def _classes(y: Any) -> tuple[tuple[str, ...], np.ndarray]:
    """Names of the classes, and each row's code, −1 without a label."""
    y = np.asarray(y)
    unlabelled = y == UNLABELLED if y.dtype.kind in "iu" else np.zeros(len(y), dtype=bool)
    names, codes = np.unique(y[~unlabelled], return_inverse=True)
    found = np.full(len(y), -1, dtype=np.int64)
    found[~unlabelled] = codes
    return tuple(map(str, names)), found


@lru_cache(maxsize=1)
def _widget_class() -> type[Any]:
    try:
        import anywidget
        import traitlets
    except ImportError:
        raise ImportError(
            "The stage in a notebook needs anywidget; install it: pip install 'nca-explorer[notebook]'."
        ) from None

    class StageWidget(anywidget.AnyWidget):
        """The stage; `selected` holds the numbers of the selected rows."""

        _esm = bundle(MODULE / "notebook.js", default="widget")
        _css = (MODULE / "stage.css").read_text(encoding="utf-8") + _NOTEBOOK_CSS
        selected = traitlets.List(traitlets.Int()).tag(sync=True)
        path: tuple[Snapshot, ...] = ()

    return StageWidget

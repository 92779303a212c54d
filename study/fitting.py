"""Fitting of one panel: a projection is solved, a training gets its start."""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from datasets.base.dataset import UNLABELLED, Dataset
from datasets.base.errors import DataError
from datasets.drawn import on_the_board
from datasets.preparation import Prepared
from nca_core.snapshot import Snapshot
from nca_core.training.config import TrainingConfig
from nca_core.training.starts import TRAINED_INITIALISATIONS, scaled_start
from nca_core.training.train import slices_of
from study.panel import PanelRecipe


@dataclass(frozen=True)
class FittedPanel:
    """One panel of a comparison."""

    recipe: PanelRecipe
    X: np.ndarray  # (n_samples, n_panel_features); features of all rows
    y: np.ndarray  # (n_samples,); the labels that the method sees, negative for none
    target: np.ndarray | None = None  # (n_samples,); numeric labels that a training sees instead of classes
    # (n_components, n_panel_features); A as fitted; of a method that trains, its start
    transformation: np.ndarray | None = None
    # (n_samples, n_components); coordinates, of a method without a matrix; of one that trains, at its start
    embedding: np.ndarray | None = None
    config: TrainingConfig | None = None  # of a method that trains
    seconds: float = 0.0  # time of the fit of a solved method
    note: str = ""  # a remark on what was fitted
    problem: str = ""  # why the method cannot run on these data, or that it waits; "" if it can be shown
    waits: bool = False  # `study.embed` fits it later, as that takes seconds
    broken_off: bool = False  # its fit was ended from outside, so that another try may succeed

    @property
    def key(self) -> str:
        return self.recipe.key

    @property
    def trains(self) -> bool:
        """Whether there is something to train."""
        return self.config is not None and not self.problem

    def projected(self, at: Snapshot | None = None) -> np.ndarray:
        """All rows, (n_samples, n_components), projected at an iteration of the training, or as fitted."""
        if at is not None:
            return self.X @ at.transformation.T if at.coordinates is None else at.coordinates
        if self.transformation is not None:
            return self.X @ self.transformation.T
        if self.embedding is None:
            raise ValueError(f"{self.key} projects nothing: {self.problem}")
        return self.embedding


def fit_panel(
    recipe: PanelRecipe,
    n_components: int,
    prepared: Prepared,
    features: Callable[[str], np.ndarray],
    before: list[FittedPanel],
    apart: bool = False,
) -> FittedPanel:
    """Fit the panel, or find its start; with `apart`, one that takes seconds is left waiting.

    `features` gives the features of all rows by their key, `before` has the panels that it may start from.
    """
    method = recipe.method
    y, target = labels_seen(recipe, prepared)
    panel = FittedPanel(recipe, prepared.dataset.X, y, target if method.takes_numbers else None)
    try:
        panel = replace(panel, X=features(recipe.features))
    except DataError as error:  # of features prepared otherwise than the recipe says
        return replace(panel, problem=str(error))
    seen = prepared.train | (method.kind == "embedding")  # which has no place for rows that it is not fitted to
    X, labels = panel.X[seen], np.where(prepared.train, y, UNLABELLED)[seen]  # held-out labels stay hidden
    problem = method.problem(X, labels, n_components)
    if problem:
        return replace(panel, problem=problem)
    if apart and method.kind == "embedding":
        return as_waiting(panel)
    try:
        if method.kind == "trained":
            return _start(panel, X, n_components, prepared, before)
        return _fit(panel, X, labels, n_components, prepared.dataset)
    except (ValueError, np.linalg.LinAlgError) as error:
        return replace(panel, problem=f"{method.title} cannot be computed on these data: {error}")


def as_waiting(panel: FittedPanel) -> FittedPanel:
    """The panel as one that `study.embed` is to fit."""
    problem = f"{panel.recipe.method.title} is being computed; it appears here by itself."
    return replace(panel, waits=True, problem=problem, broken_off=False)


def labels_seen(recipe: PanelRecipe, prepared: Prepared) -> tuple[np.ndarray, np.ndarray | None]:
    """(class codes, numeric labels or None), each (n_samples,), that the method of a panel sees.

    A permutation goes over all labelled rows, held-out ones too, so that both halves are equally wrong.
    """
    y, target = prepared.dataset.y, prepared.dataset.target
    if recipe.labels == "none":
        return np.full_like(y, UNLABELLED), None
    if recipe.labels == "shuffled":
        drawn, labelled = np.arange(len(y)), np.flatnonzero(y >= 0)
        drawn[labelled] = np.random.default_rng(recipe.random_state).permutation(labelled)
        y, target = y[drawn], None if target is None else target[drawn]
    return y, target


def _fit(panel: FittedPanel, X: np.ndarray, labels: np.ndarray, n_components: int, dataset: Dataset) -> FittedPanel:
    """The panel with the matrix from the rows X, or where there is no matrix with their coordinates."""
    recipe, method = panel.recipe, panel.recipe.method
    assert method.fit is not None
    began = time.perf_counter()
    fitted = method.fit(X, labels, n_components, recipe.random_state, **recipe.all_settings())
    seconds = time.perf_counter() - began
    A = fitted.transformation
    return replace(
        panel,
        transformation=on_the_board(A, dataset) if method.key == "pca" and A is not None else A,
        embedding=fitted.embedding,
        seconds=seconds,
        note=fitted.note,
    )


def _start(
    panel: FittedPanel, X: np.ndarray, n_components: int, prepared: Prepared, before: list[FittedPanel]
) -> FittedPanel:
    recipe, rows = panel.recipe, prepared.train
    frame = recipe.frame
    name = recipe.method.starts[0] if frame is not None else recipe.start_name
    config = recipe.method.config(n_components, name, recipe.random_state, recipe.all_settings())
    if panel.target is None:
        config = replace(config, target_similarity=None)
    panel = replace(panel, config=config)
    codes = panel.y[rows] if panel.target is None else slices_of(panel.target[rows])
    if frame is not None:
        source = {other.key: other for other in before}[frame.panel]
        if source.problem:
            return replace(panel, problem=f"It starts from {source.recipe.shown_title}, which cannot run here.")
        A, note = source.transformation, f"Starts from iteration {frame.iteration} of {source.recipe.shown_title}"
        if frame.iteration > 0 or source.recipe.frame is not None or source.recipe.start in TRAINED_INITIALISATIONS:
            note += ", as it is when this training begins"
        note += "."
    else:
        # A start that takes training is found in the thread of the run; until then PCA is shown.
        later = name in TRAINED_INITIALISATIONS
        first = "pca" if later else name
        A = scaled_start(X, codes, n_components, first, recipe.random_state).transformation
        if first == "pca":
            A = on_the_board(A, prepared.dataset)
        note = "Before the training PCA is shown; the training begins with a search for its start." if later else ""
    places = recipe.method.initial_coordinates  # of a nonlinear method: the rows as it projects them from A
    if places is None or A is None:
        return replace(panel, transformation=A, note=note)
    return replace(panel, embedding=places(X, codes, config, A, panel.X), note=note)

"""compare: a recipe and its data -> a Comparison: what is solved in one go is fitted, what trains can be run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from datasets.counted import counted
from datasets.dataset import Dataset
from datasets.errors import DataError
from datasets.noise_lab import add_noise
from datasets.preparation import Prepared, prepare
from nca_core.initialisation import TRAINED_INITIALISATIONS, start_transformation
from nca_core.kernel_features import fit_kernel_features
from nca_core.methods.method import facts_of
from nca_core.run import Slot, TrainingRun
from nca_core.snapshot import Trajectory
from nca_core.supervision import slices_of
from nca_core.training import TrainingConfig
from study.panel import PREPARED, PanelRecipe
from study.recipe import Recipe

MOST_HISTORY_BYTES = 512_000_000  # of all the matrices that the runs of one comparison may leave behind

# (panel's key, iteration) -> A at that iteration, or None where that run has not come so far.
Frames = Callable[[str, int], np.ndarray | None]


@dataclass(frozen=True)
class Compared:
    """One panel of a comparison.

    Attributes
    ----------
    recipe : PanelRecipe
        What it was made from.
    X : ndarray of shape (n_samples, n_panel_features)
        What the method is fed, all rows: the prepared features or kernel features of them.
    y : ndarray of shape (n_samples,)
        The labels that the method sees, negative for unlabelled.
    target : ndarray of shape (n_samples,) or None
        Numeric labels that a training sees in the place of classes.
    transformation : ndarray of shape (n_components, n_panel_features) or None
        A as fitted; of a method that trains, its start.
    embedding : ndarray of shape (n_samples, n_components) or None
        Coordinates, of a method without a matrix.
    config : TrainingConfig or None
        Of a method that trains.
    note : str
        A remark on what was fitted.
    problem : str
        Why the method cannot run on these data; empty where it can.
    """

    recipe: PanelRecipe
    X: np.ndarray
    y: np.ndarray
    target: np.ndarray | None = None
    transformation: np.ndarray | None = None
    embedding: np.ndarray | None = None
    config: TrainingConfig | None = None
    note: str = ""
    problem: str = ""

    @property
    def key(self) -> str:
        return self.recipe.key

    @property
    def trains(self) -> bool:
        """Whether there is something to train."""
        return self.config is not None and not self.problem

    def projected(self, transformation: np.ndarray | None = None) -> np.ndarray:
        """The places of all rows, (n_samples, n_components), by `transformation` or else as fitted."""
        A = self.transformation if transformation is None else transformation
        if A is not None:
            return self.X @ A.T
        if self.embedding is None:
            raise ValueError(f"{self.key} projects nothing: {self.problem}")
        return self.embedding


@dataclass(frozen=True)
class Comparison:
    """A recipe carried out: the same prepared rows in every panel.

    Attributes
    ----------
    recipe : Recipe
        What it was made from.
    dataset : Dataset
        The data as they came, before the noise lab.
    prepared : Prepared
        The rows that are projected, with their split.
    panels : tuple of Compared
        In the order of the recipe.
    """

    recipe: Recipe
    dataset: Dataset
    prepared: Prepared
    panels: tuple[Compared, ...]

    def panel(self, key: str) -> Compared:
        """The panel of that key; KeyError where there is none."""
        return {panel.key: panel for panel in self.panels}[key]

    def new_run(self, key: str, *, frames: Frames | None = None, **options: Any) -> TrainingRun:
        """A training of the panel `key`, not yet started; whoever asks for it ends it.

        Parameters
        ----------
        frames : callable, optional
            Where frames of other panels are found that were trained already; a frame that is not there is trained
            for first, in the thread of the run.
        **options
            `min_interval`, `gate` and the like, as for TrainingRun.
        """
        panel, train = self.panel(key), self.prepared.train
        trains = panel.recipe.method.train
        if panel.config is None or trains is None:
            raise ValueError(f"{key} does not train.")
        held_out = self.prepared.held_out
        return TrainingRun(
            panel.X[train],
            panel.y[train],
            panel.config,
            train=trains,
            initial=self._initial(panel, frames),
            held_out=(panel.X[held_out], panel.y[held_out]) if held_out.any() else None,
            targets=None if panel.target is None else panel.target[train],
            **options,
        )

    def train(self, key: str) -> Trajectory:
        """The whole training of the panel `key`, in this thread."""
        run = self.new_run(key)
        run.start()
        try:
            run.wait_for_end()
        finally:
            run.stop()
        return run.trajectory

    def _initial(self, panel: Compared, frames: Frames | None) -> np.ndarray | Callable[[Slot], np.ndarray] | None:
        frame = panel.recipe.frame
        if frame is None:
            return None
        found = frames(frame.panel, frame.iteration) if frames is not None else None
        return found if found is not None else lambda slot: self._trained_frame(frame.panel, frame.iteration, slot)

    def _trained_frame(self, key: str, iteration: int, slot: Slot) -> np.ndarray:
        """A of the panel `key` at `iteration`, or where its training ended before."""
        panel, rows = self.panel(key), self.prepared.train
        trains = panel.recipe.method.train
        if panel.config is None or panel.transformation is None or trains is None:
            raise ValueError(f"The frame of {key} that the start is taken from cannot be trained: {panel.problem}")
        if iteration == 0 and panel.recipe.frame is None:
            return panel.transformation
        initial = self._initial(panel, None)
        trajectory = trains(
            panel.X[rows],
            panel.y[rows],
            replace(panel.config, max_iter=max(1, iteration)),
            initial=initial(slot) if callable(initial) else initial,
            targets=None if panel.target is None else panel.target[rows],
            slot=slot,
            measure_accuracy=False,
        )
        snapshots = trajectory.snapshots
        return snapshots[min(iteration, len(snapshots) - 1)].transformation


def compare(recipe: Recipe, dataset: Dataset, before: Comparison | None = None) -> Comparison:
    """Carry out `recipe` on `dataset`; a method that cannot run leaves its reason, and the others go on.

    Parameters
    ----------
    recipe : Recipe
        What is compared; its `data` are taken as loaded.
    dataset : Dataset
        The data that `recipe.data` names.
    before : Comparison, optional
        What is the same there is taken over instead of being fitted again.

    Raises
    ------
    DataError
        Where the data cannot be prepared as the recipe says, or have fewer features than the projection dimensions.
    """
    same_rows = (
        before is not None
        and before.dataset is dataset
        and before.recipe.noise == recipe.noise
        and before.recipe.preparation == recipe.preparation
    )
    if before is not None and same_rows:
        prepared = before.prepared
    else:
        prepared = prepare(add_noise(dataset, recipe.noise), _with_possible_components(recipe, dataset).preparation)
    _check_width(prepared, recipe.n_components)
    kept: dict[PanelRecipe, Compared] = {}
    if before is not None and same_rows and before.recipe.n_components == recipe.n_components:
        kept = {panel.recipe: panel for panel in before.panels}
    features: dict[str, np.ndarray] = {PREPARED: prepared.dataset.X}
    if before is not None and same_rows:
        features |= {panel.recipe.features: panel.X for panel in before.panels}
    panels: list[Compared] = []
    room = MOST_HISTORY_BYTES
    for panel_recipe in recipe.panels:
        panel = kept.get(panel_recipe) if panel_recipe.frame is None else None
        if panel is None:
            panel = _panel(panel_recipe, recipe.n_components, prepared, features, panels)
        if panel.trains:
            room -= _history_bytes(panel)
            if room < 0:
                panel = replace(
                    panel,
                    problem=f"The histories of so many trainings would take more than {MOST_HISTORY_BYTES / 1e6:.0f} "
                    "MB. Fewer iterations, fewer panels or fewer features (PCA first) make room.",
                )
        panels.append(panel)
    return Comparison(recipe, dataset, prepared, tuple(panels))


def _check_width(prepared: Prepared, n_components: int) -> None:
    have = prepared.dataset.n_features
    if have < n_components:
        way_out = "Choose 2-D." if have == 2 else "Bring a table with more columns of numbers."
        has = f"{prepared.dataset.name} has {counted(have, 'feature')}"
        raise DataError(f"{has}, too few for a {n_components}-D projection. {way_out}")


def _with_possible_components(recipe: Recipe, dataset: Dataset) -> Recipe:
    """PCA first goes to no more dimensions than the data have, whatever was chosen for other data."""
    wanted = recipe.preparation.components
    if wanted is None:
        return recipe
    most = min(dataset.n_features + recipe.noise.noise_columns, dataset.n_samples)
    return replace(recipe, preparation=replace(recipe.preparation, components=min(wanted, most)))


def _history_bytes(panel: Compared) -> int:
    A, config = panel.transformation, panel.config
    return 0 if A is None or config is None else A.nbytes * (config.max_iter + 1)


def _panel(
    recipe: PanelRecipe,
    n_components: int,
    prepared: Prepared,
    features: dict[str, np.ndarray],
    before: list[Compared],
) -> Compared:
    """Fit the panel, or find its start."""
    rows = prepared.train
    if recipe.features not in features:
        fitted = fit_kernel_features(prepared.dataset.X[rows], recipe.features)
        features[recipe.features] = fitted.apply(prepared.dataset.X)
    X = features[recipe.features]
    y, target = labels_seen(recipe, prepared)
    panel = Compared(recipe, X, y, target)
    method = recipe.method
    problem = method.problem(facts_of(X[rows], y[rows]), n_components)
    if problem:
        return replace(panel, problem=problem)
    try:
        if method.kind == "trained":
            return _start(panel, n_components, rows, before)
        return _fit(panel, n_components, rows)
    except (ValueError, np.linalg.LinAlgError) as error:
        return replace(panel, problem=f"{method.title} cannot be computed on these data: {error}")


def labels_seen(recipe: PanelRecipe, prepared: Prepared) -> tuple[np.ndarray, np.ndarray | None]:
    """(class codes, numeric labels or None), each (n_samples,), that the method of a panel sees.

    A permutation goes over all labelled rows, held-out ones too, so that both halves are equally wrong.
    """
    y, target = prepared.dataset.y, prepared.dataset.target
    if recipe.labels == "none":
        return np.full_like(y, -1), None
    if recipe.labels == "shuffled":
        labelled = np.flatnonzero(y >= 0)
        drawn = np.random.default_rng(recipe.random_state).permutation(labelled)
        y = y.copy()
        y[labelled] = prepared.dataset.y[drawn]
        if target is not None:
            given, target = target, target.copy()
            target[labelled] = given[drawn]
    return y, target


def _fit(panel: Compared, n_components: int, rows: np.ndarray) -> Compared:
    """A matrix from the training rows; coordinates, where there is no matrix, of all rows at once."""
    recipe, method = panel.recipe, panel.recipe.method
    if method.fit is None:
        raise ValueError("it has no fit")
    seen = rows if method.kind == "solved" else np.ones(len(panel.X), dtype=bool)
    labels = np.where(rows, panel.y, -1)[seen]  # labels of held-out rows are seen by nobody
    fitted = method.fit(panel.X[seen], labels, n_components, recipe.random_state, **recipe.all_settings())
    return replace(panel, transformation=fitted.transformation, embedding=fitted.embedding, note=fitted.note)


def _start(panel: Compared, n_components: int, rows: np.ndarray, before: list[Compared]) -> Compared:
    recipe = panel.recipe
    if recipe.method.config is None:
        raise ValueError("it has no config")
    frame = recipe.frame
    name = recipe.method.starts[0] if frame is not None else recipe.start_name
    config = recipe.method.config(n_components, name, recipe.random_state, recipe.all_settings())
    if panel.target is None:
        config = replace(config, target_similarity=None)
    panel = replace(panel, config=config)
    if frame is not None:
        source = {other.key: other for other in before}[frame.panel]
        if source.problem:
            return replace(panel, problem=f"It starts from {source.recipe.shown_title}, which cannot run here.")
        note = f"Starts from iteration {frame.iteration} of {source.recipe.shown_title}"
        if frame.iteration > 0:
            note += ", which is taken when the training begins"
        return replace(panel, transformation=source.transformation, note=f"{note}.")
    # A start that has to be trained for is found in the run's own thread; until then PCA stands there.
    later = name in TRAINED_INITIALISATIONS
    codes = panel.y[rows] if panel.target is None else slices_of(panel.target[rows])
    start = start_transformation(panel.X[rows], codes, n_components, "pca" if later else name, recipe.random_state)
    note = "The start is looked for when the training begins; this is PCA's." if later else ""
    return replace(panel, transformation=start, note=note)

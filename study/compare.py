"""compare: a recipe and its data -> a Comparison, with projections solved and trainings ready to run."""

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from datasets.base.dataset import Dataset
from datasets.base.errors import DataError
from datasets.base.words import counted
from datasets.drawn import is_drawn
from datasets.preparation import Prepared
from nca_core.features.kernels import KernelFeatures, fit_kernel_features
from nca_core.snapshot import Trajectory
from nca_core.training.config import TrainingConfig
from nca_core.training.problem import TrainingStopped
from nca_core.training.run import Slot, TrainingRun
from nca_core.training.starts import MOST_CANDIDATE_SNAPSHOTS, TRAINED_INITIALISATIONS
from study.features import PREPARED, prepare_rows, prepared_for
from study.fitting import FittedPanel, fit_panel
from study.panel import PanelRecipe
from study.recipe import Recipe

MOST_HISTORY_BYTES = 512_000_000  # of all the matrices that the runs of one comparison may leave behind

# (panel's key, iteration) -> A at that iteration, or None where that run has not come so far.
Frames = Callable[[str, int], np.ndarray | None]


@dataclass(frozen=True)
class Comparison:
    """A recipe carried out: the same prepared rows in every panel."""

    recipe: Recipe
    dataset: Dataset  # the data as they came, before the noise lab
    prepared: Prepared  # the rows that are projected, with their split
    panels: tuple[FittedPanel, ...]  # in the order of the recipe

    def panel(self, key: str) -> FittedPanel:
        """The panel of that key; KeyError where there is none."""
        return {panel.key: panel for panel in self.panels}[key]

    def prepared_for(self, key: str) -> Prepared | None:
        """How the features of the panel `key` came from the data; None for kernel features."""
        recipe, features = self.recipe, self.panel(key).recipe.features
        return prepared_for(features, self.dataset, recipe.noise, recipe.preparation, self.prepared)

    def features_of(self, key: str) -> tuple[Prepared, KernelFeatures | None]:
        """The steps from the data to the features of the panel `key`, and what makes kernel features of these."""
        if (ready := self.prepared_for(key)) is not None:
            return ready, None
        X = self.prepared.dataset.X[self.prepared.train]
        return self.prepared, fit_kernel_features(X, self.panel(key).recipe.features)

    def new_run(
        self, key: str, *, frames: Frames | None = None, initial: np.ndarray | None = None, **options: Any
    ) -> TrainingRun:
        """A training of the panel `key`, not yet started; the caller ends it.

        frames: looks up frames of trained panels; a missing frame is trained for first, in the thread of the run.
        initial: the A to start from, in the place of the panel's own start, (n_components, n_panel_features).
        **options: `min_interval`, `gate` and the like, as for TrainingRun.
        """
        panel, config, train, rows = self._ready(key)
        held_out = self.prepared.held_out
        return TrainingRun(
            **rows,
            config=config,
            train=train,
            initial=self._initial(panel, frames) if initial is None else initial,
            held_out=(panel.X[held_out], panel.y[held_out]) if held_out.any() else None,
            **options,
        )

    def trained(
        self, key: str, slot: Slot = nullcontext, start: np.ndarray | None = None, max_iter: int | None = None
    ) -> Trajectory:
        """The training of the panel `key` in this thread, without accuracies on its way.

        slot: gives a context to enter around each piece of work; where it raises TrainingStopped, the training ends.
            Before the start is measured there is no trajectory to return, so that is raised.
        start: the A to start from, in the place of the panel's own start, (n_components, n_panel_features).
        max_iter: fewer iterations than the panel's own.
        """
        panel, config, train, rows = self._ready(key)
        if max_iter is not None:
            config = replace(config, max_iter=max(1, min(max_iter, config.max_iter)))
        initial = self._initial(panel, None) if start is None else start
        found = initial(slot) if callable(initial) else initial
        trajectory = train(**rows, config=config, initial=found, slot=slot, measure_accuracy=False)
        if not trajectory.snapshots:
            raise TrainingStopped
        return trajectory

    def _ready(self, key: str) -> tuple[FittedPanel, TrainingConfig, Callable[..., Trajectory], dict[str, Any]]:
        """A panel, its config, its `train` and its training rows; ValueError for one that cannot train."""
        panel, rows = self.panel(key), self.prepared.train
        train = panel.recipe.method.train
        if panel.config is None or train is None:
            raise ValueError(f"{key} does not train.")
        if panel.problem:
            raise ValueError(f"{key} cannot train: {panel.problem}")
        if not panel.recipe.method.linear:
            train = partial(train, shown_rows=panel.X)  # without a matrix the snapshots hold all projected rows
        targets = None if panel.target is None else panel.target[rows]
        return panel, panel.config, train, {"X": panel.X[rows], "y": panel.y[rows], "targets": targets}

    def _initial(self, panel: FittedPanel, frames: Frames | None) -> np.ndarray | Callable[[Slot], np.ndarray] | None:
        frame = panel.recipe.frame
        if frame is None:
            drawn = panel.recipe.start_name == "pca" and is_drawn(self.prepared.dataset)
            return panel.transformation if drawn else None  # PCA's axes as they lie on the board
        found = frames(frame.panel, frame.iteration) if frames is not None else None
        return found if found is not None else lambda slot: self._trained_frame(frame.panel, frame.iteration, slot)

    def _trained_frame(self, key: str, iteration: int, slot: Slot) -> np.ndarray:
        """A of the panel `key` at `iteration`, or where its training ended before."""
        panel = self.panel(key)
        assert panel.config is not None
        assert panel.transformation is not None
        found_at_once = panel.recipe.frame is None and panel.config.initialisation not in TRAINED_INITIALISATIONS
        if iteration == 0 and found_at_once:
            return panel.transformation
        snapshots = self.trained(key, slot, max_iter=iteration).snapshots
        return snapshots[min(iteration, len(snapshots) - 1)].transformation


def compare(
    recipe: Recipe,
    dataset: Dataset,
    before: Comparison | None = None,
    *,
    apart: bool = False,
    n_components: int | None = None,
) -> Comparison:
    """Carry out `recipe` on `dataset`; a method that cannot run leaves its reason.

    recipe: what is compared; its `data` are taken as loaded.
    dataset: the data that `recipe.data` names.
    before: panels that are the same there are reused.
    apart: leave methods that take seconds waiting (`FittedPanel.waits`), to be fitted by `study.embed`.
    n_components: dimensions of every projection instead of the recipe's; nothing is reused then.

    Raises DataError where the data cannot be prepared as the recipe says, or have fewer features than the projection
        dimensions.
    """
    d = recipe.n_components if n_components is None else n_components
    rows = recipe.noise, recipe.preparation
    if before is not None:
        same = before.dataset is dataset and (before.recipe.noise, before.recipe.preparation) == rows
        before = before if same and n_components is None else None
    prepared = prepare_rows(dataset, *rows) if before is None else before.prepared
    have = prepared.dataset.n_features
    if have < d:
        way_out = "Choose 2-D." if have == 2 else "Bring a table with more columns of numbers."
        has = f"{prepared.dataset.name} has {counted(have, 'feature')}"
        raise DataError(f"{has}, too few for a {d}-D projection. {way_out}")
    kept: dict[PanelRecipe, FittedPanel] = {}
    known = {PREPARED: prepared.dataset.X}
    if before is not None:
        known |= {panel.recipe.features: panel.X for panel in before.panels if panel.waits or not panel.problem}
        if before.recipe.n_components == recipe.n_components:
            # A training without room for its history may have room now.
            kept = {panel.recipe: panel for panel in before.panels if panel.trains or panel.config is None}

    def features(key: str) -> np.ndarray:
        if key not in known:
            X, ready = prepared.dataset.X, prepared_for(key, dataset, *rows, prepared)
            known[key] = fit_kernel_features(X[prepared.train], key).apply(X) if ready is None else ready.dataset.X
        return known[key]

    panels: list[FittedPanel] = []
    room = MOST_HISTORY_BYTES
    for panel_recipe in recipe.panels:
        panel = kept.get(panel_recipe) if panel_recipe.frame is None else None
        if panel is not None and panel.recipe.distinction != panel_recipe.distinction:
            panel = replace(panel, recipe=panel_recipe)
        if panel is None:
            panel = fit_panel(panel_recipe, d, prepared, features, panels, apart)
        if panel.config is not None and not panel.problem:
            numbers = panel.config.numbers_in_a_snapshot(panel.X.shape[1])
            numbers += 0 if panel.embedding is None else panel.embedding.size
            tried = MOST_CANDIDATE_SNAPSHOTS if panel.config.initialisation == "best_of_several" else 0
            wanted = 8 * numbers * (panel.config.max_iter + 1 + tried)
            if wanted <= room:
                room -= wanted
            else:
                most = f"The histories of so many trainings would take more than {MOST_HISTORY_BYTES / 1e6:.0f} MB."
                room_by = "Fewer iterations, fewer panels or fewer features (under 'Advanced') make room."
                panel = replace(panel, problem=f"{most} {room_by}")
        panels.append(panel)
    return Comparison(recipe, dataset, prepared, tuple(panels))

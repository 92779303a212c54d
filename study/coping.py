"""Does it cope? What became of every panel when the noise lab changed the data under trainings that went on."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from datasets.base.counted import counted
from datasets.base.dataset import Dataset
from datasets.base.percent import percent
from datasets.noise_lab import NoiseConfig
from nca_core.accuracy.accuracies import accuracies_of
from nca_core.snapshot import Snapshot
from study.compare import Comparison
from study.features import prepared_for
from study.measure import places_of

_Z = 1.96  # standard errors of a 95 % interval


@dataclass(frozen=True)
class Numbers:
    """One panel at one moment.

    Attributes
    ----------
    title : str
        The panel.
    iteration : int or None
        Of its training; None for a projection that was solved in one go.
    mean_p, k : float
        f/n and K̂ = exp(mean entropy) of the training rows, by the labels that they have now; NaN where no scale was
        learnt.
    held_out : float
        1-NN on held-out rows by their labels as they came, before any were flipped; NaN without such rows.
    n_held_out : int
        How many these are.
    weight : float
        Share of the spread in the picture that the noise columns make, or where there are none the rescaled column:
        Σ_f ‖a_f‖² var(x_f) over these f, of that over all. NaN where there is neither, or no matrix.
    """

    title: str
    iteration: int | None
    mean_p: float
    k: float
    held_out: float
    n_held_out: int
    weight: float


def numbers_of(comparison: Comparison, key: str, snapshot: Snapshot | None = None) -> Numbers:
    """The numbers of the panel `key`, at an iteration of its training or as it was fitted."""
    space, ready = places_of(comparison, key, snapshot), comparison.prepared
    shuffled = comparison.panel(key).recipe.labels == "shuffled"
    right = space.y if shuffled else ready.as_given
    new = ready.held_out & (right >= 0)
    held_out = float("nan")
    if new.any() and not space.embedded:
        train = ready.train
        tested = space.Y[new], right[new]
        held_out = accuracies_of(space.Y[train], space.y[train], tested, 0, space.random_state).held_out_1nn
    return Numbers(
        space.title,
        None if snapshot is None else snapshot.iteration,
        float("nan") if snapshot is None else snapshot.mean_p,
        float("nan") if snapshot is None else snapshot.k_mean_entropy,
        held_out,
        int(new.sum()),
        _weight_of_the_changed(comparison, key, snapshot),
    )


def changed_features(noise: NoiseConfig, dataset: Dataset) -> list[int]:
    """Places among the raw features of the noise columns, or where there are none of the column that is rescaled."""
    if noise.noise_columns:
        return list(range(dataset.n_features, dataset.n_features + noise.noise_columns))
    column = noise.rescaled_column
    if column is None or noise.factor == 1.0:
        return []
    return [dataset.feature_names.index(column) if isinstance(column, str) else column]


def _weight_of_the_changed(comparison: Comparison, key: str, snapshot: Snapshot | None) -> float:
    recipe, panel = comparison.recipe, comparison.panel(key)
    changed = changed_features(recipe.noise, comparison.dataset)
    A = panel.transformation if snapshot is None else snapshot.transformation
    if not changed or A is None or not panel.recipe.method.linear:
        return float("nan")
    ready = prepared_for(
        panel.recipe.features, comparison.dataset, recipe.noise, recipe.preparation, comparison.prepared
    )
    if ready is None or A.shape[1] != ready.dataset.n_features or max(changed) >= ready.raw.n_features:
        return float("nan")
    weights = np.sum(ready.back_to_features(A) ** 2, axis=0) * ready.raw.X[ready.train].var(axis=0)  # (n_raw_features,)
    return float(weights[changed].sum() / weights.sum())


def what_changed(before: NoiseConfig, after: NoiseConfig, dataset: Dataset) -> str:
    """What the noise lab was asked to do otherwise, as a sentence; empty where nothing."""
    said = []
    more = after.noise_columns - before.noise_columns
    if more:
        columns = counted(abs(more), "column of noise was", "columns of noise were")
        said.append(f"{columns} {'added' if more > 0 else 'taken away'}")
    was, now = (_multiplied(noise, dataset) for noise in (before, after))
    if was != now:
        if was and (not now or was[0] != now[0]):
            said.append(f"{was[0]} is as it came again")
        if now:
            said.append(f"{now[0]} was multiplied by {now[1]:g}")
    if after.flipped_share != before.flipped_share:
        share = percent(after.flipped_share)
        flipped = f"{share} of the labels are flipped, while held-out rows are told by those that they came with"
        said.append(flipped if after.flipped_share else "all labels are as they came")
    words = ", ".join(said)
    return f"{words[0].upper()}{words[1:]}." if words else ""


def _multiplied(noise: NoiseConfig, dataset: Dataset) -> tuple[str, float] | None:
    column = noise.rescaled_column
    if column is None or noise.factor == 1.0:
        return None
    return (column if isinstance(column, str) else dataset.feature_names[column]), noise.factor


def coped(before: Numbers, at_once: Numbers, now: Numbers, ended: bool, kept: bool = True) -> str:
    """What became of a training, in sentences: f/n at once and now, and what held-out rows say of it.

    Parameters
    ----------
    before, at_once, now : Numbers
        Of one panel: before the data changed, at the same A on the changed data, and where the training has come since.
    ended : bool
        Whether that has come to its end.
    kept : bool
        Whether it went on from the A that it had; else it began anew.
    """
    f, first, last = before.mean_p, at_once.mean_p, now.mean_p
    if not kept:
        at_first = f"A could not be carried over, so it began anew: its f/n was {f:.3f} before, {first:.3f} then"
    elif f"{first:.3f}" == f"{f:.3f}":
        at_first = f"its f/n stayed at {first:.3f}"
    else:
        at_first = f"its f/n {'fell' if first < f else 'rose'} from {f:.3f} to {first:.3f} at once"
    since = f"is {last:.3f} at iteration {now.iteration}"
    said = f"{now.title}: {at_first} and {since}"
    if math.isnan(now.held_out) or math.isnan(before.held_out):
        return f"{said}. No rows are held out, so nobody can tell what that is worth."
    n = now.n_held_out
    held = f"1-NN is right on {now.held_out:.2f} of the held-out rows ({before.held_out:.2f} before)"
    if not ended:
        return f"{said}; {held}."
    error = math.sqrt(sum(share * (1 - share) / n for share in (before.held_out, now.held_out)))
    if now.held_out < before.held_out - _Z * error:
        return f"{said}. It does not cope: {held}."
    if now.held_out > before.held_out + _Z * error:
        return f"{said}. It copes, and better than before: {held}."
    return f"{said}. It copes, as far as {n:,} held-out rows can tell: {held}."


def compared_weights(noise: NoiseConfig, dataset: Dataset, now: Mapping[str, Numbers]) -> str:
    """How much each panel is made of what the noise lab changed; empty where that is nothing."""
    changed = changed_features(noise, dataset)
    known = {one.title: one.weight for one in now.values() if not math.isnan(one.weight)}
    if not changed or not known:
        return ""
    shares = ", ".join(f"{title} {percent(weight)}" for title, weight in known.items())
    what = "The noise" if noise.noise_columns else dataset.feature_names[changed[0]]
    return f"{what} makes up so much of the spread in each picture: {shares}."

"""A training whose data change or whose A is moved by hand: does it cope, does it come back?"""

import math
from collections.abc import Collection, Generator, Mapping
from contextlib import nullcontext
from dataclasses import dataclass

import numpy as np

from datasets.base.dataset import Dataset
from datasets.base.words import counted, percent
from datasets.noise_lab import NoiseConfig
from nca_core.accuracy import NearestNeighbours
from nca_core.snapshot import Numbers, Snapshot
from nca_core.training.run import Slot
from study.compare import Comparison
from study.inference import MARGIN, Conclusion, corrected, paired_difference
from study.measure import projection
from study.optima import AS_GOOD, procrustes_distances

_SAME = 1e-6  # of the spread of a picture, up to which two pictures are one


def carried_over(at: Snapshot, key: str, before: Comparison, after: Comparison) -> np.ndarray | None:
    """A over the features of a panel `after`, from which it can go on as it was `before`.

    Each feature keeps the weights that it has in its own units, whatever scaling stands between; columns of A for
    features that are new are zero. So new features leave every row where it is, and a feature that was multiplied
    stretches the picture along itself.

    before, after: the comparison that was trained in, and the same one with other noise.

    Returns None where no matrix is carried: the projection is none, or shows the leading axes of a metric of full rank,
    or its features come from kernels or from fewer directions than the features now need.
    """
    panel, target = before.panel(key), after.panel(key).transformation
    if not panel.recipe.gives_frames or at.spectrum is not None or target is None:
        return None
    then, now = before.prepared_for(key), after.prepared_for(key)
    if then is None or now is None or at.transformation.shape[1] != then.dataset.n_features:
        return None
    weights = then.back_to_features(at.transformation)  # (n_components, n_raw_features)
    wanted = np.zeros((len(weights), now.raw.n_features))
    common = min(wanted.shape[1], weights.shape[1])  # the data's own features stand first, then those of noise
    wanted[:, :common] = weights[:, :common]
    A = now.forth_from_features(wanted)
    centred = now.raw.X[now.train] - now.raw.X[now.train].mean(axis=0)
    meant, found = centred @ wanted.T, now.dataset.X[now.train] @ A.T
    apart = np.abs(found - found.mean(axis=0) - meant).max()
    return A if A.shape == target.shape and apart <= _SAME * np.abs(meant).max() else None


@dataclass(frozen=True, kw_only=True)
class NoiseResponse(Numbers):
    """The numbers of one panel at one moment, by the labels that the rows have then."""

    title: str
    iteration: int | None  # of its training; None for a projection that was solved in one go
    right: np.ndarray  # (n_held_out,); whether the nearest training row has the class of each held-out row
    # share of the spread in the picture due to the noise columns, or without any to the rescaled column: Σ_f ‖a_f‖²
    # var(x_f) over these f, divided by that over all. NaN without either, or without a matrix.
    weight: float


def noise_response(comparison: Comparison, key: str, snapshot: Snapshot | None = None) -> NoiseResponse:
    """The numbers of the panel `key`, at an iteration of its training or as it was fitted."""
    at = projection(comparison, key, snapshot)
    train, new = np.flatnonzero(comparison.prepared.train), np.flatnonzero(at.tested & (at.y >= 0))
    nearest = train[NearestNeighbours(at.Y[train]).of(at.Y[new], 1)[:, 0]] if len(new) else new
    correct = at.y[nearest] == at.y[new]
    return NoiseResponse(
        title=at.title,
        iteration=None if snapshot is None else snapshot.iteration,
        mean_p=float("nan") if snapshot is None else snapshot.mean_p,
        k_mean_entropy=float("nan") if snapshot is None else snapshot.k_mean_entropy,
        held_out_1nn=float(correct.mean()) if len(new) else float("nan"),
        right=correct,
        weight=_weight_of_the_changed(comparison, key, snapshot),
    )


def retrained(
    comparison: Comparison, keys: Collection[str], slot: Slot = nullcontext
) -> Generator[dict[str, NoiseResponse], None, None]:
    """Train these panels on the changed data from their own starts to the end; gives what there is after each."""
    found: dict[str, NoiseResponse] = {}
    for key in keys:
        last = comparison.trained(key, slot).snapshots[-1]
        with slot():
            found[key] = noise_response(comparison, key, last)
        yield dict(found)


def changed_features(noise: NoiseConfig, dataset: Dataset) -> list[int]:
    """Places among the raw features of the noise columns, or where there are none of the column that is rescaled."""
    if noise.noise_columns:
        return list(range(dataset.n_features, dataset.n_features + noise.noise_columns))
    return list(_rescaled(noise, dataset))


def _weight_of_the_changed(comparison: Comparison, key: str, snapshot: Snapshot | None) -> float:
    panel, ready = comparison.panel(key), comparison.prepared_for(key)
    changed = changed_features(comparison.recipe.noise, comparison.dataset)
    A = panel.transformation if snapshot is None else snapshot.transformation
    if not changed or A is None or not panel.recipe.method.linear:
        return float("nan")
    if ready is None or A.shape[1] != ready.dataset.n_features or max(changed) >= ready.raw.n_features:
        return float("nan")
    weights = np.sum(ready.back_to_features(A) ** 2, axis=0) * ready.raw.X[ready.train].var(axis=0)  # (n_raw_features,)
    return float(weights[changed].sum() / weights.sum())


def what_changed(before: NoiseConfig, after: NoiseConfig, dataset: Dataset) -> str:
    """What changed in the noise lab, as a sentence; empty where nothing did."""
    said = []
    more = after.noise_columns - before.noise_columns
    if more:
        columns = counted(abs(more), "column of noise was", "columns of noise were")
        said.append(f"{columns} {'added' if more > 0 else 'taken away'}")
    names, was, now = dataset.feature_names, _rescaled(before, dataset), _rescaled(after, dataset)
    if was != now:
        said += [f"{names[column]} is as it came again" for column in was if column not in now]
        said += [f"{names[column]} was multiplied by {factor:g}" for column, factor in now.items()]
    if after.flipped_share != before.flipped_share:
        share = percent(after.flipped_share)
        flipped = f"{share} of the training labels are flipped; held-out rows keep theirs"
        said.append(flipped if after.flipped_share else "all labels are as they came")
    words = ", ".join(said)
    return f"{words[0].upper()}{words[1:]}." if words else ""


def _rescaled(noise: NoiseConfig, dataset: Dataset) -> dict[int, float]:
    """The rescaled column, if any, with its factor."""
    column = noise.rescaled_column
    if column is None or noise.factor == 1.0:
        return {}
    return {dataset.feature_names.index(column) if isinstance(column, str) else column: noise.factor}


def coping_sentence(
    before: NoiseResponse,
    at_once: NoiseResponse,
    now: NoiseResponse,
    ended: bool,
    kept: bool = True,
    anew: NoiseResponse | None = None,
) -> str:
    """What became of a training, in sentences: f/n at once and now, and accuracy on held-out rows.

    Whether it copes is said only with the training anew: a converged A may stay where it is although another one would
    now be found. Both are compared with the numbers before on the same held-out rows (McNemar, corrected for two).

    before, at_once, now: of one panel: before the data changed, at the same A on the changed data, and where the
        training has come since.
    ended: whether that has come to its end.
    kept: whether it went on from the A that it had; else it began anew.
    anew: trained on the changed data from its own start to the end.
    """
    f, first, last = before.mean_p, at_once.mean_p, now.mean_p
    if not kept:
        at_first = f"A could not be carried over, so it began anew: its f/n was {f:.3f} before, {first:.3f} then"
    elif f"{first:.3f}" == f"{f:.3f}":
        at_first = f"its f/n stayed at {first:.3f}"
    else:
        at_first = f"its f/n {'fell' if first < f else 'rose'} from {f:.3f} to {first:.3f} at once"
    said = f"{now.title}: {at_first} and is {last:.3f} at iteration {now.iteration}"
    if math.isnan(now.held_out_1nn) or math.isnan(before.held_out_1nn):
        return f"{said}. Hold rows out to see what that is worth."
    was, new = percent(before.held_out_1nn), percent(now.held_out_1nn)
    held = f"1-NN classifies {new} of held-out rows correctly ({was} before)"
    if not ended or anew is None:
        return f"{said}; {held}."
    again = f"Trained anew to the end: f/n {anew.mean_p:.3f}, {percent(anew.held_out_1nn)} of held-out rows"
    tests = corrected([paired_difference(one.right, before.right) for one in (now, anew)])
    answers = [one.answer for one in tests]
    if Conclusion.WORSE in answers:
        verdict = "It does not cope"
    elif all(answer is Conclusion.BETTER for answer in answers):
        verdict = "It copes, and better than before"
    elif Conclusion.CANNOT_TELL in answers:
        verdict = f"Whether it copes cannot be told from {len(now.right):,} held-out rows"
    else:
        verdict = f"It copes: no loss of more than {100 * MARGIN:.0f} points"
    return f"{said}; {held}. {again}. {verdict}."


def compared_weights(noise: NoiseConfig, dataset: Dataset, now: Mapping[str, NoiseResponse]) -> str:
    """How much of each picture is due to the noise lab, as a sentence; empty without noise."""
    changed = changed_features(noise, dataset)
    known = {one.title: one.weight for one in now.values() if not math.isnan(one.weight)}
    if not changed or not known:
        return ""
    shares = ", ".join(f"{title}: {percent(weight)}" for title, weight in known.items())
    what = "noise" if noise.noise_columns else dataset.feature_names[changed[0]]
    return f"Share of the spread of each picture due to {what}: {shares}."


ALIKE = 0.1  # of the spread of a view, by which the rows may lie apart in two that are called the same


def recovery(title: str, before: Snapshot, moved: Snapshot, now: Snapshot, ended: bool, X: np.ndarray) -> str:
    """Whether a training came back to its view after A was moved, as a sentence.

    before, moved, now: before A was moved, where it was moved to, and the training from there.
    ended: whether that has come to its end.
    X: the rows that are viewed, (n_rows, n_features).
    """
    how = f"{title} was at f/n = {before.mean_p:.3f}; you moved it to {moved.mean_p:.3f}"
    if not ended:
        return f"{how}, and it is climbing: {now.mean_p:.3f} at iteration {now.iteration}."
    centred = (X - X.mean(axis=0)).T
    apart = float(procrustes_distances([at.transformation @ centred for at in (before, now)])[0, 1])
    away = f"(turned and scaled onto it, rows lie {percent(apart)} of its spread away)"
    climbed = f"{how}, and it climbed to {now.mean_p:.3f}"
    gain = now.mean_p - before.mean_p
    if apart <= ALIKE and abs(gain) <= AS_GOOD:
        return f"Yes: {climbed}, back to the same view {away}."
    if abs(gain) <= AS_GOOD:
        return f"No: {climbed}, to another view that is about as good {away}."
    worth = "better" if gain > 0 else "worse"
    if apart <= ALIKE:
        return f"Nearly: {climbed}, to a view much like it, which is {worth} {away}."
    return f"No: {climbed}, to another view, which is {worth} {away}."

"""Long work beside the page as parts of a store, and back: repetitions, permutations, the search from many starts."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, fields
from functools import partial
from typing import Any

import numpy as np

from nca_core.snapshot import frozen
from pages.server.belongings import Belongings
from pages.server.job import EndedJob, Job, State
from pages.server.packed import as_array, packed, unpacked
from pages.server.saved_parts import Parts
from study.chance import Chance
from study.link import from_link, to_link
from study.optima import Optima, Reached, Trial
from study.recipe import Recipe
from study.scores import NAMES
from study.splits import Splits

_GROWN = 1.25  # what is large is written anew while it grows only where it has grown so much
LOST = "What was under way beside the page was lost when the server was started again: begin it anew."
_UNREADABLE = "What was found before the server was started again cannot be read; begin it anew."
_REACHED = "reached."


@dataclass(frozen=True)
class _Kind:
    """How results of one type travel; `large` ones are not written at each look."""

    of: type
    pack: Callable[[Any], bytes]
    unpack: Callable[[dict[str, np.ndarray]], Any]
    large: bool = False


def save_jobs(page: str, own: Belongings, parts: Parts) -> dict[str, Any]:
    """What the meta says of the work of a page, by its name."""
    return {name: _said(f"{page} {name}", job, parts) for name, job in {**own.saved_jobs, **own.jobs}.items()}


def take_jobs_back(own: Belongings, read: Callable[[str], bytes], said: Mapping[str, Any]) -> None:
    """Put what was found where the page looks for it; work that was under way has ended."""
    for name, one in said.items():
        if one["of"] is not None:
            own.saved_jobs[name] = _job(read, one)
        elif one["state"] == "running":
            own.came_back = LOST


def _said(place: str, job: Job, parts: Parts) -> dict[str, Any]:
    state = job.state  # before its result: of what is done that is the last one
    said = {"of": _of_words(job.of), "state": state, "error": job.error, "kind": "", "part": ""}
    result = job.result
    name, kind = next(((name, kind) for name, kind in _KINDS.items() if isinstance(result, kind.of)), ("", None))
    if kind is not None and said["of"] is not None:
        before = parts.known.get(place)
        if state == "running" and kind.large and before is not None and not _has_grown(before[0], result):
            result = before[0]
        said["kind"] = name
        said["part"] = parts.keep(place, result, name, partial(kind.pack, result))
    return said


def _has_grown(before: Any, now: Any) -> bool:
    return type(before) is not type(now) or now.done < before.done or now.done >= _GROWN * before.done


def _job(read: Callable[[str], bytes], said: Mapping[str, Any]) -> EndedJob:
    state: State = "interrupted" if said["state"] == "running" else said["state"]
    of, result, error = _of_again(said["of"]), None, said["error"]
    if said["part"]:
        try:
            result = _KINDS[said["kind"]].unpack(unpacked(read(said["part"])))
        except (ValueError, KeyError, TypeError):  # of a version that found other numbers
            state, error = "failed", _UNREADABLE
    return EndedJob(of, state, result, error)


def _of_words(of: object) -> list[Any] | None:
    """What work is about: a recipe and what of it, or a name; None where it cannot be said for later."""
    if isinstance(of, str):
        return [of]
    recipe, *rest = of if isinstance(of, tuple) else (of,)
    return [to_link(recipe), *rest] if isinstance(recipe, Recipe) else None


def _of_again(words: list[Any]) -> object:
    first, *rest = words
    if isinstance(first, str):
        return first
    recipe = from_link(first).recipe
    return (recipe, *rest) if rest else recipe


# -- results


def _pack_flat(result: Splits | Chance) -> bytes:
    """Its arrays, and its recipe and numbers as they are."""
    values = {field.name: getattr(result, field.name) for field in fields(result)}
    arrays = {name: value for name, value in values.items() if isinstance(value, np.ndarray)}
    told = {name: value for name, value in values.items() if name not in arrays} | {"recipe": to_link(result.recipe)}
    return packed(told=as_array({"columns": NAMES, **told}), **arrays)


def _unpack_flat(of: type[Splits | Chance], arrays: dict[str, np.ndarray]) -> Splits | Chance:
    told = json.loads(arrays.pop("told").tobytes())
    if tuple(told.pop("columns")) != NAMES:
        raise ValueError("The columns are others now.")
    told["recipe"] = from_link(told["recipe"]).recipe
    told |= {name: frozen(array) for name, array in arrays.items()}
    return of(**told)


def _pack_optima(found: Optima) -> bytes:
    reached = [{field.name: getattr(one, field.name) for field in fields(Reached)} for one in found.reached]
    each = {name: [one[name] for one in reached] for name in reached[0]}
    arrays = {name: np.stack(values) for name, values in each.items() if isinstance(values[0], np.ndarray)}
    told = {
        "title": found.title,
        "wanted": found.wanted,
        "joined": list(map(int, found.joined)),
        "held_out": found.held_out,
        "reached": {name: values for name, values in each.items() if name not in arrays}
        | {"trial": [asdict(one.trial) for one in found.reached]},
    }
    return packed(told=as_array(told), right=found.right, **{_REACHED + name: array for name, array in arrays.items()})


def _unpack_optima(arrays: dict[str, np.ndarray]) -> Optima:
    told = json.loads(arrays.pop("told").tobytes())
    each = told.pop("reached") | {
        name.removeprefix(_REACHED): [frozen(one) for one in arrays.pop(name)]
        for name in list(arrays)
        if name.startswith(_REACHED)
    }
    each["trial"] = [Trial(**one) for one in each["trial"]]
    rows = [dict(zip(each, one, strict=True)) for one in zip(*each.values(), strict=True)]
    told["joined"] = tuple(told["joined"])
    return Optima(**told, reached=tuple(Reached(**row) for row in rows), right=frozen(arrays.pop("right")))


_KINDS = {
    "splits": _Kind(Splits, _pack_flat, partial(_unpack_flat, Splits)),
    "chance": _Kind(Chance, _pack_flat, partial(_unpack_flat, Chance)),
    "optima": _Kind(Optima, _pack_optima, _unpack_optima, large=True),
}

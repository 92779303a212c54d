"""JSON-stat and SDMX-JSON, as statistical offices answer: cubes of numbers -> records."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import prod
from typing import Any

from datasets.reading.table import unique_names

_Axis = tuple[str, list[str], bool]  # (name of a dimension, its categories, whether these are what is measured)
_VALUE = "value"


def records_of_cube(content: Any) -> list[dict[str, Any]] | None:
    """A record for each cell of the cube, with its category on each axis and its number, or the numbers of all that is
    measured; None of any other JSON."""
    if not isinstance(content, dict):
        return None
    try:
        found = _of_json_stat(content) or _of_sdmx(content)
    except (AttributeError, IndexError, KeyError, TypeError, ValueError):
        return None  # it only looks like one
    if found is None:
        return None
    axes, cells = found
    metric = next((k for k, (*_, is_metric) in enumerate(axes) if is_metric), None)
    own = [k for k in range(len(axes)) if k != metric]
    measured = [_VALUE] if metric is None else axes[metric][1]
    names = unique_names((*(axes[k][0] for k in own), *measured))
    value_names = dict(zip(measured, names[len(own) :], strict=True))
    records: dict[tuple[str, ...], dict[str, Any]] = {}
    for where, value in cells:
        at = tuple(where[k] for k in own)
        record = records.setdefault(at, dict(zip(names[: len(own)], at, strict=True)))
        record[value_names[_VALUE if metric is None else where[metric]]] = value
    return list(records.values())


def _of_json_stat(content: dict[str, Any]) -> tuple[list[_Axis], Iterator[tuple[Sequence[str], Any]]] | None:
    """Of versions 1 (in "dataset", or under a name of its own) and 2; the last axis varies fastest."""
    held = [content, *(each for each in content.values() if isinstance(each, dict))]
    cube = next((each for each in held if isinstance(each.get("dimension"), dict) and _VALUE in each), None)
    if cube is None:
        return None
    dimensions, values = cube["dimension"], cube[_VALUE]
    keys, sizes = (cube.get(of) or dimensions[of] for of in ("id", "size"))
    metrics = (cube.get("role") or dimensions.get("role") or {}).get("metric", ())
    axes = [
        (str(dimensions[key].get("label") or key), _categories(dimensions[key]["category"]), key in metrics)
        for key in keys
    ]
    if [len(categories) for _, categories, _ in axes] != list(sizes):
        return None
    if isinstance(values, list) and len(values) != prod(sizes):
        return None
    filled = dict(enumerate(values)) if isinstance(values, list) else {int(at): each for at, each in values.items()}
    places = enumerate(product(*(categories for _, categories, _ in axes)))
    return axes, ((where, filled[at]) for at, where in places if at in filled)


def _categories(category: dict[str, Any]) -> list[str]:
    labels, index = category.get("label") or {}, category.get("index") or list(category["label"])
    keys = index if isinstance(index, list) else sorted(index, key=index.__getitem__)
    return [str(labels.get(key, key)) for key in keys]


def _of_sdmx(content: dict[str, Any]) -> tuple[list[_Axis], Iterator[tuple[Sequence[str], Any]]] | None:
    """Of the first data set: its observations under keys such as "0:3:1", or in series under such keys."""
    content = content["data"] if isinstance(content.get("data"), dict) else content
    structure, sets = content.get("structure") or (content.get("structures") or [None])[0], content.get("dataSets")
    if not isinstance(structure, dict) or not sets:
        return None
    dimensions = structure["dimensions"]
    axes = [
        (str(axis.get("name") or axis["id"]), [str(each.get("name") or each["id"]) for each in axis["values"]], False)
        for axis in (*dimensions.get("series", ()), *dimensions["observation"])
    ]
    series = sets[0].get("series") or {"": {"observations": sets[0]["observations"]}}
    numbers = (
        ([*key.split(":"), *at.split(":")] if key else at.split(":"), numbers[0])
        for key, one in series.items()
        for at, numbers in one["observations"].items()
    )
    return axes, (([axes[k][1][int(place)] for k, place in enumerate(at)], value) for at, value in numbers)

"""OpenML: a data set by name or id -> Opened, through OpenML's JSON interface, the cache and the usual checks."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar
from urllib.parse import quote

from datasets.base.dataset import Dataset, Source
from datasets.base.errors import DataError
from datasets.columns import ColumnPlan, build_dataset
from datasets.columns.images import likely_image_shape, with_all_pixels
from datasets.downloads.cache import Cache
from datasets.downloads.fetch import MOST_BYTES, Site, Watch, WrongStatus, fetch
from datasets.proposals import ROW_GROUPS, Choices, unasked_plan
from datasets.reading import Limits, Table, read_table

_ID = re.compile(r"(?:(?:id|did|data_id)\s*[:=]\s*|#|https?://(?:www\.)?openml\.org/d/)?(\d{1,9})/?", re.IGNORECASE)
_MEANT_AS_ID = re.compile(r"(?:id|did|data_id)\s*[:=].*|#.*|[+-]?[\d.,]+", re.IGNORECASE)
_MOST_JSON = 2_000_000
_UNKNOWN = (404, 412)  # 412 is how OpenML says that it has no such set
_T = TypeVar("_T")


@dataclass(frozen=True)
class Opened:
    """The data set; its table and column plan, so that a page can overrule the plan, None where it was no table."""

    dataset: Dataset
    table: Table | None = None
    plan: ColumnPlan | None = None


@dataclass(frozen=True)
class Server:
    """An OpenML server, and where its answers are kept."""

    base: str = "https://www.openml.org"
    site: Site = field(default_factory=lambda: Site("OpenML", ("openml.org", "*.openml.org")))
    cache: Cache = field(default_factory=Cache)
    file_bytes: int = MOST_BYTES


OPENML = Server()


def open_openml(
    name_or_id: str,
    watch: Watch | None = None,
    server: Server = OPENML,
    *,
    left_out: tuple[tuple[str, str], ...] = (),
    whole_rows: bool = False,
    limits: Limits | None = None,
) -> Opened:
    """Fetch (or take from the cache) and open an OpenML data set: its default target is the label, attributes that
    OpenML says to ignore are left out, and the same checks hold as for an uploaded file.

    name_or_id: "59", "id:59", the address of its page, or a name such as "iris".
    watch: cancels it and receives its progress.
    server: the OpenML server.
    left_out: (column, reason) of columns to be left out as well.
    whole_rows: keep every other column, constant ones too: the rows are images.
    limits: for sets that are larger than the usual limits and known to be sound.

    Raises DataError: one sentence: unknown set, no network, time-out, too large, damaged, not a labelled table.
    """
    watch = watch or Watch()
    data_id, notes = openml_search(name_or_id, watch, server)
    about = _description(data_id, watch, server)
    name = str(about.get("name") or f"set {data_id}")[:100]
    if str(about.get("status", "active")) != "active":
        notes.append(f"OpenML marks this set as {str(about['status'])[:40]}.")
    data, filename = _file(data_id, name, about, watch, server)
    watch.tell(f"The file of {name} is being read.", len(data), len(data))
    limits = limits or Limits()
    limits = replace(limits, seconds=min(limits.seconds, watch.remaining))
    table = read_table(data, filename, limits=limits, cancelled=watch.cancelled)
    watch.check(f"Reading {name}")
    plan = _plan(table, about, left_out, whole_rows)
    dataset = build_dataset(table, plan)
    watch.check(f"Reading {name}")
    licence = str(about.get("licence") or "licence not stated")[:100]
    source = Source(f"OpenML: {name} (id {data_id})", licence, f"https://www.openml.org/d/{data_id}")
    dataset = replace(dataset, name=name, source=source, notes=(*notes, *dataset.notes))
    return Opened(replace(dataset, image_shape=likely_image_shape(dataset)), table, plan)


def openml_search(name_or_id: str, watch: Watch, server: Server) -> tuple[int, list[str]]:
    """Find the id of an OpenML data set, and notes on the choice: of several active versions the first is taken."""
    query = name_or_id.strip()
    if not query or len(query) > 200:
        raise DataError("Give the name of an OpenML data set, such as ionosphere, or its id, such as 59.")
    by_id = _ID.fullmatch(query)
    if by_id:
        return int(by_id[1]), []
    if _MEANT_AS_ID.fullmatch(query):
        raise DataError(f"{query[:60]!r} is no id of OpenML; they are whole numbers below a billion, such as 59.")
    url = f"{server.base}/api/v1/json/data/list/data_name/{quote(query.lower(), safe='')}/limit/2/status/active/"
    unknown = f"OpenML has no active data set named {query[:60]!r}. Check the spelling, or give its id."

    def read(answer: Any) -> tuple[int, list[str]]:
        versions = answer["data"]["dataset"]
        data_id = int(versions[0]["did"])
        if len(versions) == 1:
            return data_id, []
        taken = f"version {versions[0]['version']} (id {data_id}) was taken"
        return data_id, [f"OpenML has several sets named {query!r}: {taken}; another has the id {versions[1]['did']}."]

    key, what = f"openml/name/{query.lower()}", f"The search for {query[:60]!r}"
    return _json(url, key, what, unknown, read, watch, server)


def _description(data_id: int, watch: Watch, server: Server) -> dict[str, Any]:
    unknown = f"OpenML has no data set with the id {data_id}. Check the number."
    url = f"{server.base}/api/v1/json/data/{data_id}"

    def read(answer: Any) -> dict[str, Any]:
        about = answer["data_set_description"]
        if not isinstance(about, dict):
            raise TypeError
        return about

    return _json(url, f"openml/{data_id}/about", f"The description of set {data_id}", unknown, read, watch, server)


def _json(url: str, key: str, what: str, unknown: str, read: Callable[[Any], _T], watch: Watch, server: Server) -> _T:
    """What `read` finds in the answer; kept for later only where it finds it, or else a passing fault would stay."""
    key = f"{server.base} {key}"
    data = server.cache.get(key)
    kept = data is not None
    if data is None:
        try:
            data = fetch(url, server.site, what, watch, _MOST_JSON)
        except WrongStatus as error:
            raise DataError(unknown if error.status in _UNKNOWN else str(error)) from None
    try:
        answer = json.loads(data)
    except (ValueError, RecursionError):
        server.cache.remove(key)
        raise DataError("OpenML's answer could not be understood. Try again later.") from None
    try:
        found = read(answer)
    except (KeyError, IndexError, TypeError, ValueError):
        server.cache.remove(key)
        raise DataError(unknown) from None
    if not kept:
        server.cache.put(key, data)
    return found


def _file(data_id: int, name: str, about: dict[str, Any], watch: Watch, server: Server) -> tuple[bytes, str]:
    """The bytes of the data set's file, checked, and a name for it."""
    arff, parquet = about.get("url"), about.get("parquet_url")
    url = arff or parquet
    if not isinstance(url, str):
        raise DataError(f"OpenML has no file for {name}. Choose another set.")
    filename = f"{name}.{'arff' if arff else 'parquet'}"
    # OpenML gives the checksum of the ARFF file only.
    checksum = str(about.get("md5_checksum") or "").lower() if arff else ""
    key = f"{server.base} openml/{data_id}/file/{checksum}"
    data = server.cache.get(key)
    if data is not None:
        return data, filename
    try:
        data = fetch(url, server.site, f"The file of {name}", watch, server.file_bytes)
    except WrongStatus as error:
        if error.status in _UNKNOWN:
            raise DataError(f"OpenML no longer has the file of {name}. Choose another set.") from None
        raise
    if checksum and hashlib.md5(data, usedforsecurity=False).hexdigest() != checksum:
        raise DataError(f"The file of {name} arrived damaged (OpenML gives another checksum for it). Try again.")
    server.cache.put(key, data)
    return data, filename


def _plan(table: Table, about: dict[str, Any], left_out: tuple[tuple[str, str], ...], whole_rows: bool) -> ColumnPlan:
    """The usual proposal with OpenML's target as the label, without what is ignored there or left out here."""
    targets = [target for target in _names(about.get("default_target_attribute")) if target in table.columns]
    every_row = tuple((kind, False) for kind in ROW_GROUPS)  # its files hold no titles and no totals
    plan = unasked_plan(table, Choices(label=targets[0] if targets else None, row_groups=every_row)).columns
    if targets:
        why = "" if plan.label_mode == "classes" else "; it holds many different numbers"
        plan = replace(plan, label_reason=f"OpenML's default target{why}")
    away = dict.fromkeys(targets[1:], "it is another target")
    away |= dict.fromkeys(_names(about.get("row_id_attribute")), "OpenML says that it numbers the rows")
    away |= dict.fromkeys(_names(about.get("ignore_attribute")), "OpenML says to ignore it")
    away |= {column: why for name, why in left_out for column in table.columns if column.lower() == name.lower()}
    if whole_rows:
        names = tuple(name for name in table.columns if name != plan.label and name not in away)
        plan = replace(plan, features=names, left_out=(), categories=())
    elif not away:
        plan = with_all_pixels(table, plan)
    kept = tuple(name for name in plan.features if name not in away)
    others = tuple((name, why) for name, why in plan.left_out if name not in away)
    new = tuple((name, away[name]) for name in table.columns if name in away and name != plan.label)
    return replace(plan, features=kept, left_out=(*others, *new))


def _names(value: object) -> list[str]:
    """Names of attributes: OpenML writes none, one, several with commas between, or a list."""
    parts = value if isinstance(value, list) else str(value or "").split(",")
    return [str(part).strip().strip('"') for part in parts if str(part).strip()]

"""JSON and XML -> Cells: the records in them, however they are wrapped, nested or keyed."""

from __future__ import annotations

import ast
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain
from typing import Any

from datasets.base.errors import DataError
from datasets.base.words import counted, first_few, numbered
from datasets.reading.cubes import records_of_cube
from datasets.reading.decoding import SCRIPT, decoded
from datasets.reading.elements import scattered_records, values_of_element
from datasets.reading.formats import Cells, Refused, cell_text, check_dimensions
from datasets.reading.numerals import looks_like_a_number
from datasets.reading.table import Limits, unique_names


def read_records(data: bytes, limits: Limits, sheet: str | None = None) -> Cells:
    """[{"a": 1, "label": "x"}, …]; {"a": [1, …], "label": ["x", …]}; {"a": 1, "label": "x"} on each line; one list of
    records beside other things; and what pandas writes with orient "columns", "index", "split" and "records"."""
    try:
        found = decoded(data, "The text")
    except DataError as error:
        raise Refused(f"is JSON that cannot be read. {str(error).rstrip('.')}") from None
    text = found.text
    text = SCRIPT.sub("", text, count=1).rstrip("; \r\n")
    again = Counter[str]()

    def of_pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        held = dict(pairs)
        if len(held) < len(pairs):
            again.update(key for key, n in Counter(key for key, _ in pairs).items() if n > 1)
        return held

    decoder = json.JSONDecoder(object_pairs_hook=of_pairs)
    try:
        content = decoder.decode(text)
    except json.JSONDecodeError as error:
        again.clear()
        try:
            content = _one_by_one(text, error, decoder)
        except Refused:
            if not (content := _python_values(text)):
                raise
    content, notes = _with_tags(records_of_cube(content) or content)
    cells = _records_in(content, limits, "JSON", sheet)
    return replace(cells, notes=[*found.notes, *notes, *_said_of_keys(again), *cells.notes])


def _said_of_keys(again: Counter[str]) -> list[str]:
    """A sentence on keys that an object holds several times, each with the number of such objects."""
    if not again:
        return []
    keys = first_few([f"{key!r} (in {counted(n, 'object', 'objects')})" for key, n in again.most_common()])
    return [f"Of keys that an object holds several times the last value was read: {keys}."]


def read_xml(data: bytes, limits: Limits, sheet: str | None = None) -> Cells:
    """The records of XML, elements of one name below each other, with their attributes and what they hold."""
    from xml.etree import ElementTree

    data = data.removeprefix(b"\xef\xbb\xbf")
    try:
        root = ElementTree.fromstring(data)
    except ElementTree.ParseError as error:
        declared = _DECLARATION.match(data)
        head = declared[0] if declared else b""
        try:
            root = ElementTree.fromstring(head + b"<all>" + data[len(head) :] + b"</all>")  # several next to each other
        except ElementTree.ParseError:
            raise Refused(f"is not valid XML: {error}") from None
    content = scattered_records(root) or values_of_element(root)
    if not isinstance(content, dict):
        raise Refused("is XML that holds no records")
    return _records_in(content, limits, "XML", sheet)


_DECLARATION = re.compile(rb"\s*<\?xml[^>]*\?>")
_OUTER = "outer records"  # no name of a list, most likely


def _records_in(content: Any, limits: Limits, what: str, sheet: str | None) -> Cells:
    """The records in what was parsed, or those in lists inside them, as cells."""
    beside, lists, outer = list[str](), list[str](), _OUTER
    if isinstance(content, list) and len(content) == 1 and isinstance(content[0], dict) and _tables(content[0]):
        content = content[0]  # an answer in a list of its own
    if isinstance(content, dict):
        content = _with_keyed_records(_with_keyed_rows(content))
        content, beside = _around_tables(content) or (content, [])
        records, used = _from_columns(content, sheet)
        lists = [name for name, of in content.items() if name in used or (_tables({name: of}) and len(of) > 1)]
        lists = lists if len(lists) > 1 and content.get(used[0]) is records else []
        outer = used[0] if lists else _OUTER
        beside += [name for name in content if used and name not in (*used, *lists)]
        content = records
    elif _are_rows(content) and (head := _names_in(content[0])) is not None:
        content = _below_names(head, content[1:])
    elif _are_rows(content) and not any(isinstance(value, (dict, list)) for row in content for value in row):
        content = _below_names(list(numbered("column", len(content[0]))), content)
    if not isinstance(content, list) or not all(isinstance(record, dict) for record in content):
        raise Refused(f'is {what} but not a list of records such as [{{"a": 1, "label": "x"}}]')
    flat, unrolled = _with_lists_as_rows([_flat(record) for record in _without_lists_of_one(content)])
    content, sheet, inside, said = _inner(flat, _OUTER if sheet == outer else sheet)
    sheet = outer if sheet == _OUTER else sheet
    sheets = (*lists, *inside) if lists or not inside else (_OUTER, *inside)
    content, spread, joined = _with_lists(content)
    names: dict[str, None] = {}
    for record in content:
        names.update(dict.fromkeys(record))
        check_dimensions(0, len(names), limits)
    check_dimensions(len(content), len(names), limits)
    nested = [name for name in names if any(isinstance(record.get(name), (dict, list)) for record in content)]
    objects = {name.rpartition(".")[0] for name in names}  # null in other records
    empty = {name for name in objects if all(record.get(name) is None for record in content)}
    kept = tuple(name for name in names if name not in nested and name not in empty)
    if not kept:
        raise Refused(f"is {what} whose records hold no plain values; save it as a list of records or as CSV")
    rows = [tuple(cell_text(record.get(name)) for name in kept) for record in content]
    about = {"Left out beside the records": beside, "A column for each number of a list": spread}
    about["A row for each value of lists as long as each other"] = unrolled
    about |= {"Lists in one cell": joined, "Left out, as nested": [name for name in nested if name not in inside]}
    notes = [f"{what}: {first_few(of)}." for what, of in about.items() if of]
    if sheets:
        found = first_few([repr(name) for name in (*lists, *inside)])
        notes.append(f"Lists of records: {found}; {sheet!r} was read. Another can be chosen as 'Sheet'.{said}")
    return Cells(kept, rows, range(1, len(rows) + 1), notes, sheets=sheets, sheet=sheet)


def _with_tags(content: Any) -> tuple[Any, list[str]]:
    """(an answer of OpenStreetMap without the elements that have no tags where others have some, a sentence on these):
    nodes without tags are the points of ways. "type" is "element": it only tells points from lines."""
    elements = content.get("elements") if isinstance(content, dict) else None
    if not isinstance(elements, list) or not all(isinstance(each, dict) for each in elements):
        return content, []
    tagged = [each for each in elements if isinstance(each.get("tags"), dict) and each["tags"]]
    if not tagged or not {each.get("type") for each in elements} <= {"node", "way", "relation"}:
        return content, []
    n_bare = len(elements) - len(tagged)
    notes = [f"{counted(n_bare, 'element', 'elements')} without tags, as the points of ways, were left out."]
    records = [{"element" if key == "type" else key: value for key, value in each.items()} for each in tagged]
    return content | {"elements": records}, notes if n_bare else []


def _without_lists_of_one(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """[{"a": [{"b": 1}]}] as [{"a": {"b": 1}}], where most records hold such a list and none one of more records."""
    held: dict[str, list[Any]] = {}
    for record in records:
        for name, value in record.items():
            if value:
                held.setdefault(name, []).append(value)
    often = {name: values for name, values in held.items() if 2 * len(values) > len(records)}
    single = {name for name, values in often.items() if all(_tables({name: v}) and len(v) == 1 for v in values)}
    return [{name: v[0] if name in single and v else v for name, v in record.items()} for record in records]


def _inner(records: list[dict[str, Any]], sheet: str | None) -> tuple[list[dict[str, Any]], str, list[str], str]:
    """(the records of one list inside these, beside their other fields, its name; the names of all such lists; a
    sentence on records without any).

    The list is `sheet`, else the only one if it holds twice as many records as there are, or as many with more fields,
    and no fewer numbers each, or the longest in a single record; the records themselves, under the name _OUTER, where
    there is none or that is `sheet`.
    """
    sizes = Counter[str]()
    for record in records:
        sizes.update({name: len(value) for name, value in record.items() if _tables({name: value})})
    longest, n = max(sizes.items(), key=lambda item: item[1], default=("", 0))
    if sheet not in (_OUTER, *sizes):
        inner = (len(each) for record in records for each in record.get(longest) or ())
        is_wider = n >= len(records) and max(inner, default=0) > max(map(len, records))
        are_inside = (n >= 2 * len(records) or is_wider) and (len(sizes) == 1 or len(records) == 1)
        if len(records) >= _FEWEST_KEYED and are_inside:  # and tell more than links, titles or a part of each record
            most = max(_n_numbers(each) for record in records for each in record.get(longest) or ())
            are_inside = most > 0 and most >= min(map(_n_numbers, records))
        sheet = longest if are_inside else _OUTER
    if sheet == _OUTER:
        return records, sheet, list(sizes), ""
    beside = [{key: value for key, value in record.items() if key != sheet} for record in records]
    own = {key for outer in beside for key in outer}
    found = [
        outer | {f"{sheet}.{key}" if key in own else key: value for key, value in _flat(inner).items()}
        for outer, record in zip(beside, records, strict=True)
        for inner in record.get(sheet) or ()
    ]
    n_without = sum(not record.get(sheet) for record in records)
    said = f" {counted(n_without, 'record holds', 'records hold')} none of it." if n_without else ""
    return found, sheet, list(sizes), said


def _n_numbers(record: dict[str, Any]) -> int:
    return sum(looks_like_a_number(str(value)) for value in record.values() if isinstance(value, (int, float, str)))


def _flat(record: dict[str, Any], most_levels: int = 3) -> dict[str, Any]:
    """{"a": {"b": 1}, "c": 2} as {"a.b": 1, "c": 2} and [[1, 2]], a single point of several, as [1, 2]; what is nested
    deeper than three levels stays nested."""
    flat: dict[str, Any] = {}
    for name, value in record.items():
        if isinstance(value, dict) and most_levels:
            flat |= {f"{name}.{key}": inner for key, inner in _flat(value, most_levels - 1).items()}
        else:
            flat[name] = value
    for name, value in flat.items():
        if isinstance(value, list) and len(value) == 1 and isinstance(value[0], list):
            flat[name] = value[0]
    return flat


def _with_lists_as_rows(records: list[dict[str, Any]]) -> tuple[list[dict[str, Any]], list[str]]:
    """(a record for each place of the lists, their names) where those of a record are as long as each other and longer
    or shorter than those of others, as in the traces of a plot; else the records themselves."""
    plain = ({k for k, v in each.items() if isinstance(v, list) and not any(map(_is_nested, v))} for each in records)
    names = set.intersection(*plain) if records else set[str]()
    sizes = [{len(each[name]) for name in names} for each in records]
    if len(names) < 2 or any(len(size) > 1 for size in sizes) or len({min(size) for size in sizes}) < 2:
        return records, []
    rows = [
        {name: value[k] if name in names else value for name, value in each.items()}
        for each, size in zip(records, sizes, strict=True)
        for k in range(min(size))
    ]
    return rows, [name for name in records[0] if name in names]


def _is_nested(value: Any) -> bool:
    return isinstance(value, (dict, list))


def _with_lists(records: list[dict[str, Any]]) -> tuple[list[dict[str, Any]], list[str], list[str]]:
    """Spread lists of numbers, all of one length, over columns, and join other lists of plain values to one cell each;
    also the names of both. A few nested lists beside these, as of several points, are gaps."""
    lists: dict[str, list[list[Any]]] = {}
    others, plain = Counter[str](), set[str]()
    for record in records:
        for name, value in record.items():
            if isinstance(value, list) and not any(isinstance(each, (dict, list)) for each in value):
                lists.setdefault(name, []).append(value)
            elif isinstance(value, (dict, list)):
                others[name] += 1
            elif value is not None:
                plain.add(name)
    nested = {name for name, n in others.items() if n > _FEW_NESTED * len(lists.get(name, ()))}
    lengths = {
        name: len(values[0])
        for name, values in lists.items()
        if all(len(value) == len(values[0]) and all(type(each) in (int, float) for each in value) for value in values)
    }
    spread = {name: length for name, length in lengths.items() if length and name not in nested | plain}
    nested |= others.keys() - spread.keys()
    joined = [name for name in lists if name not in nested and name not in spread]
    mark = {name: " | " if _are_words(chain.from_iterable(lists[name])) else "; " for name in joined}

    def cells(name: str, value: Any) -> dict[str, Any]:
        if name in spread:
            is_plain = isinstance(value, list) and not any(isinstance(each, (dict, list)) for each in value)
            numbers = value if is_plain else [None] * spread[name]
            return {f"{name} {k + 1}": number for k, number in enumerate(numbers)}
        return {name: mark[name].join(map(cell_text, value)) if name in mark and isinstance(value, list) else value}

    return (
        [{k: v for name in record for k, v in cells(name, record[name]).items()} for record in records],
        [
            f"{name} ({counted(n, 'other list counts', 'other lists count')} as missing)"
            if (n := others[name])
            else name
            for name in spread
        ],
        joined,
    )


_LONGEST_ANSWER = 40  # characters
_FEW_NESTED = 0.05  # for each list of numbers


def _are_words(values: Iterable[Any]) -> bool:
    return all(isinstance(value, str) and len(value) <= _LONGEST_ANSWER for value in values)


def _python_values(text: str) -> list[object]:
    """The dicts on the lines of a text, as Python prints them; [] of any other."""
    try:
        found = [ast.literal_eval(line) for line in text.splitlines() if line.strip()]
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return []
    return found if all(isinstance(each, dict) for each in found) else []


_BETWEEN = re.compile(r"[\s,]*")


def _one_by_one(text: str, error: json.JSONDecodeError, decoder: json.JSONDecoder) -> list[object]:
    """Parse values that stand behind each other, such as one record a line, with or without commas between them."""
    found: list[object] = []
    at = len(text) - len(text.lstrip())
    try:
        while at < len(text):
            value, end = decoder.raw_decode(text, at)
            found.append(value)
            between = _BETWEEN.match(text, end)
            at = between.end() if between else end
    except json.JSONDecodeError as later:
        error, found = later, found[:0]
    if not found:
        raise Refused(f"is not sound JSON: line {error.lineno}, column {error.colno}: {error.msg}")
    return found


_FEWEST_KEYED = 10


def _with_keyed_rows(content: dict[str, Any]) -> dict[str, Any]:
    """{"5": ["good", 3, 5], "7": ["bad", 0, 1], ...}, many lists of equally many values that are of the same kind at
    the same place, but not all of one, as records with their keys."""
    rows = list(content.values())
    if len(rows) < _FEWEST_KEYED or not _are_rows(rows) or len(rows[0]) > len(rows):
        return content
    kinds = [{isinstance(value, str) for value in of if value is not None} for of in zip(*rows, strict=True)]
    if any(len(kind) != 1 for kind in kinds) or len(set(map(frozenset, kinds))) == 1:
        return content
    records = ({f"item {k}": value for k, value in enumerate(row, start=1)} for row in rows)
    return {"key": [{"key": key, **record} for key, record in zip(content, records, strict=True)]}


def _with_keyed_records(content: dict[str, Any]) -> dict[str, Any]:
    """The object where a value beside others that holds many records below keys, {"items": {"a1": {...}, ...}}, is a
    list of these, with their keys; several lists of records with the same fields are joined to one, likewise."""
    lists = {name: value for name, value in content.items() if _tables({name: value})}
    if len(lists) > 1 and len({frozenset(key for each in value for key in each) for value in lists.values()}) == 1:
        joined = [{"key": name, **each} for name, value in lists.items() for each in value]
        return {"key": joined, **{name: value for name, value in content.items() if name not in lists}}

    def records(value: Any) -> Any:
        if not isinstance(value, dict) or len(value) < _FEWEST_KEYED:
            return value
        inner = [each for each in value.values() if isinstance(each, dict)]
        found = Counter(chain.from_iterable(inner))
        usual = {key for key, n in found.items() if 2 * n > len(value)}
        if len(inner) < len(value) or not usual or any(2 * len(usual & each.keys()) < len(usual) for each in inner):
            return value
        return [{"key": name, **each} for name, each in value.items()]

    return {name: records(value) for name, value in content.items()} if len(content) > 1 else content


_DEEPEST = 3
_MORE_RECORDS = 2  # than fields


def _around_tables(content: dict[str, Any], depth: int = _DEEPEST) -> tuple[dict[str, Any], list[str]] | None:
    """The one object, this or inside it, whose values are lists of records or rows, and the names beside it; None if
    several.

    Answers of web interfaces wrap their records: {"response": {"total": 2, "items": [{...}, {...}]}}. The names of rows
    may stand deeper: {"meta": {"view": {"columns": [{"name": "a"}, ...]}}, "data": [[1, ...], ...]}.
    """
    if _tables(content) or _named_rows(content):
        return content, []
    for key, rows in content.items():
        if _are_rows(rows) and (names := next(_lists_of_names(content, len(rows[0]), depth), None)) is not None:
            return {"columns": names, "data": rows}, [name for name in content if name != key]
    inside = {name: value for name, value in content.items() if isinstance(value, dict) and depth}
    found = [(name, held) for name, value in inside.items() if (held := _around_tables(value, depth - 1))]
    if len(found) != 1:
        return None
    around, (inner, beside) = found[0]
    return inner, [*(name for name in content if name != around), *beside]


def _lists_of_names(content: dict[str, Any], width: int, depth: int) -> Iterator[list[dict[str, Any]]]:
    """The lists inside an object that describe so many columns."""
    for of, value in content.items():
        if of.lower() in _HEADS and isinstance(value, list) and len(value) == width and _names_in(value) is not None:
            yield value
        elif isinstance(value, dict) and depth:
            yield from _lists_of_names(value, width, depth - 1)


def _tables(content: dict[str, Any]) -> list[list[dict[str, Any]]]:
    lists = [values for values in content.values() if isinstance(values, list) and values]
    return [values for values in lists if all(isinstance(record, dict) for record in values)]


def _are_rows(value: Any, width: int | None = None) -> bool:
    """Whether a value is a list of lists of so many values each, of any number of these where it is None."""
    is_table = isinstance(value, list) and bool(value) and all(isinstance(row, list) for row in value)
    return is_table and {len(row) for row in value} == {width or len(value[0])}


_HEADS = {"columns", "fields", "header", "headers", "names"}
_NAMING = ("fieldName", "name", "code", "id", "key", "title", "label", "text")


def _names_in(value: Any) -> list[str] | None:
    """Names of columns: texts, or the different names in objects that describe each column; None of anything else."""
    if not isinstance(value, list) or not value:
        return None
    for of in _NAMING if all(isinstance(each, dict) for each in value) else ():
        if all(isinstance(each.get(of), str) for each in value) and len({each[of] for each in value}) == len(value):
            return [each[of] for each in value]
    return list(unique_names(tuple(value))) if all(isinstance(each, str) for each in value) else None


def _named_rows(content: dict[str, Any]) -> tuple[list[str], str, str] | None:
    """(the names of the columns, where the rows of plain values stand, where as many names beside them do); None where
    there are none. Of as many rows as names the list could be a column of words as well."""
    for key, rows in content.items():
        for of, names in content.items() if _are_rows(rows) else ():
            if (found := _names_in(names)) is None or not _are_rows(rows, len(found)):
                continue
            if len(rows) != len(found) or of.lower() in _HEADS or isinstance(names[0], dict):
                return found, key, of
    return None


def _below_names(names: list[str], rows: list[list[Any]]) -> list[dict[str, Any]]:
    return [dict(zip(names, row, strict=True)) for row in rows]


def _describes(fields: list[dict[str, Any]], records: list[dict[str, Any]]) -> bool:
    """Whether objects have the keys of the records as their names: {"fields": [{"name": "a"}], "data": [{"a": 1}]}."""
    keys, names = {key for record in records for key in record}, set(_names_in(fields) or ())
    return keys <= names and 2 * len(keys) > len(names) > 1


def _from_columns(content: dict[str, Any], sheet: str | None = None) -> tuple[list[dict[str, Any]], tuple[str, ...]]:
    """(the records, the names of the values that these were taken from; () for all): of several lists of records
    `sheet`, else the one with the most values that describes no other."""
    if named := _named_rows(content):  # {"columns": ["a", "b"], "data": [[1, 2], ...]}
        names, *used = named
        return _below_names(names, content[used[0]]), tuple(used)
    if tables := _tables(content):  # {"source": "...", "data": [{...}, ...]}
        tell = [each for each in tables if not any(_describes(each, of) for of in tables if of is not each)]
        records = max(tell or tables, key=lambda each: sum(map(len, each)))
        records = content[sheet] if sheet and _tables({sheet: content.get(sheet)}) else records
        return records, tuple(name for name, value in content.items() if value is records)
    heads, rows = content.get("columns"), content.get("data")
    if isinstance(heads, list) and isinstance(rows, list) and all(isinstance(row, list) for row in rows):
        raise Refused("is JSON whose rows under 'data' have other lengths than its 'columns'")
    return _by_columns(content), ()


def _by_columns(content: dict[str, Any]) -> list[dict[str, Any]]:
    if content and all(isinstance(values, dict) for values in content.values()):
        # As pandas writes a table: {"a": {"0": 1, "1": 2}, "label": {"0": "x", "1": "y"}}.
        if all(name.isdigit() for name in content):  # or row by row, by orient "index"
            return list(content.values())
        kinds = [
            {isinstance(value, str) for value in values.values() if value is not None} for values in content.values()
        ]
        keys = dict.fromkeys(key for values in content.values() for key in values)
        are_named = len(content) > _MORE_RECORDS * len(keys) and not any(map(str.isdecimal, keys))
        if are_named or any(len(kind) > 1 for kind in kinds):  # words and numbers: a record below its name, no column
            return [{"key": name, **values} for name, values in content.items()]
        return [{name: values.get(key) for name, values in content.items()} for key in keys]
    if not content or not all(isinstance(values, list) for values in content.values()):
        return [content]
    if len({len(values) for values in content.values()}) != 1:
        sizes = ", ".join(f"{name!r}: {len(values)}" for name, values in list(content.items())[:5])
        raise Refused(f"is JSON with columns of different lengths ({sizes})")
    return [dict(zip(content, row, strict=True)) for row in zip(*content.values(), strict=True)]


OF_RECORDS = {"json": read_records, "xml": read_xml}  # which take a sheet, too

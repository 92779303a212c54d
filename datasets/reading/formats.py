"""Formats other than text and workbooks -> Cells: Parquet, JSON, ARFF, libsvm, NPZ and NPY, their sizes checked first.

Each runs in the child process only and imports its library when it is used.
"""

from __future__ import annotations

import ast
import datetime
import io
import json
import math
import re
import zipfile
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from datasets.base.words import counted, first_few
from datasets.reading.decoding import SCRIPT, svmlight_indices
from datasets.reading.elements import scattered_records, values_of_element
from datasets.reading.table import Limits, Row, unique_names


class Refused(Exception):
    """A sentence about the file, without its name."""


@dataclass
class Cells:
    """Text cells; `columns` is None where the first row has still to be looked at."""

    columns: tuple[str, ...] | None
    rows: list[Row]
    line_numbers: Sequence[int]
    notes: list[str] = field(default_factory=list)
    others: list[str] = field(default_factory=list)  # sentences on other tables of the file that were left out
    sheets: tuple[str, ...] = ()
    sheet: str = ""
    alike: tuple[str, ...] = ()  # sheets with the columns of this one
    beside: Sequence[Callable[[], Cells]] = ()  # what reads each of the sheets that may tell more of the rows
    n_above: int = 0  # rows above the table


def cell_text(value: object) -> str:
    """Numbers without a needless ".0", dates as ISO, missing values as ""."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, bool):
        return str(value)
    if isinstance(value, float):
        if math.isnan(value):
            return ""
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
    if isinstance(value, datetime.datetime) and value.time() == datetime.time():
        return value.date().isoformat()
    if isinstance(value, (datetime.date, datetime.time)):
        return value.isoformat()
    if isinstance(value, datetime.timedelta):  # of a spreadsheet: 36 hours stay 36 hours
        minutes, seconds = divmod(round(value.total_seconds()), 60)
        return f"{minutes // 60:02d}:{minutes % 60:02d}:{seconds:02d}"
    if isinstance(value, bytes):
        return value.decode("utf-8", errors="replace").strip()
    return str(value).strip()


def check_dimensions(n_rows: int, n_columns: int, limits: Limits) -> None:
    """Refuse more columns or cells than are read."""
    if n_columns > limits.columns:
        raise Refused(f"has {n_columns:,} columns; at most {limits.columns:,} are read")
    if n_rows * n_columns > limits.cells:
        raise Refused(
            f"has {n_rows:,} rows of {n_columns:,} columns; at most {limits.cells:,} cells are read: save a sample of "
            "the rows"
        )


def _nested_note(names: Sequence[str]) -> list[str]:
    return [f"Left out, as nested: {first_few(names)}."] if names else []


_MAX_TEXT = 100_000_000  # characters of a Parquet file


def read_parquet(data: bytes, limits: Limits) -> Cells:
    """All rows, after the footer's counts have been looked at."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    pa.set_cpu_count(1)
    file = pq.ParquetFile(io.BytesIO(data))
    footer = file.metadata
    size = sum(footer.row_group(k).total_byte_size for k in range(footer.num_row_groups))
    if size > limits.decoded_bytes:
        raise Refused(f"unpacks to {size / 1e6:,.0f} MB; at most {limits.decoded_bytes // 1_000_000} MB are read")
    check_dimensions(footer.num_rows, footer.num_columns, limits)
    schema = file.schema_arrow
    nested = [field.name for field in schema if pa.types.is_nested(field.type)]
    names = tuple(name for name in schema.names if name not in nested)
    if not names:
        raise Refused("holds only nested columns; save it with one value a cell")
    rows: list[Row] = []
    total = 0
    # The keys of a dictionary page may be long: few rows at a time until their length is known.
    for batch in file.iter_batches(batch_size=1024, columns=list(names), use_threads=False):
        columns = []
        for column in batch.columns:
            cells = [cell_text(value) for value in column.to_pylist()]
            total += sum(map(len, cells))
            if total > _MAX_TEXT:
                raise Refused(f"unpacks to more than {_MAX_TEXT // 1_000_000} MB of cells; save a sample of the rows")
            columns.append(cells)
        rows.extend(zip(*columns, strict=True))
    return Cells(names, rows, range(1, len(rows) + 1), _nested_note(nested))


def read_records(data: bytes, limits: Limits, sheet: str | None = None) -> Cells:
    """[{"a": 1, "label": "x"}, …]; {"a": [1, …], "label": ["x", …]}; {"a": 1, "label": "x"} on each line; one list of
    records beside other things; and what pandas writes with orient "columns", "index", "split" and "records"."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Refused("is JSON but not UTF-8; save it as UTF-8") from None
    text = SCRIPT.sub("", text, count=1).rstrip("; \r\n")
    try:
        content = json.loads(text)
    except json.JSONDecodeError as error:
        content = _python_values(text) or _one_by_one(text, error)
    return _records_in(content, limits, "JSON", sheet)


def read_xml(data: bytes, limits: Limits, sheet: str | None = None) -> Cells:
    """The records of XML, elements of one name below each other, with their attributes and what they hold."""
    from xml.etree import ElementTree

    try:
        root = ElementTree.fromstring(data)
    except ElementTree.ParseError as error:
        raise Refused(f"is not valid XML: {error}") from None
    content = scattered_records(root) or values_of_element(root)
    if not isinstance(content, dict):
        raise Refused("is XML that holds no records")
    return _records_in(content, limits, "XML", sheet)


_OUTER = "outer records"  # no name of a list, most likely


def _records_in(content: Any, limits: Limits, what: str, sheet: str | None) -> Cells:
    """The records in what was parsed, or those in lists inside them, as cells."""
    beside: list[str] = []
    if isinstance(content, list) and len(content) == 1 and isinstance(content[0], dict) and _tables(content[0]):
        content = content[0]  # an answer in a list of its own
    if isinstance(content, dict):
        content = _with_keyed_records(content)
        content, beside = _around_tables(content) or (content, [])
        records, used = _from_columns(content)
        beside += [name for name in content if used and name not in used]
        content = records
    elif _are_rows(content) and (head := _names_in(content[0])) is not None:
        content = _below_names(head, content[1:])
    if not isinstance(content, list) or not all(isinstance(record, dict) for record in content):
        raise Refused(f'is {what} but not a list of records such as [{{"a": 1, "label": "x"}}]')
    content, sheet, inside, said = _inner([_flat(record) for record in _without_lists_of_one(content)], sheet)
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
    about |= {"Lists in one cell": joined, "Left out, as nested": [name for name in nested if name not in inside]}
    notes = [f"{what}: {first_few(of)}." for what, of in about.items() if of]
    if inside:
        lists = first_few([repr(name) for name in inside])
        notes.append(f"Lists of records: {lists}; {sheet!r} was read. Another can be chosen as 'Sheet'.{said}")
    sheets = (_OUTER, *inside) if inside else ()
    return Cells(kept, rows, range(1, len(rows) + 1), notes, sheets=sheets, sheet=sheet)


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
    or the longest in a single record; the records themselves, under the name _OUTER, where there is none or that is
    `sheet`.
    """
    sizes = Counter[str]()
    for record in records:
        sizes.update({name: len(value) for name, value in record.items() if _tables({name: value})})
    longest, n = max(sizes.items(), key=lambda item: item[1], default=("", 0))
    if sheet not in (_OUTER, *sizes):
        inner = (len(each) for record in records for each in record.get(longest) or ())
        is_wider = n >= len(records) and max(inner, default=0) > max(map(len, records))
        are_inside = (n >= 2 * len(records) or is_wider) and (len(sizes) == 1 or len(records) == 1)
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


def _with_lists(records: list[dict[str, Any]]) -> tuple[list[dict[str, Any]], list[str], list[str]]:
    """Spread lists of numbers, all of one length, over columns, and join other lists of plain values to one cell each;
    also the names of both."""
    lists: dict[str, list[list[Any]]] = {}
    nested, plain = set[str](), set[str]()
    for record in records:
        for name, value in record.items():
            if isinstance(value, list) and not any(isinstance(each, (dict, list)) for each in value):
                lists.setdefault(name, []).append(value)
            elif isinstance(value, (dict, list)):
                nested.add(name)
            elif value is not None:
                plain.add(name)
    lengths = {
        name: len(values[0])
        for name, values in lists.items()
        if all(len(value) == len(values[0]) and all(type(each) in (int, float) for each in value) for value in values)
    }
    spread = [name for name, length in lengths.items() if length and name not in nested | plain]
    joined = [name for name in lists if name not in nested and name not in spread]

    def cells(name: str, value: Any) -> dict[str, Any]:
        if name in spread:
            return {f"{name} {k + 1}": None if value is None else value[k] for k in range(lengths[name])}
        return {name: "; ".join(map(cell_text, value)) if name in joined and isinstance(value, list) else value}

    return (
        [{k: v for name in record for k, v in cells(name, record[name]).items()} for record in records],
        spread,
        joined,
    )


def _python_values(text: str) -> list[object]:
    """The dicts on the lines of a text, as Python prints them; [] of any other."""
    try:
        found = [ast.literal_eval(line) for line in text.splitlines() if line.strip()]
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return []
    return found if all(isinstance(each, dict) for each in found) else []


_BETWEEN = re.compile(r"[\s,]*")


def _one_by_one(text: str, error: json.JSONDecodeError) -> list[object]:
    """Parse values that stand behind each other, such as one record a line, with or without commas between them."""
    found: list[object] = []
    decoder, at = json.JSONDecoder(), len(text) - len(text.lstrip())
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


def _with_keyed_records(content: dict[str, Any]) -> dict[str, Any]:
    """The object where a value beside others that holds many records below keys, {"items": {"a1": {...}, ...}}, is a
    list of these, with their keys."""

    def records(value: Any) -> Any:
        if not isinstance(value, dict) or len(value) < _FEWEST_KEYED:
            return value
        inner = list(value.values())
        if not all(isinstance(each, dict) and each and each.keys() == inner[0].keys() for each in inner):
            return value
        return [{"key": name, **each} for name, each in value.items()]

    return {name: records(value) for name, value in content.items()} if len(content) > 1 else content


_DEEPEST = 3


def _around_tables(content: dict[str, Any], depth: int = _DEEPEST) -> tuple[dict[str, Any], list[str]] | None:
    """The one object, this or inside it, whose values are lists of records or rows, and the names beside it; None if
    several.

    Answers of web interfaces wrap their records: {"response": {"total": 2, "items": [{...}, {...}]}}.
    """
    if _tables(content) or _named_rows(content):
        return content, []
    inside = {name: value for name, value in content.items() if isinstance(value, dict) and depth}
    found = [(name, held) for name, value in inside.items() if (held := _around_tables(value, depth - 1))]
    if len(found) != 1:
        return None
    around, (inner, beside) = found[0]
    return inner, [*(name for name in content if name != around), *beside]


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


def _from_columns(content: dict[str, Any]) -> tuple[list[dict[str, Any]], tuple[str, ...]]:
    """(the records, the names of the values that these were taken from; () for all)."""
    if named := _named_rows(content):  # {"columns": ["a", "b"], "data": [[1, 2], ...]}
        names, *used = named
        return _below_names(names, content[used[0]]), tuple(used)
    if tables := _tables(content):  # {"source": "...", "data": [{...}, ...]}
        records = max(tables, key=len)
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
        if any(len(kind) > 1 for kind in kinds):  # words and numbers: a record below its name, no column
            return [{"key": name, **values} for name, values in content.items()]
        keys = dict.fromkeys(key for values in content.values() for key in values)
        return [{name: values.get(key) for name, values in content.items()} for key in keys]
    if not content or not all(isinstance(values, list) for values in content.values()):
        return [content]
    if len({len(values) for values in content.values()}) != 1:
        sizes = ", ".join(f"{name!r}: {len(values)}" for name, values in list(content.items())[:5])
        raise Refused(f"is JSON with columns of different lengths ({sizes})")
    return [dict(zip(content, row, strict=True)) for row in zip(*content.values(), strict=True)]


_DATE = re.compile(r"""^(\s*@attribute\s+(?:'[^']*'|"[^"]*"|\S+))\s+date\b.*$""", re.IGNORECASE)
_NOMINAL = re.compile(_DATE.pattern.replace(r"date\b", r"\{"), re.IGNORECASE)
_RANGE = re.compile(r"^(\s*@attribute\s+\S+\s+(?:real|integer|numeric))\s*\[.*\]\s*$", re.IGNORECASE)  # as KEEL writes
_INNER_BLANK, _JOIN = re.compile(r"(?<=[^\s,{}]) (?=[^\s,{}])"), "\ue002"
_WIDE_BLANKS = {0x3000: 0xE000, 0xA0: 0xE001}  # parts of a value, where the reader ends it


def _joined(line: str, mark: str = "") -> str:
    """The line with blanks inside values joined, behind `mark` if it holds that: "G. cuvier" is one without quotes."""
    begin = line.find(mark)
    return line if begin < 0 else line[:begin] + _INNER_BLANK.sub(_JOIN, line[begin:])


def read_arff(data: bytes, limits: Limits) -> Cells:
    """Rows with the line of each; values that are not declared are kept, in sparse rows refused."""
    import arff

    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("cp1252", errors="replace")
    lines = text.splitlines()
    begin = next((k for k, line in enumerate(lines) if line.strip().lower().startswith("@data")), None)
    if begin is None:
        raise Refused("is an ARFF file without @data; nothing follows the attributes")
    numbers = [
        k + 1 for k in range(begin + 1, len(lines)) if lines[k].strip() and not lines[k].lstrip().startswith("%")
    ]
    n_columns = sum(line.lstrip().lower().startswith("@attribute") for line in lines[:begin])
    check_dimensions(len(numbers), n_columns, limits)
    sparse = bool(numbers) and lines[numbers[0] - 1].lstrip().startswith("{")
    # The reader knows no dates; as text they are recognised later.
    head = [_RANGE.sub(r"\1", _DATE.sub(r"\1 STRING", line)) for line in lines[:begin]]
    notes: list[str] = []

    def parsed(head: list[str], body: list[str], *, is_joined: bool = False) -> dict[str, Any]:
        text = "\n".join([*head, *body]).translate(_WIDE_BLANKS)
        try:
            return dict(arff.loads(text, return_type=arff.LOD if sparse else arff.DENSE))
        except arff.BadNominalValue as error:
            value = str(error).removeprefix("Data value ").split(" not found")[0][:60]
            said = f"on line {error.line}, the value {value!r}, which its attribute does not declare"
            if sparse:
                raise Refused(f"has, {said}") from None
            notes.append(f"The file has, {said}; such values are kept.")
            return parsed([_NOMINAL.sub(r"\1 STRING", line) for line in head], body, is_joined=is_joined)
        except arff.ArffException as error:
            if not is_joined:
                return parsed([_joined(line, "{") for line in head], [_joined(line) for line in body], is_joined=True)
            reason = " ".join(str(error).split())[:160].rstrip(".")
            raise Refused(f"is not sound ARFF ({reason})") from None

    content = parsed(head, lines[begin:])
    names = tuple(name for name, _ in content["attributes"])
    content_rows = content["data"]
    if sparse:
        # What a sparse row leaves out is 0, or the first value its nominal attribute declares.
        zero = {k: 0 if isinstance(kind, str) else kind[0] for k, (_, kind) in enumerate(content["attributes"])}
        content_rows = [(zero | entries).values() for entries in content_rows]
    back = {of: blank for blank, of in _WIDE_BLANKS.items()} | {ord(_JOIN): " "}
    rows = [tuple(cell_text(value).translate(back) for value in row) for row in content_rows]
    return Cells(names, rows, numbers[: len(rows)], notes)


def read_svmlight(data: bytes, limits: Limits) -> Cells:
    """The label first, then a column for each index; of more cells than are read rows are drawn at random."""
    from sklearn.datasets import load_svmlight_file

    lines = data.removeprefix(b"\xef\xbb\xbf").splitlines()
    numbers = [k + 1 for k, line in enumerate(lines) if line.partition(b"#")[0].strip()]
    try:
        # Counting from 0, index j is column j; a file that counts from 1 has a first column that is not there.
        X, y = load_svmlight_file(io.BytesIO(b"\n".join(lines)), zero_based=True)
    except ValueError:
        faulty = next((k for k in numbers if svmlight_indices(lines[k - 1]) is None), numbers[-1])
        raise Refused(
            f"looks like a libsvm file, but line {faulty} is not a label and index:value pairs with "
            "growing indices. Mend the line"
        ) from None
    begin = 0 if X[:, :1].nnz else 1
    n_columns = X.shape[1] - begin + 1
    if n_columns > limits.columns:
        raise Refused(
            f"is a libsvm file with indices up to {X.shape[1] - 1:,}; at most {limits.columns:,} columns are read. "
            "Keep fewer features"
        )
    notes = ["A libsvm file: a label, then index:value pairs; what a line leaves out is 0."]
    most = max(1, limits.cells // n_columns)
    if len(numbers) > most:
        drawn = np.sort(np.random.default_rng(0).choice(len(numbers), most, replace=False))
        notes.append(f"It has {len(numbers):,} rows, more than are read at once: {most:,} were drawn at random.")
        X, y, numbers = X[drawn], y[drawn], [numbers[k] for k in drawn.tolist()]
    values = X[:, begin:].toarray().tolist()
    rows = [(cell_text(label), *(map(cell_text, row))) for label, row in zip(y.tolist(), values, strict=True)]
    names = ("label", *(f"feature {k}" for k in range(begin, X.shape[1])))
    return Cells(names, rows, numbers, notes)


def read_npz(data: bytes, limits: Limits) -> Cells:
    """X (n_samples, n_features) and y (n_samples,), as numpy.savez(file, X=X, y=y) writes them."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = {member.filename.removesuffix(".npy"): member for member in archive.infolist()}
        if members and not any(member.filename.endswith(".npy") for member in members.values()):
            raise Refused(f"is a zip archive (with {next(iter(members))[:60]!r}); unpack it and choose the table in it")
        if "X" not in members or "y" not in members:
            found = ", ".join(map(repr, list(members)[:5])) or "nothing"
            raise Refused(f"must hold the arrays X and y, as numpy.savez(file, X=X, y=y) writes them; it holds {found}")
        arrays = {}
        for name in ("X", "y"):
            if members[name].file_size > limits.decoded_bytes:
                raise Refused(
                    f"holds {members[name].file_size / 1e6:,.0f} MB in {name}; at most "
                    f"{limits.decoded_bytes // 1_000_000} MB are read"
                )
            with archive.open(members[name]) as stream:
                _check_header(stream, name, limits)
            with archive.open(members[name]) as stream:
                arrays[name] = np.lib.format.read_array(stream, allow_pickle=False)
    X, y = arrays["X"], arrays["y"]
    if y.ndim == 2 and 1 in y.shape:
        y = y.ravel()
    if X.ndim > 2:
        X = X.reshape(len(X), -1)
    if X.ndim != 2 or y.ndim != 1 or len(X) != len(y):
        raise Refused(f"has X of shape {X.shape} and y of shape {y.shape}; y must hold one label for each row of X")
    read = _matrix(X)
    rows = [(*row, cell_text(value)) for row, value in zip(read.rows, y.tolist(), strict=True)]
    return Cells((*(read.columns or ()), "label"), rows, read.line_numbers)


def _matrix(X: np.ndarray) -> Cells:
    rows = [tuple(map(cell_text, row)) for row in X.tolist()]
    return Cells(tuple(f"x{k + 1}" for k in range(X.shape[1])), rows, range(1, len(rows) + 1))


def read_npy(data: bytes, limits: Limits) -> Cells:
    """A single matrix (n_samples, n_columns); which column is the label is proposed as for any table."""
    _check_header(io.BytesIO(data), "the array", limits)
    M = np.lib.format.read_array(io.BytesIO(data), allow_pickle=False)
    if M.ndim != 2:
        raise Refused(f"holds an array of shape {M.shape}; a matrix is needed")
    rows = [tuple(map(cell_text, row)) for row in M.tolist()]
    return Cells(tuple(f"x{k + 1}" for k in range(M.shape[1])), rows, list(range(1, len(rows) + 1)))


def _check_header(stream: Any, name: str, limits: Limits) -> None:
    """Refuse by the header alone: a few bytes can claim any shape."""
    version = np.lib.format.read_magic(stream)
    read = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
    shape, _, dtype = read(stream)
    if dtype.hasobject:
        raise Refused(f"holds Python objects in {name}, which could run code and are never opened; save plain numbers")
    if dtype.names or dtype.kind not in "biufUS":
        raise Refused(f"holds {dtype} in {name}; numbers, or text for the labels, are needed")
    if math.prod(shape) > limits.cells or math.prod(shape) * dtype.itemsize > limits.decoded_bytes:
        size = " x ".join(f"{length:,}" for length in shape)
        raise Refused(f"says {name} has {size} entries; at most {limits.cells:,} are read")
    if len(shape) > 1 and math.prod(shape[1:]) > limits.columns:
        raise Refused(f"has {math.prod(shape[1:]):,} columns in {name}; at most {limits.columns:,} are read")


READERS: dict[str, Callable[[bytes, Limits], Cells]] = {
    "parquet": read_parquet,
    "npz": read_npz,
    "npy": read_npy,
    "arff": read_arff,
    "svmlight": read_svmlight,
}
OF_RECORDS = {"json": read_records, "xml": read_xml}  # which take a sheet, too

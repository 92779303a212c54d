"""Files of each format, built without any code of the product; SOUND holds the same four rows in each."""

import gzip
import io
import json
import struct
import zipfile
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq

_SHEET = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"


def written(write: Callable[[Any], Any]) -> bytes:
    """What `write` writes to a file, e.g. a workbook's save."""
    stream = io.BytesIO()
    write(stream)
    return stream.getvalue()


def workbook(**sheets: Iterable[Iterable[object]]) -> bytes:
    book = openpyxl.Workbook()
    book.remove(book.active)
    for title, rows in sheets.items():
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(list(row))
    return written(book.save)


def with_sheet(cells: str, before: str = "") -> bytes:
    """A workbook whose only sheet is the XML `cells`."""
    xml = f'<?xml version="1.0"?>{before}<worksheet xmlns="{_SHEET}"><sheetData>{cells}</sheetData></worksheet>'
    old = zipfile.ZipFile(io.BytesIO(workbook(one=[["a", "label"], [1, "x"]])))
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            new.writestr(name, xml if name == "xl/worksheets/sheet1.xml" else old.read(name))
    return stream.getvalue()


def parquet(**columns: object) -> bytes:
    return written(lambda stream: pq.write_table(pa.table(columns), stream))


def npz(**arrays: np.ndarray) -> bytes:
    return written(lambda stream: np.savez_compressed(stream, **arrays))


def npy(array: np.ndarray) -> bytes:
    return written(lambda stream: np.save(stream, array))


def arff(body: str, kinds: str = "{x,y}") -> bytes:
    head = "@relation t\n@attribute a numeric\n@attribute b numeric\n"
    return f"{head}@attribute label {kinds}\n@data\n{body}".encode()


def csv_of(**columns: Iterable[object]) -> bytes:
    lines = [",".join(columns), *(",".join(map(str, row)) for row in zip(*columns.values(), strict=True))]
    return ("\n".join(lines) + "\n").encode()


X = np.array([[1.0, 2.5], [2.0, 3.5], [3.0, 4.5], [4.0, 5.0]])
LABELS = ["x", "y", "x", "y"]
ROWS = [["a", "b", "label"], *([*x, y] for x, y in zip(X.tolist(), LABELS, strict=True))]
RECORDS = [dict(zip(ROWS[0], row, strict=True)) for row in ROWS[1:]]
_COLUMNS: dict[str, Any] = {"a": X[:, 0].tolist(), "b": X[:, 1].tolist(), "label": LABELS}
SOUND = {
    "text": csv_of(**_COLUMNS),
    "gzip": gzip.compress(csv_of(**_COLUMNS), mtime=0),
    "workbook": workbook(data=ROWS),
    "excel, shifted": workbook(empty=[], data=[[], [], *([None, *row] for row in ROWS)]),
    "parquet": parquet(**_COLUMNS),
    "parquet, categories": parquet(**_COLUMNS | {"label": pa.array(LABELS).dictionary_encode()}),
    "json records": json.dumps(RECORDS).encode(),
    "json lines": "\n".join(map(json.dumps, RECORDS)).encode(),
    "json columns": json.dumps(_COLUMNS).encode(),
    "arff": arff("1,2.5,x\n2,3.5,y\n% rest\n3,4.5,x\n4,5,y\n"),
    "arff, sparse": arff("{0 1,1 2.5}\n{0 2,1 3.5,2 y}\n{0 3,1 4.5,2 x}\n{0 4,1 5,2 y}\n"),
    "arff, string labels": arff("1,2.5,x\n2,3.5,y\n3,4.5,x\n4,5,y\n", kinds="string"),
    "npz": npz(X=X, y=np.array(LABELS)),
    "npz, float32": npz(X=X.astype("f4"), y=np.array(LABELS)[:, None]),
    "npy": npy(np.column_stack([X, [0, 1, 0, 1]])),
    "libsvm": b"".join(b"%d 1:%g 2:%g\n" % (k % 2, *row) for k, row in enumerate(X.tolist())),
}


def xls(rows: Iterable[Iterable[object]]) -> bytes:
    """An old workbook of one sheet: records of BIFF5 in a compound file of one stream."""

    def record(kind: int, content: bytes) -> bytes:
        return struct.pack("<HH", kind, len(content)) + content

    body = record(0x809, struct.pack("<HHHH", 0x500, 0x10, 0, 0))
    for r, row in enumerate(rows):
        for c, value in enumerate(row):
            at = struct.pack("<HHH", r, c, 0)
            if isinstance(value, str):
                body += record(0x204, at + struct.pack("<H", len(value)) + value.encode("latin-1"))
            else:
                body += record(0x203, at + struct.pack("<d", float(value)))
    body += record(0x0A, b"")
    front = record(0x809, struct.pack("<HHHH", 0x500, 0x05, 0, 0))
    place = len(front) + 4 + 7 + len("one") + 4
    sheet = record(0x85, struct.pack("<IHB", place, 0, 3) + b"one")
    stream = (front + sheet + record(0x0A, b"") + body).ljust(4096, b"\0")
    n = len(stream) // 512
    fat = [0xFFFFFFFD, 0xFFFFFFFE, *range(3, n + 2), 0xFFFFFFFE]
    head = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(16) + struct.pack("<HHHHH", 0x3E, 3, 0xFFFE, 9, 6) + bytes(10)
    head += struct.pack("<IIIIIIIII", 1, 1, 0, 4096, 0xFFFFFFFE, 0, 0xFFFFFFFE, 0, 0)
    folder = b""
    for name, kind, child, start, size in (
        ("Root Entry", 5, 1, 0xFFFFFFFE, 0),
        ("Book", 2, 0xFFFFFFFF, 2, len(stream)),
    ):
        title = (name + "\0").encode("utf-16-le")
        folder += title.ljust(64, b"\0") + struct.pack("<HBBIII", len(title), kind, 1, 0xFFFFFFFF, 0xFFFFFFFF, child)
        folder += bytes(36) + struct.pack("<IQ", start, size)
    sectors = struct.pack("<128I", *(fat + [0xFFFFFFFF] * (128 - len(fat))))
    return head.ljust(512, b"\xff") + sectors + folder.ljust(512, b"\0") + stream

"""Mutated files of each binary format, read as the server reads them: a table, or one sentence, and nothing else.

Each is read in a fork of this process, which has the libraries loaded already; the server starts a child for each.
"""

from __future__ import annotations

import gzip
import io
import json
import os
import random
import resource
import signal
import time
import traceback
import zipfile
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq

from datasets.base.errors import DataError
from datasets.columns import build_dataset
from datasets.proposals import Choices, apply, propose
from datasets.reading import ask_reader, read_table
from datasets.reading import child as child_module
from tests.fuzz.mutate import mutated

_SECONDS, _BYTES = 20, 4_000_000_000
_X = np.array([[1.0, 2.5], [2.0, 3.5], [3.0, 4.5], [4.0, 5.5], [9.0, 1.0], [8.0, 2.0]])
_Y = ["x", "y", "x", "y", "x", "y"]


def _workbook() -> bytes:
    book = openpyxl.Workbook()
    for row in (["a", "b", "kind"], *([*map(float, x), y] for x, y in zip(_X, _Y, strict=True))):
        book.active.append(row)
    return _written(book.save)


def _parquet() -> bytes:
    table = pa.table({"a": _X[:, 0], "b": _X[:, 1], "kind": _Y})
    return _written(lambda stream: pq.write_table(table, stream))


def _written(write: Callable[[Any], Any]) -> bytes:
    stream = io.BytesIO()
    write(stream)
    return stream.getvalue()


def _text(line: str, head: str = "") -> bytes:
    return (head + "".join(line.format(a=a, b=b, y=y) for (a, b), y in zip(_X, _Y, strict=True))).encode()


SEEDS: dict[str, tuple[str, Callable[[], bytes]]] = {
    "excel": ("t.xlsx", _workbook),
    "parquet": ("t.parquet", _parquet),
    "npz": ("t.npz", lambda: _written(lambda stream: np.savez_compressed(stream, X=_X, y=np.array([0, 1] * 3)))),
    "npy": ("t.npy", lambda: _written(lambda stream: np.save(stream, np.column_stack([_X, [0, 1] * 3])))),
    "arff": (
        "t.arff",
        lambda: _text(
            "{a},{b},{y}\n", "@relation r\n@attribute a numeric\n@attribute b real\n@attribute k {x,y}\n@data\n"
        ),
    ),
    "json": (
        "t.json",
        lambda: json.dumps([{"a": a, "b": b, "k": y} for (a, b), y in zip(_X, _Y, strict=True)]).encode(),
    ),
    "libsvm": ("t.svm", lambda: _text("1 1:{a} 2:{b}\n")),
    "gzip": ("t.csv.gz", lambda: gzip.compress(_text("{a},{b},{y}\n", "a,b,kind\n"), mtime=0)),
}


def fuzz_files(n_files: int, seed: int) -> list[str]:
    """What went wrong."""
    rng = random.Random(seed)
    found: list[str] = []
    for kind, (name, make) in SEEDS.items():
        sound, begun, ends = make(), time.perf_counter(), Counter[str]()
        for k in range(n_files):
            data = sound if k == 0 else _broken(kind, sound, rng)
            end = _read_in_fork(name, data)
            ends["fault" if end.startswith("fault") else end] += 1
            if end.startswith("fault") and len(found) < 40:
                found.append(f"{kind}: {end}; file {data[:60]!r} ... ({len(data)} bytes)")
            if k == 0 and end != "table":
                found.append(f"{kind}: the sound file is no table ({end})")
        took = time.perf_counter() - begun
        print(f"{kind:8} {n_files} files in {took:.0f} s: {dict(sorted(ends.items()))}", flush=True)
    return found


def _broken(kind: str, sound: bytes, rng: random.Random) -> bytes:
    """The file mutated, or, half of those that are packed, what is in it, so that its sums are right."""
    if kind in ("excel", "npz") and rng.random() < 0.5:
        old, stream = zipfile.ZipFile(io.BytesIO(sound)), io.BytesIO()
        victim = rng.choice(old.namelist())
        with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as new:
            for member in old.namelist():
                content = old.read(member)
                new.writestr(member, mutated(content, rng) if member == victim else content)
        return stream.getvalue()
    if kind == "gzip" and rng.random() < 0.5:
        return gzip.compress(mutated(gzip.decompress(sound), rng), mtime=0)
    return mutated(sound, rng)


def _read_in_fork(name: str, data: bytes) -> str:
    """ "table", "sentence" or "fault: why"."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(reading)
        os.write(writing, _read(name, data).encode()[:4_000])
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as answer:
        said = answer.read().decode()
    status = os.waitpid(pid, 0)[1]
    if os.WIFSIGNALED(status):
        # In the server this ends a child: people are told that the file broke the reader.
        return "child ended" if os.WTERMSIG(status) == signal.SIGKILL else f"fault: signal {os.WTERMSIG(status)}"
    return said or "fault: no answer"


def _read(name: str, data: bytes) -> str:
    resource.setrlimit(resource.RLIMIT_AS, (_BYTES, _BYTES))
    resource.setrlimit(resource.RLIMIT_CPU, (_SECONDS, _SECONDS + 1))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.alarm(2 * _SECONDS)
    ask_reader.ask_child = _asked_here  # type: ignore[assignment]
    try:
        table = read_table(data, name)
        plan = apply(propose(table), Choices())
        if plan.ready:
            build_dataset(plan.table, plan.columns)
    except DataError as error:
        sentence = str(error)
        odd = "\n" in sentence or "Traceback" in sentence or name not in sentence
        return f"fault: said {sentence[:300]!r}" if odd else "sentence"
    except BaseException:
        return f"fault: {traceback.format_exc()[-1_500:]}"
    return "table"


def _asked_here(module: str, *question: bytes, answer: Any = None, **_: Any) -> tuple[int, bytes]:
    """As `ask_child`, in this process."""
    head, _, data = b"".join(question).partition(b"\n")
    request = json.loads(head)
    replies = child_module.pieces(request, data) if request["kind"] == "any" else [child_module.answer(request, data)]
    said = b"".join(child_module.as_bytes(reply) + b"\n" for reply in replies)
    if answer is None:
        return 0, said
    answer.write(said)
    return 0, b""

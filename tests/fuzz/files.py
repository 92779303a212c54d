"""Mutated files of each binary format, read as the server reads them: a table, or one sentence, and nothing else.

Each is read in a fork of this process, which has the libraries loaded already; the server starts a child for each.
"""

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
from typing import Any

from datasets.base.errors import DataError
from datasets.columns import build_dataset
from datasets.proposals import Choices, apply, propose
from datasets.reading import read_table, reader
from tests.datasets.files import SOUND
from tests.fuzz.mutate import mutated

_SECONDS, _BYTES = 20, 4_000_000_000


def fuzz_files(n_files: int, seed: int) -> list[str]:
    """What went wrong."""
    rng = random.Random(seed)
    found: list[str] = []
    for kind, sound in SOUND.items():
        name, begun, ends = "t.bin", time.perf_counter(), Counter[str]()
        for k in range(n_files):
            data = sound if k == 0 else _broken(kind, sound, rng)
            end = _read_in_fork(name, data)
            ends["fault" if end.startswith("fault") else end] += 1
            if end.startswith("fault") and len(found) < 40:
                found.append(f"{kind}: {end}; file {data[:60]!r} ... ({len(data)} bytes)")
            if k == 0 and end != "table":
                found.append(f"{kind}: the sound file is no table ({end})")
        took = time.perf_counter() - begun
        print(f"{kind:20} {n_files} files in {took:.0f} s: {dict(sorted(ends.items()))}", flush=True)
    return found


def _broken(kind: str, sound: bytes, rng: random.Random) -> bytes:
    """The file mutated, or, half of those that are packed, what is in it, so that its sums are right."""
    if sound.startswith(b"PK") and rng.random() < 0.5:
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
    reader.ask_child = _ask_here  # type: ignore[assignment]
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


def _ask_here(module: str, *question: bytes, answer: Any, **_: Any) -> tuple[int, bytes]:
    """As `ask_child`, in this process."""
    head, _, data = b"".join(question).partition(b"\n")
    reader.write_answer(reader.read_file(json.loads(head), data), answer)
    return 0, b""

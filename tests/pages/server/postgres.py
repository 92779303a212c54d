"""A PostgreSQL server of the tests' own, in a temporary folder."""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import subprocess
import tempfile
from pathlib import Path


def _program(name):
    found = shutil.which(name) or next(iter(sorted(map(str, Path("/usr/lib/postgresql").glob(f"*/bin/{name}")))), None)
    if found is None:
        raise RuntimeError(f"There is no {name}: install PostgreSQL.")
    return found


@contextlib.contextmanager
def postgres_server():
    """Start a server; gives its address."""
    user = {"user": "postgres"} if os.getuid() == 0 else {}  # it refuses to be started by root
    folder = Path(tempfile.mkdtemp())  # pytest's own folders are root's alone
    if user:
        shutil.chown(folder, "postgres")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]

    def run(*words):
        # Not captured: the server goes on writing there.
        subprocess.run(words, check=True, cwd="/tmp", stdout=subprocess.DEVNULL, timeout=60, **user)

    data = str(folder / "data")
    run(_program("initdb"), "-A", "trust", "-U", "postgres", "-D", data)
    control = _program("pg_ctl")
    options = f"-p {port} -k {folder} -c listen_addresses=127.0.0.1"
    run(control, "-D", data, "-w", "-l", str(folder / "log"), "-o", options, "start")
    try:
        yield f"postgresql://postgres@127.0.0.1:{port}/postgres"
    finally:
        run(control, "-D", data, "-m", "immediate", "stop")
        shutil.rmtree(folder)

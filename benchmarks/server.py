"""The app in a process of its own: started, killed and started again under the same address."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import BinaryIO

import psutil

ROOT = Path(__file__).resolve().parents[1]


class Server:
    """`streamlit run app.py` on a free port of this machine.

    Parameters
    ----------
    entry
        What is run.
    environment
        Variables besides those of this process.
    """

    def __init__(self, entry: Path = ROOT / "app.py", **environment: str) -> None:
        with socket.socket() as free:
            free.bind(("localhost", 0))
            self.port: int = free.getsockname()[1]
        self.host = f"localhost:{self.port}"
        # It keeps people's work as a new user's does, in a home that goes with it.
        self._home = tempfile.TemporaryDirectory(prefix="nca-home-", ignore_cleanup_errors=True)
        self._entry = entry
        self._environment = {"XDG_STATE_HOME": self._home.name, **environment}
        self._log: BinaryIO = tempfile.TemporaryFile()  # noqa: SIM115

    def start(self) -> float:
        """Start it; the seconds until it was healthy."""
        begun = time.perf_counter()
        command = [sys.executable, "-m", "streamlit", "run", str(self._entry), "--server.port", str(self.port)]
        options = ["--server.headless", "true", "--browser.gatherUsageStats", "false"]
        self._child = subprocess.Popen(
            command + options,
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            stdout=self._log,
            stderr=subprocess.STDOUT,
            env={**os.environ, **self._environment},
            start_new_session=True,
        )
        self.process = psutil.Process(self._child.pid)
        while time.perf_counter() - begun < 120:
            if self.healthy(1):
                return time.perf_counter() - begun
            time.sleep(0.02)
        self.kill()
        raise SystemExit("The server did not start.\n" + self.log()[-2_000:])

    def healthy(self, timeout: float) -> bool:
        """Whether it answers."""
        try:
            with urllib.request.urlopen(f"http://{self.host}/_stcore/health", timeout=timeout) as answer:
                return bool(answer.status == 200)
        except OSError:
            return False

    def rest(self, most: float = 120.0) -> None:
        """Wait until it has loaded and compiled what it does beside the first page."""
        until = time.monotonic() + most
        while time.monotonic() < until:
            used = sum(self.process.cpu_times()[:2])
            time.sleep(1.0)
            if sum(self.process.cpu_times()[:2]) - used < 0.1 and not self.process.children():
                return

    def kill(self) -> None:
        """As the system does it that has no memory left: at once, and the process itself only."""
        self._child.kill()
        self._child.wait(20)

    def stop(self) -> None:
        """As its owner does it; what it left running is ended, too."""
        if self._child.poll() is None:
            self._child.terminate()
            try:
                self._child.wait(20)
            except subprocess.TimeoutExpired:
                self._child.kill()
                self._child.wait(20)
        self.end_orphans()

    def orphans(self) -> list[psutil.Process]:
        """The processes of its session that live without it."""
        found = []
        for process in psutil.process_iter():
            try:
                here = process.pid != self._child.pid and os.getsid(process.pid) == self._child.pid
                if here and process.status() != psutil.STATUS_ZOMBIE:
                    found.append(process)
            except (psutil.Error, OSError):
                continue
        return found

    def end_orphans(self) -> int:
        """End them; how many there were."""
        found = self.orphans()
        for process in found:
            try:
                os.kill(process.pid, signal.SIGKILL)
            except OSError:
                continue
        return len(found)

    def log(self) -> str:
        """All that it said since it was first started."""
        self._log.seek(0)
        said = self._log.read().decode("utf-8", "replace")
        self._log.seek(0, os.SEEK_END)
        return said

    def level(self) -> tuple[float, int, int]:
        """Memory in MB, threads, descriptors."""
        process = self.process
        return process.memory_info().rss / 1e6, process.num_threads(), process.num_fds()


def words(level: tuple[float, int, int]) -> str:
    return f"{level[0]:.0f} MB, {level[1]} threads, {level[2]} descriptors"

"""Run a Python program in a process of its own."""

import os
import subprocess
import sys
from pathlib import Path

from tests.tracked_files import ROOT


def run_python(
    program: str | Path, *arguments: str, timeout: float = 300, cwd: Path = ROOT, **environment: str
) -> tuple[str, str]:
    """(stdout, stderr) of a text or a script that must succeed; it finds the packages of the project."""
    named = [str(program)] if isinstance(program, Path) else ["-c", program]
    done = subprocess.run(
        [sys.executable, *named, *arguments],
        capture_output=True,
        text=True,
        timeout=timeout,
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout, done.stderr

"""A child ends with the server, though that be killed with no time to end anything."""

import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

ROOT = Path(__file__).resolve().parents[3]
READS = """
from datasets.base.child_process import ask_child
ask_child("tests.datasets.base.sleeper", check=lambda: None)
"""
COMPILES = """
import os, subprocess, sys
code = f'''
import time
from nca_core.training import warm_up
warm_up.compile_all = lambda: time.sleep(120)
warm_up.compile_apart({os.getpid()})
'''
subprocess.run([sys.executable, "-c", code])
"""


@pytest.mark.skipif(sys.platform != "linux", reason="Elsewhere the limits of the child end it.")
@pytest.mark.parametrize("work", [READS, COMPILES], ids=["reading", "compiling"])
def test_a_killed_server_leaves_no_child(work):
    server = subprocess.Popen([sys.executable, "-c", work], cwd=ROOT)
    try:
        deadline = time.monotonic() + 60
        while not (children := psutil.Process(server.pid).children()) or not _sleeps(children[0]):
            assert time.monotonic() < deadline
            time.sleep(0.05)
    finally:
        server.kill()
        server.wait()
    assert psutil.wait_procs(children, 20)[1] == []


def _sleeps(child):
    """Whether it has come to what it was asked for: it has used the processor for its imports, and does no more."""
    used = sum(child.cpu_times()[:2])
    time.sleep(0.5)
    return used > 0 and sum(child.cpu_times()[:2]) == used

"""A server that is ended while it compiles leaves no compiling process behind."""

from __future__ import annotations

import time

import pytest

from benchmarks.server import Server


@pytest.mark.thorough
@pytest.mark.parametrize("ending", ["stop", "kill"])
def test_no_compiling_child_outlives_the_server(tmp_path, ending):
    server = Server(NUMBA_CACHE_DIR=str(tmp_path))  # nothing is compiled yet
    server.start()
    try:
        deadline = time.monotonic() + 60
        while not (children := server.process.children()):
            assert time.monotonic() < deadline
            time.sleep(0.05)
        time.sleep(1)
        assert all(child.is_running() for child in children)
        if ending == "kill":
            server.kill()
        else:
            server._child.terminate()
            server._child.wait(20)
        time.sleep(1)
        assert server.orphans() == []
        assert "compiling ahead failed" not in server.log()
    finally:
        server.stop()

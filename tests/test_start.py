"""How the app is started and ended: a part of it says how the whole is started, and no child outlives the server."""

import time

import pytest
from streamlit.testing.v1 import AppTest

from benchmarks.server import Server
from tests.own_process import run_python
from tests.tracked_files import ROOT

ALONE = """
import sys
from pathlib import Path
root = {root!r}
kept, sys.path = sys.path, [each for each in sys.path if each and Path(each).resolve() != Path(root)]
modules = {{name: sys.modules.pop(name) for name in list(sys.modules) if name.split(".")[0] == "pages"}}
try:
    exec(compile((Path(root) / "pages" / "main.py").read_text(), "main.py", "exec"), {{"__file__": "main.py"}})
finally:
    sys.path, _ = kept, sys.modules.update(modules)
"""


def test_the_script_of_a_page_says_how_to_start_the_whole():
    page = AppTest.from_string(ALONE.format(root=str(ROOT))).run()
    assert [error.value for error in page.error] == [
        "This is one part of the app. Start the whole with: streamlit run app.py"
    ]
    assert not page.exception


STARTED = """
import asyncio, sys
import app
print(*(name for name in sys.modules if name.count(".") == 0))
app._warm_up = lambda: None
async def running():
    async with app.lifespan(app.app):
        print(sys.getswitchinterval(), app.LOADING.locked())
asyncio.run(running())
"""


def test_the_server_answers_before_it_has_loaded_what_takes_long():
    """Whoever starts it again waits for its imports: each of these takes half a second or more, on busy cores ten."""
    modules, then = run_python(STARTED, NCA_EXPLORER_STORE="off")[0].splitlines()
    loaded = set(modules.split())
    assert "pages" in loaded
    assert not loaded & {"sklearn", "scipy", "pandas", "pyarrow", "numba"}
    interval, is_loading = then.split()
    assert float(interval) == pytest.approx(0.001)
    assert is_loading == "True"  # before the first page can be asked for


EARLY = """
import os, sys, threading, time
from streamlit.testing.v1 import AppTest
from pages.server.loading import LOADING
LOADING.acquire()
page = AppTest.from_file("pages/main.py", default_timeout=60)
early = threading.Thread(target=page.run, daemon=True)
early.start()
time.sleep(2)
print("sklearn" in sys.modules)
LOADING.release()
early.join()
print("sklearn" in sys.modules, list(page.exception))
sys.stdout.flush(); os._exit(0)
"""


def test_a_page_imports_nothing_while_its_libraries_are_loaded():
    """Two threads that import parts of scikit-learn at once both failed: the first page said "Unexpected error"."""
    lines = run_python(EARLY, NCA_EXPLORER_STORE="off")[0].splitlines()
    assert lines[-2:] == ["False", "True []"]


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

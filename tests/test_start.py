"""How the app is started and ended: a part of it says how the whole is started, and no child outlives the server."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from streamlit.testing.v1 import AppTest

from nca_core import warm_up

ROOT = Path(__file__).resolve().parents[1]
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


def test_the_compiling_process_ends_with_the_server():
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    warm_up._under_way.append(child)
    warm_up.end_child()
    assert child.poll() is not None
    assert not warm_up._under_way


def test_the_server_answers_before_it_has_loaded_what_takes_long():
    """Whoever starts it again waits for its imports: each of these takes half a second or more, on busy cores ten."""
    code = "import sys; import app; print(*(name for name in sys.modules if name.count('.') == 0))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, encoding="utf-8", timeout=120)
    assert done.returncode == 0, done.stderr[-1_000:]
    loaded = set(done.stdout.split())
    assert "pages" in loaded
    assert not loaded & {"sklearn", "scipy", "pandas", "pyarrow", "numba"}

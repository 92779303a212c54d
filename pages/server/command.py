"""The command `nca-explorer`; installed, this file is the package `nca_explorer`.

In the wheel only `nca_core` stands at the top: `datasets`, `pages` and the others lie in `nca_explorer`, so that they
shadow no package of the same name. Programs that need them call `use_modules` first.
"""

import argparse
import importlib
import os
import runpy
import signal
import subprocess
import sys
import time
import webbrowser
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import urlopen

FOLDER = next(folder for folder in Path(__file__).resolve().parents if (folder / "app.py").exists())
_START = 120.0  # seconds


def use_modules() -> None:
    """Let this process import the app's modules (`study`, `datasets`, ...) before any others of their names."""
    if sys.path[:1] != [str(FOLDER)]:
        sys.path.insert(0, str(FOLDER))


_OWN = ("datasets", "export", "lessons", "pages", "stage", "study")
_FOR_NOTEBOOKS = {"watch": "stage.notebook", "plot": "stage.notebook", "animate": "export.player"}


def __getattr__(name: str) -> Any:
    """`watch`, `plot` and `animate`, imported so that packages of the same names as the app's modules stay usable."""
    if name not in _FOR_NOTEBOOKS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

    def imported() -> dict[str, Any]:
        return {key: module for key, module in sys.modules.items() if key.split(".")[0] in _OWN}

    others = imported()
    for key in others:
        del sys.modules[key]
    sys.path.insert(0, str(FOLDER))
    try:
        found = getattr(importlib.import_module(_FOR_NOTEBOOKS[name]), name)
    finally:
        sys.path.remove(str(FOLDER))
        for key in imported():
            del sys.modules[key]
        sys.modules.update(others)
    globals()[name] = found
    return found


def main() -> None:
    """Start the app and open it in a browser; with ``-m module ...`` run a module of the app instead."""
    if sys.argv[1:2] == ["-m"] and len(sys.argv) > 2:
        use_modules()
        del sys.argv[:2]
        runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
        return
    parser = argparse.ArgumentParser(
        "nca-explorer",
        description="Watch Neighbourhood Components Analysis learn. `nca-explorer -m MODULE ...` runs a module of the "
        "app, for example `-m study.experiments list` or `-m dask worker tcp://...`.",
    )
    parser.add_argument("table", nargs="?", type=Path, help="a table to open: CSV, Excel, Parquet, ARFF, JSON, NPZ")
    parser.add_argument("--port", type=int, default=8501)
    parser.add_argument("--no-browser", action="store_true", help="print the address only")
    arguments = parser.parse_args()
    link = "" if arguments.table is None else _link_of(arguments.table.expanduser())
    options = ["--server.port", str(arguments.port), "--server.headless", "true"]
    command = [sys.executable, "-m", "streamlit", "run", str(FOLDER / "app.py"), *options]
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    try:
        address = f"http://localhost:{arguments.port}/"
        _wait_for(address, server)
        print(f"NCA Explorer: {address}{link}  (Ctrl-C ends it)", flush=True)
        shown = sys.platform != "linux" or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
        if shown and not arguments.no_browser:
            webbrowser.open(address + link)
        sys.exit(server.wait())
    except KeyboardInterrupt:
        server.wait()
    finally:
        server.terminate()


def _link_of(table: Path) -> str:
    """The query that opens the table, which becomes part of the catalogue; exits where it cannot be read."""
    use_modules()
    from datasets.base.errors import DataError
    from datasets.local_folder import VARIABLE, local_entries
    from study.link import to_link
    from study.recipe import DataRecipe, Recipe

    found = local_entries(table)
    if not found:
        unreadable = "is no table that can be read (CSV, Excel, Parquet, ARFF, JSON or NPZ)"
        sys.exit(f"{table} {unreadable if table.exists() else 'is missing'}.")
    (entry,) = found.values()
    try:
        entry.load()
    except DataError as error:
        sys.exit(str(error))
    others = os.environ.get(VARIABLE, "")
    os.environ[VARIABLE] = os.pathsep.join(filter(None, (str(table.resolve()), others)))
    return "?" + urlencode(to_link(Recipe(data=DataRecipe(entry.key))))


def _wait_for(address: str, server: subprocess.Popen[bytes]) -> None:
    began = time.monotonic()
    while time.monotonic() - began < _START:
        if server.poll() is not None:
            sys.exit(f"The server ended at once (code {server.returncode}); is the port taken? Choose one by --port.")
        try:
            with urlopen(address + "_stcore/health", timeout=5):
                return
        except HTTPError:
            sys.exit(f"Another program answers at {address}; choose another port by --port.")
        except OSError:
            time.sleep(0.1)
    sys.exit(f"The server does not answer at {address}.")


if __name__ == "__main__":
    main()

"""A real Chromium and the app, started as the README says; a browser is installed where there is none."""

import os
import shutil
import subprocess
import sys
import tempfile
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from playwright.sync_api import Error, expect, sync_playwright

from benchmarks.server import ROOT, Server
from tests.browser import stage_page

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

expect.set_options(timeout=45_000)  # machines of CI are shared and slow at times; what is right comes at last
ARTIFACTS = ROOT / "tests" / "artifacts"
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # Playwright's own list, which this one replaces, and the two popups of the address bar, which nobody sees here and
    # which take more time of a processor than a page of tests.
    "--disable-features=AvoidUnnecessaryBeforeUnloadCheckSync,DestroyProfileOnBrowserClose,HttpsUpgrades,LensOverlay,"
    "MediaRouter,PaintHolding,ThirdPartyStoragePartitioning,OptimizationHints,WebUIOmniboxPopup,WebUIOmniboxAimPopup",
]
VIEWPORT = {"width": 1400, "height": 1000}
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def pytest_collection_modifyitems(items):
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)


def find_browser() -> str | None:
    named = os.environ.get("NCA_CHROMIUM")
    return named or next((path for name in NAMES if (path := shutil.which(name))), None)


def install_browser() -> str | None:
    """Debian's package as root, else Playwright's own; returns its path, None for Playwright's.

    One process of the tests installs; the others wait and find what it has installed.
    """
    with (Path(tempfile.gettempdir()) / "nca-chromium.lock").open("w") as lock:
        if fcntl is not None:
            fcntl.flock(lock, fcntl.LOCK_EX)
        return find_browser() or _installed()


def _installed() -> str | None:
    if hasattr(os, "geteuid") and os.geteuid() == 0 and shutil.which("apt-get"):
        quiet = {"DEBIAN_FRONTEND": "noninteractive", **os.environ}
        subprocess.run(["apt-get", "update", "-qq"], check=False, env=quiet)
        subprocess.run(["apt-get", "install", "-y", "-qq", "chromium"], check=False, env=quiet)
        if path := find_browser():
            return path
    subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], check=False)
    return None


@pytest.fixture(scope="session")
def chromium():
    path = find_browser() or install_browser()
    with sync_playwright() as playwright:
        try:
            browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        except Error as error:
            pytest.fail(f"No Chromium could be started; install one or set NCA_CHROMIUM to its path. {error}")
        yield browser
        browser.close()


@contextmanager
def running_app(base="", **environment):
    """The app under a port of its own, below the path `base`; gives its address."""
    with tempfile.TemporaryDirectory() as cells:
        paths = {"NCA_EXPLORER_EXPERIMENTS": cells, "STREAMLIT_SERVER_BASE_URL_PATH": base}
        server = Server(**paths, **environment)
        try:
            server.start()
            yield f"http://{server.host}{base}"
        finally:
            server.stop()
            ARTIFACTS.mkdir(exist_ok=True)
            (ARTIFACTS / "server.log").write_text(server.log(), encoding="utf-8")


@pytest.fixture(scope="session")
def app_address():
    with running_app() as address:
        yield address


@pytest.fixture(scope="session")
def profile(chromium):
    """One profile for the pages of a run: Streamlit's files, twenty megabytes, are fetched and compiled once."""
    context = chromium.new_context(viewport=VIEWPORT)
    context.set_default_timeout(60_000)
    yield context
    context.close()


def watched(page):
    """A page that collects its errors and what its policy forbade in `problems`."""
    page.problems = []
    page.on("pageerror", lambda error: page.problems.append(str(error)))
    page.on("console", lambda told: "Content Security" in told.text and page.problems.append(told.text))
    return page


@pytest.fixture
def page(profile):
    """A page in a browser that has seen none before, but for what is in its cache."""
    others = profile.pages
    made = watched(profile.new_page())
    yield made
    for each in [each for each in profile.pages if each not in others]:
        with suppress(Error):  # of an address that has no storage
            each.evaluate("() => localStorage.clear()")
        each.close()
    profile.clear_cookies()
    assert made.problems == []


@pytest.fixture(scope="session")
def stage_files():
    with stage_page.served() as address:
        yield address


@pytest.fixture(scope="session")
def stage_tab(profile):
    """One tab for all tests of the stage without an app: another for each takes longer than the test."""
    made = watched(profile.new_page())
    yield made
    made.close()


@pytest.fixture
def blank(stage_tab, stage_files):
    """A page with a place for the stage, which can import its modules."""
    stage_tab.set_viewport_size(VIEWPORT)
    stage_tab.emulate_media(color_scheme="light", reduced_motion="no-preference")
    stage_tab.mouse.move(0, 0)
    stage_tab.goto(f"{stage_files}/blank")  # is not there, but of the same origin
    stage_tab.set_content(stage_page.BLANK)
    yield stage_tab
    stage_tab.evaluate("() => localStorage.clear()")
    problems, stage_tab.problems[:] = [*stage_tab.problems], []
    assert problems == []


@pytest.fixture
def opened(blank):
    """A function that opens a scene there."""

    def open_scene(scene):
        stage_page.show(blank, scene)
        return blank

    return open_scene

"""The app without a browser; whatever a page starts ends with its test."""

from functools import lru_cache

import pytest
from streamlit.components.v2 import manifest_scanner
from streamlit.testing.v1.element_tree import ElementTree

from nca_core.training import gate
from pages.controls import shell as unexpected
from pages.server import session
from pages.server.workspace import HUB
from study.recipe import PACES
from tests.pages import app_page


@pytest.fixture(scope="session", autouse=True)
def _installed_packages_are_searched_once():
    """Every AppTest looks through all of them for components, which takes longer than the page; they stay the same."""
    with pytest.MonkeyPatch.context() as patch:
        once = lru_cache(maxsize=1)(manifest_scanner.scan_component_manifests)
        patch.setattr(manifest_scanner, "scan_component_manifests", once)
        yield


@pytest.fixture(autouse=True)
def _a_calm_training_is_no_slower_than_others(monkeypatch):
    monkeypatch.setitem(PACES, "calm", PACES["normal"])


@pytest.fixture(autouse=True)
def _trainings_do_not_give_way(monkeypatch):
    """Else the other processes of the tests leave them next to nothing, and this one waits."""
    monkeypatch.setattr(gate, "NICENESS", 0)


@pytest.fixture(autouse=True)
def _errors_reach_the_test(monkeypatch):
    """An error in a page or a callback fails the test, also where people see an id for the log."""
    run = ElementTree.run

    def again(error):
        raise error

    def checked(self, *, timeout=None):
        page = run(self, timeout=timeout)
        assert not page.exception
        return page

    monkeypatch.setattr(unexpected, "show_unexpected", again)
    monkeypatch.setattr(ElementTree, "run", checked)


@pytest.fixture
def browsers(monkeypatch):
    """A function: the pages that are run from now on are in that browser."""
    return lambda name: monkeypatch.setattr(session, "browser", lambda: name)


@pytest.fixture
def open_page():
    """A function that opens the app: `open_page({"data": "iris"})`, `open_page(screen="data.py")`."""

    def at(address=None, screen=None):
        return app_page.opened(address or {}, screen)

    yield at
    HUB.shutdown()  # it holds two hundred workspaces, and a process of the tests opens more


@pytest.fixture
def page(open_page):
    """The Explore page on wine, all of whose rows are trained on."""
    return open_page({"data": "wine", "held_out": "0"})


@pytest.fixture
def data_page(page):
    """The Data page, come to from the Explore page."""
    page.switch_page("data.py").run()
    return page

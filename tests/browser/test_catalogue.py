"""The gallery in a real browser: pictures, one press to the stage, downloads that arrive, are cancelled or fail.

The app has a cache and a folder of its own and may reach the net through a proxy only that lets nothing through.
"""

from __future__ import annotations

import hashlib
import json
import re
import socketserver
import threading
from contextlib import suppress

import pytest
from playwright.sync_api import expect

from datasets.downloads.cache import VARIABLE as CACHE
from datasets.downloads.cache import Cache
from datasets.downloads.openml import OPENML
from datasets.local_folder import VARIABLE as FOLDER
from tests.browser.conftest import running_app
from tests.browser.waiting import at_last, rest
from tests.datasets.downloads.openml_server import FLOWERS

ROWS = [f"{2.5 + 0.1 * i:.1f},{i * i % 11},{'tall' if i > 10 else 'low'}\n" for i in range(20)]
TABLE = "height,width,kind\n" + "".join(ROWS)


@pytest.fixture(scope="module")
def wall():
    """The address of a proxy that keeps OpenML waiting and turns everybody else away.

    Now and then it sends a letter of a line that never ends: who hears nothing for twenty seconds gives up by himself.
    """
    ended = threading.Event()

    class Wall(socketserver.StreamRequestHandler):
        def handle(self):
            if b"openml" not in self.rfile.readline():
                self.wfile.write(b"HTTP/1.1 502 no way through\r\n\r\n")
                return
            with suppress(OSError):  # nobody listens any more
                self.wfile.write(b"HTTP/1.1 200 wait\r\nX-Wait: ")
                while not ended.wait(2):
                    self.wfile.write(b"x")

    class Server(socketserver.ThreadingTCPServer):
        allow_reuse_address, daemon_threads = True, True

    with Server(("127.0.0.1", 0), Wall) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        ended.set()
        server.shutdown()
        thread.join()


@pytest.fixture(scope="module")
def address(wall, tmp_path_factory):
    cache, folder = tmp_path_factory.mktemp("cache"), tmp_path_factory.mktemp("tables")
    (folder / "trees.csv").write_text(TABLE)
    (folder / "broken.csv").write_text("a,b\n")
    checksum = hashlib.md5(FLOWERS).hexdigest()
    about = {"name": "radar", "status": "active", "default_target_attribute": "class", "md5_checksum": checksum}
    about["url"] = f"{OPENML.base}/data/v1/download/59/radar.arff"
    kept = Cache(cache)
    kept.put(f"{OPENML.base} openml/59/about", json.dumps({"data_set_description": about}).encode())
    kept.put(f"{OPENML.base} openml/59/file/{checksum}", FLOWERS)
    proxies = dict.fromkeys(("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"), wall)
    proxies |= {"no_proxy": "localhost", "NO_PROXY": "localhost"}
    with running_app("catalogue.log", **{CACHE: str(cache), FOLDER: str(folder)}, **proxies) as running:
        yield running


@pytest.fixture
def gallery(page, address):
    page.goto(address + "/data?tab=Catalogue")
    expect(card(page, "Olivetti faces")).to_be_visible()
    return page


def card(page, title):
    cards = page.locator("[class*='st-key-data-card-']")
    return cards.filter(has=page.get_by_text(title, exact=True))


def expect_loaded(image):
    expect(image).to_be_visible()
    expect(image).not_to_have_js_property("naturalWidth", 0)


def test_from_the_sidebar_to_a_card_to_the_stage(page, address, picture):
    page.goto(address)
    page.wait_for_selector(".panel.hero canvas")
    page.get_by_role("link", name="All data sets, with pictures").click()
    wine = card(page, "Wine")
    expect(wine).to_contain_text("178 rows x 13 features, 3 classes")
    expect(wine).to_contain_text("Used in Goldberger et al. (2004), NCA.")
    expect_loaded(wine.get_by_role("img", name="Small picture of Wine"))
    picture("catalogue")
    card(page, "Spirals").get_by_role("button", name="Explore").click()
    expect(page.locator(".legend .class")).to_have_text(["arm 1", "arm 2", "arm 3"])
    expect(page).to_have_url(re.compile("data=spirals"))


def test_a_folder_s_tables_get_their_pictures_and_broken_ones_a_sentence(gallery):
    page = gallery
    trees = card(page, "trees")
    expect(trees).to_contain_text("20 rows x 2 features, 2 classes")
    broken = card(page, "broken")
    expect(broken).to_contain_text(re.compile(r"broken\.csv.*\."))
    expect(broken.get_by_role("button", name="Explore")).to_be_disabled()
    trees.get_by_role("button", name="Explore").click()
    expect(page.locator(".legend .class")).to_have_text(["low", "tall"])


def test_what_is_in_the_cache_arrives_without_a_network(gallery):
    page = gallery
    radar = card(page, "Ionosphere")
    radar.get_by_role("button", name="Download").click()
    expect(radar).to_contain_text("12 rows x 3 features, 2 classes")
    expect_loaded(radar.get_by_role("img", name="Small picture of Ionosphere"))
    radar.get_by_role("button", name="Explore").click()
    expect(page.locator(".legend .class")).to_have_text(["blue", "red"])
    page.reload()
    expect(page.locator(".legend .class")).to_have_text(["blue", "red"])


def test_a_download_without_a_network_fails_and_one_that_waits_is_cancelled(gallery, picture):
    page = gallery
    faces = card(page, "Olivetti faces")
    faces.get_by_role("button", name="Download").click()
    expect(faces.get_by_role("alert")).to_contain_text("No network: figshare could not be reached.")
    expect(faces.get_by_role("button", name="Try again")).to_be_enabled()
    page.get_by_role("textbox", name="OpenML name or id").fill("nothing-comes")
    page.keyboard.press("Enter")
    asked = card(page, "nothing-comes")
    expect(asked.get_by_role("progressbar")).to_be_visible()
    expect(asked).to_contain_text("The search for 'nothing-comes' is on its way.")
    asked.scroll_into_view_if_needed()
    picture("download")
    # The page stays alive meanwhile.
    card(page, "Boston housing").get_by_role("button", name="Download").click()
    expect(card(page, "Boston housing").get_by_role("progressbar")).to_be_visible()
    asked.get_by_role("button", name="Cancel").click()
    expect(asked.get_by_role("progressbar")).to_have_count(0)
    expect(asked.get_by_role("button", name="Download")).to_be_visible()
    expect(asked.get_by_role("alert")).to_have_count(0)
    card(page, "Boston housing").get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("progressbar")).to_have_count(0)


def test_a_small_window_shows_whole_cards(page, address, picture):
    page.set_viewport_size({"width": 375, "height": 800})
    page.emulate_media(color_scheme="dark")
    page.goto(address + "/data?tab=Catalogue")
    wine = card(page, "Wine")
    expect(wine).to_be_visible()
    rest(page)

    def whole():
        assert page.evaluate("document.documentElement.scrollWidth") <= 375
        box = wine.bounding_box()
        assert box["width"] > 300
        assert box["x"] + box["width"] <= 375

    at_last(page, whole)
    picture("catalogue-small-and-dark")

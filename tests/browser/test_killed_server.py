"""The server dies while its page is open: with a store, the page goes on by itself where it was, on whatever server."""

import re
import socket
import time
from contextlib import ExitStack
from types import SimpleNamespace

import httpx
import numpy as np
import pytest
from playwright.sync_api import expect

from benchmarks.server import ROOT, Server
from tests.browser.proxies import free_port, nginx_running
from tests.browser.select_box import drop, press
from tests.browser.waiting import at_last

pytestmark = pytest.mark.proxy
LINK = "recipe=2&nca.optimiser=gradient-ascent&nca.max_iter=2000"


@pytest.fixture
def table(tmp_path):
    rng = np.random.default_rng(0)
    y = np.arange(6000) % 3  # so many that 2,000 iterations take longer than the test
    X = rng.normal(size=(6000, 5)) + y[:, None] * np.array([1, 0.5, 0, 0, 0])
    path = tmp_path / "mine.csv"
    lines = [",".join(f"{value:.4f}" for value in row) + f",{'xyz'[k]}" for row, k in zip(X, y, strict=True)]
    path.write_text("a,b,c,d,e,kind\n" + "\n".join(lines))
    return path


@pytest.fixture
def servers(tmp_path):
    """A function that makes servers, not yet started: one as a new user has it, or several on one store."""
    made = []

    def make(count):
        shared = {"NCA_EXPLORER_STORE": str(tmp_path / "store")} if count > 1 else {}
        made.extend(Server(**shared) for _ in range(count))
        return made

    yield make
    for server in made:
        server.stop()


def iteration(page):
    found = re.search(r"iteration (\d+)", page.locator(".readout").inner_text())
    return int(found[1]) if found else -1


def train_own_table(page, address, table):
    """Drop a table, train it for a while; the iteration that was seen five seconds before the end."""
    page.goto(f"{address}/?{LINK}")
    page.wait_for_selector(".panel canvas")
    drop(page, table.name, table.read_bytes())
    expect(page.get_by_text("mine.csv").first).to_be_visible()
    expect(page.get_by_text("label kind").first).to_be_visible()
    press(page, "Train")
    expect(page.locator(".readout")).to_contain_text(re.compile(r"iteration ([5-9]|\d\d)"))
    seen = iteration(page)
    page.wait_for_timeout(5_000)  # more than may be lost
    return seen


def goes_on(page, seen):
    """The table, its answers and the training are there, without a reload, and the training can be resumed."""
    resume = page.get_by_role("button", name=re.compile("Resume"))
    expect(resume).to_be_visible(timeout=90_000)
    expect(page.locator(".readout .status")).to_contain_text("paused")

    def is_there():  # the history is on its way
        assert iteration(page) >= seen > 0
        assert "mine" in page.locator("[data-testid=stMain]").inner_text()
        assert "content=" in page.url or "data=own" in page.url

    at_last(page, is_there)
    resume.click()
    expect(page.locator(".readout .status")).to_contain_text(re.compile("training|falls|rises|moves|Settling"))
    before = iteration(page)
    expect(page.locator(".readout")).not_to_contain_text(f"iteration {before} ")


def test_a_killed_server_s_page_comes_back_by_itself(page, servers, table):
    (server,) = servers(1)
    server.start()
    seen = train_own_table(page, f"http://{server.host}", table)
    server.kill()
    expect(page.locator(".readout .status")).to_contain_text("Connection lost")
    assert server.end_orphans() == 0
    server.start()
    expect(page.get_by_text("The server restarted. Trainings restored")).to_be_visible(timeout=90_000)
    goes_on(page, seen)
    assert "Traceback" not in server.log()


def lines_of_the_guide(ports, port):
    """What docs/deploy.md says for nginx, at other ports and without TLS: with its upstreams for several servers."""
    guide = (ROOT / "docs" / "deploy.md").read_text(encoding="utf-8")
    lines = guide.split("## nginx\n")[1].split("\n## ")[0].split("\n")
    ours = [line for line in lines if line.startswith("    ") and "ssl_certificate" not in line]
    head, _, rest = "\n".join(ours).partition("    upstream nca {")
    upstreams = re.search(r"With nginx:\n\n(.*?)\n\n(?! )", guide, re.DOTALL)[1]
    assert upstreams.count("127.0.0.1:850") == 2 * len(ports) == 6
    for k, each in enumerate(ports, start=1):
        upstreams = upstreams.replace(f"127.0.0.1:850{k} ", f"127.0.0.1:{each} ")
    server = "    server {\n        listen" + rest.partition("    server {\n        listen")[2]
    assert "listen 443 ssl;" in server
    return head + upstreams + "\n" + server.replace("listen 443 ssl;", f"listen 127.0.0.1:{port};")


@pytest.fixture
def nginx(tmp_path):
    """A function that starts nginx before some servers, each browser at one of them; gives its address."""
    with ExitStack() as running:

        def start(servers):
            port = free_port()
            guide = lines_of_the_guide([server.port for server in servers], port)
            running.enter_context(nginx_running(tmp_path, guide, port))
            return f"http://127.0.0.1:{port}/tools/nca"

        yield start


def test_behind_nginx_a_tab_moves_from_one_of_three_servers_to_the_next(page, servers, nginx, table):
    three = servers(3)
    for server in three:
        server.start()
    seen = train_own_table(page, nginx(three), table)
    one = max(three, key=lines_of)  # the one that has the tab
    one.kill()
    goes_on(page, seen)

    def trained():
        assert iteration(page) > seen

    at_last(page, trained)
    moved = iteration(page)
    page.wait_for_timeout(5_000)
    two = max((server for server in three if server is not one), key=lines_of)
    two.kill()
    goes_on(page, moved)


def test_servers_that_start_after_nginx_are_reached_at_once(page, servers, nginx):
    three = servers(3)
    address = nginx(three)
    assert httpx.get(f"{address}/_stcore/health").status_code == 502  # all three are marked as failed
    for server in three:
        server.start()
    assert httpx.get(f"{address}/_stcore/health").status_code == 200
    page.goto(f"{address}/?data=iris")
    press(page, "Train")
    expect(page.locator(".readout .status")).to_contain_text("onverged", timeout=90_000)


def test_nginx_ends_the_connection_of_a_client_that_sends_no_request(nginx):
    address = httpx.URL(nginx([SimpleNamespace(port=free_port()) for _ in range(3)]))
    began = time.monotonic()
    with socket.create_connection((address.host, address.port), timeout=60) as line:
        line.sendall(b"GET /tools/nca/ HTTP/1.1\r\nHost: ")
        assert line.recv(1) == b""
    assert time.monotonic() - began > 15  # the guide's 20 s, not a refusal


def lines_of(server):
    """Connections that are open to it."""
    return sum(line.status == "ESTABLISHED" for line in server.process.net_connections("tcp"))

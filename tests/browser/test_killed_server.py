"""The server dies while its page is open: with a store, the page goes on by itself where it was, on whatever server."""

from __future__ import annotations

import getpass
import re
import shutil
import socket
import subprocess
import time

import numpy as np
import pytest
from playwright.sync_api import expect

from benchmarks.server import Server
from tests.browser.select_box import drop
from tests.browser.waiting import at_last

pytestmark = pytest.mark.proxy
TRAIN = re.compile(r"^\W*Train\b")
LINK = "recipe=2&nca.optimiser=gradient-ascent&nca.max_iter=2000"


@pytest.fixture
def table(tmp_path):
    rng = np.random.default_rng(0)
    y = np.arange(300) % 3
    X = rng.normal(size=(300, 5)) + y[:, None] * np.array([1, 0.5, 0, 0, 0])
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
    expect(page.get_by_role("heading", name="Label: kind")).to_be_visible()
    page.get_by_role("button", name=TRAIN).first.click()
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
    expect(page.locator(".readout .status")).to_contain_text("training")
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


NGINX = """
user {user};
daemon off; pid {folder}/pid; error_log {folder}/error.log; worker_processes 1;
events {{ worker_connections 512; }}
http {{
    access_log off; client_max_body_size 51m;
    client_body_temp_path {folder}/b; proxy_temp_path {folder}/p; fastcgi_temp_path {folder}/f;
    uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
    map $http_upgrade $connection_upgrade {{ default upgrade; "" close; }}
    upstream app {{ ip_hash; {servers} }}
    server {{
        listen 127.0.0.1:{port};
        location /tools/nca/ {{
            proxy_pass http://app/;
            proxy_http_version 1.1;
            proxy_set_header Host $host:$server_port;
            proxy_set_header Upgrade $http_upgrade;
            proxy_set_header Connection $connection_upgrade;
            proxy_set_header X-Forwarded-For $remote_addr;
            proxy_read_timeout 120s;
        }}
    }}
}}
"""


@pytest.fixture
def nginx(tmp_path):
    """A function that starts nginx before some servers, each browser at one of them; gives its address."""
    if not (binary := shutil.which("nginx")):
        pytest.skip("nginx is not installed.")
    running = []

    def start(servers):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        asked = " ".join(f"server 127.0.0.1:{server.port} max_fails=1 fail_timeout=600s;" for server in servers)
        config = tmp_path / "nginx.conf"
        config.write_text(NGINX.format(user=getpass.getuser(), folder=tmp_path, servers=asked, port=port))
        running.append(subprocess.Popen([binary, "-p", str(tmp_path), "-c", str(config)]))
        for _ in range(200):
            with socket.socket() as line:
                if line.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.05)
        return f"http://127.0.0.1:{port}/tools/nca"

    yield start
    for process in running:
        process.terminate()
        process.wait(10)


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


def lines_of(server):
    """Connections that are open to it."""
    return sum(line.status == "ESTABLISHED" for line in server.process.net_connections("tcp"))

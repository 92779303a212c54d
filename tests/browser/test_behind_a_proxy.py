"""Behind real reverse proxies: under another name with the Host header changed, and with TLS below a path."""

import shutil
import subprocess

import httpx
import pytest
from playwright.sync_api import expect

from benchmarks.server import ROOT
from tests.browser.conftest import running_app
from tests.browser.proxies import free_port, nginx_running, wait_for_port
from tests.browser.select_box import press

pytestmark = pytest.mark.proxy
WINE = "recipe=2&data=wine&held_out=0&pace=full_speed"
# nginx sends the name of the upstream as Host where nothing else is said.
CHANGED_HOST = """
server {{
    listen 127.0.0.1:{port};
    location / {{
        proxy_pass http://{target};
        proxy_http_version 1.1;
        proxy_set_header Upgrade $http_upgrade;
        proxy_set_header Connection "upgrade";
        proxy_set_header X-Forwarded-For $remote_addr;
    }}
}}
"""


def trains(page, address):
    page.goto(address)
    press(page, "Train")
    expect(page.locator(".readout .status")).to_contain_text("Converged", timeout=90_000)


@pytest.fixture(scope="module")
def port(tmp_path_factory):
    """Of nginx before an app with a base path of its own, which knows one other name."""
    named, port = {"STREAMLIT_SERVER_CORS_ALLOWED_ORIGINS": "http://known.localhost"}, free_port()
    with running_app("/tools/nca", **named) as address:
        lines = CHANGED_HOST.format(port=port, target=address.removeprefix("http://").removesuffix("/tools/nca"))
        with nginx_running(tmp_path_factory.mktemp("nginx"), lines, port):
            yield port


def test_a_base_path_and_another_name_that_is_allowed(page, port):
    trains(page, f"http://known.localhost:{port}/tools/nca/?{WINE}")


def test_under_a_name_that_is_not_allowed_the_page_says_so(page, port):
    page.goto(f"http://strange.localhost:{port}/tools/nca/?{WINE}")
    expect(page.get_by_role("dialog")).to_contain_text("403", timeout=90_000)


@pytest.fixture
def caddy(tmp_path, app_address):
    """The address of a Caddy before the app, with the guide's own lines and a certificate of its own making."""
    if not (binary := shutil.which("caddy")):
        pytest.skip("caddy is not installed.")
    port = free_port()
    guide = (ROOT / "docs" / "deploy.md").read_text(encoding="utf-8")
    lines = guide.split("## Caddy\n")[1].split("##")[0]
    site = lines.replace("nca.example.org {", f"localhost:{port} {{\n tls internal")
    site = site.replace("127.0.0.1:8501", app_address.removeprefix("http://"))
    assert app_address.removeprefix("http://") in site
    config = tmp_path / "Caddyfile"
    head, _, rest = site.partition("{\n")  # the guide's own global options
    config.write_text(f"{head}{{\n admin off\n auto_https disable_redirects\n skip_install_trust\n{rest}")
    homes = {"HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)}
    with (tmp_path / "log").open("w") as log:
        command = [binary, "run", "--config", str(config), "--adapter", "caddyfile"]
        process = subprocess.Popen(command, env=homes, stdout=log, stderr=log)
        try:
            wait_for_port(port)
            yield f"https://localhost:{port}/tools/nca"
        finally:
            process.terminate()
            process.wait(10)


def test_behind_caddy_it_trains_and_its_cookie_is_for_tls_only(chromium, caddy):
    assert httpx.get(caddy, verify=False).headers["location"] == "/tools/nca/"  # without the last slash
    context = chromium.new_context(ignore_https_errors=True)
    context.set_default_timeout(60_000)
    page = context.new_page()
    trains(page, f"{caddy}/?{WINE}")
    page.reload()
    expect(page.locator(".readout .status")).to_contain_text("Converged")  # the same workspace, by its cookie
    (cookie,) = [each for each in context.cookies() if each["name"] == "nca_owner"]
    assert cookie["secure"]
    assert cookie["httpOnly"]
    context.close()

"""Behind a real Caddy with TLS, below a path, as the guide says."""

from __future__ import annotations

import re
import shutil
import socket
import subprocess
import time

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import ROOT
from tests.browser.test_behind_a_proxy import WINE

pytestmark = pytest.mark.proxy


@pytest.fixture
def caddy(tmp_path, app_address):
    """The address of a Caddy before the app, with the guide's own lines and a certificate of its own making."""
    if not (binary := shutil.which("caddy")):
        pytest.skip("caddy is not installed.")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    guide = (ROOT / "docs" / "deploy.md").read_text(encoding="utf-8")
    lines = guide.split("## Caddy\n")[1].split("##")[0]
    site = lines.replace("nca.example.org {", f"localhost:{port} {{\n tls internal")
    site = site.replace("127.0.0.1:8501", app_address.removeprefix("http://"))
    assert app_address.removeprefix("http://") in site
    config = tmp_path / "Caddyfile"
    head, _, rest = site.partition("{\n")  # the guide's own global options
    config.write_text(f"{head}{{\n admin off\n auto_https disable_redirects\n skip_install_trust\n{rest}")
    homes = {"HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)}
    log = (tmp_path / "log").open("w")
    process = subprocess.Popen(
        [binary, "run", "--config", str(config), "--adapter", "caddyfile"], env=homes, stdout=log, stderr=log
    )
    for _ in range(1200):
        with socket.socket() as line:
            if line.connect_ex(("127.0.0.1", port)) == 0:
                break
        time.sleep(0.05)
    yield f"https://localhost:{port}/tools/nca"
    process.terminate()
    process.wait(10)
    log.close()


def test_it_trains_and_its_cookie_is_for_tls_only(chromium, caddy):
    context = chromium.new_context(ignore_https_errors=True)
    context.set_default_timeout(60_000)
    page = context.new_page()
    page.goto(f"{caddy}/?{WINE}")
    page.get_by_role("button", name=re.compile(r"^\W*Train\b")).first.click()
    expect(page.locator(".readout .status")).to_contain_text("Converged", timeout=90_000)
    page.reload()
    expect(page.locator(".readout .status")).to_contain_text("Converged")  # the same workspace, by its cookie
    (cookie,) = [each for each in context.cookies() if each["name"] == "nca_owner"]
    assert cookie["secure"]
    assert cookie["httpOnly"]
    context.close()

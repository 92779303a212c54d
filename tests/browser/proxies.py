"""A real nginx, and ports for it and for others."""

import getpass
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

NGINX = """
user {user};
daemon off; pid {folder}/pid; error_log {folder}/error.log; worker_processes 1;
events {{ worker_connections 512; }}
http {{
    access_log off; client_body_temp_path {folder}/b; proxy_temp_path {folder}/p; fastcgi_temp_path {folder}/f;
    uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
    {lines}
}}
"""


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def wait_for_port(port: int) -> None:
    for _ in range(1200):
        with socket.socket() as line:
            if line.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    pytest.fail(f"Nothing listens at port {port}.")


@contextmanager
def nginx_running(folder: Path, lines: str, port: int) -> Iterator[None]:
    """nginx with these lines in its block `http`, which must listen at `port`."""
    if not (binary := shutil.which("nginx")):
        pytest.skip("nginx is not installed.")
    config = folder / "nginx.conf"
    config.write_text(NGINX.format(user=getpass.getuser(), folder=folder, lines=lines))
    process = subprocess.Popen([binary, "-p", str(folder), "-c", str(config)])
    try:
        wait_for_port(port)
        yield
    finally:
        process.terminate()
        process.wait(10)

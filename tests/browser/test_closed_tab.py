"""A tab that is closed while its workbook is still being read takes the reading process with it."""

from __future__ import annotations

import io
import os
import signal
import time
import zipfile
from pathlib import Path

import openpyxl
import pytest

from tests.browser.select_box import drop

PROC = Path("/proc")
pytestmark = pytest.mark.skipif(not (PROC / "self" / "stat").exists(), reason="needs /proc to see other processes")


def slow_workbook():
    """Small, within all limits, and read for many seconds: forty thousand rows of ten numbers."""
    book = openpyxl.Workbook()
    book.active.append(["a", "label"])
    book.active.append([1, "x"])
    sound = io.BytesIO()
    book.save(sound)
    old, stream = zipfile.ZipFile(sound), io.BytesIO()
    cells = "".join(f'<c r="{letter}{{0}}"><v>{{0}}.5</v></c>' for letter in "ABCDEFGHIJ")
    rows = "".join(f'<row r="{k}">{cells.format(k)}</row>' for k in range(1, 40_001))
    name = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as new:
        for member in old.namelist():
            content = old.read(member)
            if member == "xl/worksheets/sheet1.xml":
                content = f'<?xml version="1.0"?><worksheet xmlns="{name}"><sheetData>{rows}</sheetData></worksheet>'
            new.writestr(member, content)
    return stream.getvalue()


def command_of(process):
    try:
        return (process / "cmdline").read_bytes().split(b"\0")
    except OSError:
        return []


def parent_of(process):
    try:
        return int((process / "stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return -1


def processes():
    return [each for each in PROC.iterdir() if each.name.isdigit()]


def readers(address):
    """Reading processes that the server at `address` has started and that still run."""
    port = address.rpartition(":")[2].encode()
    servers = {int(each.name) for each in processes() if port in command_of(each)}
    return [
        each.name
        for each in processes()
        if b"datasets.reading.reader" in command_of(each) and parent_of(each) in servers
    ]


def wait_until(holds, seconds=90):
    deadline = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True


def test_64_the_reading_process_ends_with_its_tab(chromium, app_address):
    book = slow_workbook()
    context = chromium.new_context()
    context.set_default_timeout(60_000)
    page = context.new_page()
    page.goto(f"{app_address}/data")
    drop(page, "slow.xlsx", book)
    found = []
    assert wait_until(lambda: found.append(readers(app_address)) or found[-1])
    (reading,) = found[-1]
    os.kill(int(reading), signal.SIGSTOP)  # so that it cannot come to its end by itself
    try:
        page.wait_for_timeout(500)
        assert readers(app_address) == [reading]
        context.close()
        assert wait_until(lambda: not readers(app_address))
    finally:
        if reading in readers(app_address):
            os.kill(int(reading), signal.SIGCONT)

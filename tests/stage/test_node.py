"""Tests of the stage's pure modules, written in JavaScript and run by `node --test`."""

import subprocess
from pathlib import Path

import pytest

from tests.stage.javascript import NODE

FILES = sorted(Path(__file__).parent.glob("*.test.mjs"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name.removesuffix(".test.mjs"))
def test_modules(file):
    done = subprocess.run([NODE, "--test", "--no-warnings", file], capture_output=True, encoding="utf-8", timeout=120)
    assert done.returncode == 0, done.stdout

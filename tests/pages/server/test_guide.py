"""What docs/deploy.md says is so: its settings, its numbers, its unit."""

import inspect
import re
import shutil
import subprocess
import tomllib

import pytest
from streamlit import config

from datasets.reading.table import Limits
from nca_core.training.gate import Gate
from pages.controls.upload import TURNS
from pages.server import limits, saver, store
from pages.server.workspace import EXPIRE_AFTER
from tests.tracked_files import ROOT, tracked_files

GUIDE = (ROOT / "docs" / "deploy.md").read_text(encoding="utf-8")
FLAT = " ".join(GUIDE.split())


def test_every_setting_exists():
    streamlit = set(re.findall(r"`(server\.\w+)`", GUIDE))
    own = set(re.findall(r"NCA_EXPLORER_[A-Z]+(?:_[A-Z]+)*", GUIDE))
    code = "".join(
        path.read_text() for folder in ("pages", "study", "datasets") for path in tracked_files(folder, ".py")
    )
    assert len(streamlit) >= 5
    assert len(own) >= 6
    assert [name for name in streamlit if name not in config._config_options_template] == []
    assert [name for name in own if f'"{name}"' not in code] == []


def test_the_numbers_are_those_of_the_code():
    options = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text())["server"]
    assert f"MB of a file; {options['maxUploadSize']}" in GUIDE
    assert f"`{options['address']}` (default) answers this machine only" in GUIDE
    assert f"memory for all tables; {limits._DEFAULT:.0f}," in GUIDE
    assert 'os.environ.get(MOST_VARIABLE, "2000")' in (ROOT / "pages" / "server" / "store.py").read_text()
    assert "size of the store; 2000," in GUIDE
    assert f"Changes are saved every {saver.SECONDS:.0f} seconds" in FLAT
    assert f"expires {EXPIRE_AFTER / 60:.0f} minutes after its last use" in FLAT
    assert f"{inspect.signature(Gate).parameters['active'].default} people train at once" in FLAT
    assert f"takes up to {Limits().child_memory / 1e9} GB" in FLAT
    assert TURNS._slots._free == 2
    assert store.OFF == "off"


def test_the_unit_is_valid_and_keeps_store_and_home_apart(tmp_path):
    unit = GUIDE.split("## systemd\n")[1].split("\n## ")[0]
    unit = "\n".join(line[4:] for line in unit.splitlines() if line.startswith("    ") or not line)
    assert "OOMPolicy=continue" in unit
    kept, home = re.search(r"NCA_EXPLORER_STORE=(\S+) HOME=(\S+)", unit).groups()
    assert not kept.startswith(home)
    assert not home.startswith(kept)
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd-analyze is not installed.")
    path = tmp_path / "nca.service"
    path.write_text(unit.replace("/opt/nca-explorer/.venv/bin/streamlit", "/bin/true"))
    checked = subprocess.run(["systemd-analyze", "verify", str(path)], capture_output=True, text=True)
    assert "nca.service" not in checked.stderr, checked.stderr

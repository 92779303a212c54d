"""The wheel's metadata and the command `nca-explorer`; .ci/wheel builds, installs and uses the wheel itself."""

import os
import re
import subprocess
import sys
import tomllib

from pages.server import command
from tests.own_process import run_python
from tests.tracked_files import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())


def test_the_app_needs_what_requirements_txt_lists():
    listed = {line for line in (ROOT / "requirements.txt").read_text().splitlines() if line and line[0] != "#"}
    named = {re.split("[<>=!]", line)[0]: line for line in listed}
    project = PROJECT["project"]
    assert set(project["dependencies"] + project["optional-dependencies"]["app"]) == listed
    assert len(named) == len(listed)


def test_only_the_engine_stands_at_the_top_of_the_wheel():
    wheel = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert wheel["only-include"] == ["nca_core"]
    inside = wheel["force-include"]
    assert all(target.startswith("nca_explorer/") for target in inside.values())
    assert {"datasets", "export", "lessons", "pages", "stage", "study", "app.py"} <= set(inside)


def test_what_is_no_table_is_one_sentence(tmp_path):
    (tmp_path / "notes.pdf").touch()
    asked = [sys.executable, command.__file__, str(tmp_path / "notes.pdf"), "--port", "1"]
    done = subprocess.run(asked, capture_output=True, text=True, timeout=120)
    assert done.returncode == 1
    assert "is no table that can be read" in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_table_becomes_a_link_and_part_of_the_catalogue(tmp_path, monkeypatch):
    monkeypatch.setenv("NCA_EXPLORER_DATA", "/elsewhere")
    table = tmp_path / "my table.csv"
    table.write_text("length,kind\n" + "".join(f"{k},{k % 2}\n" for k in range(20)))
    (tmp_path / "other.csv").write_text("not,asked\n1,2\n")
    assert "data=folder%3Amy+table.csv" in command._link_of(table)
    from datasets.local_folder import local_entries

    assert list(local_entries()) == ["folder:my table.csv"]


NOTEBOOK = """
import importlib.util, sys
import datasets
spec = importlib.util.spec_from_file_location("nca_explorer", sys.argv[1])
nca_explorer = importlib.util.module_from_spec(spec)
spec.loader.exec_module(nca_explorer)
import numpy as np
from nca_core import NeighborhoodComponentsAnalysis
X, y = np.random.default_rng(0).normal(size=(40, 3)), np.arange(40) % 2
nca = NeighborhoodComponentsAnalysis(2, init="pca", keep_path=True, random_state=0).fit(X, y)
widget = nca_explorer.watch(nca, X, y)
assert len(widget.path) == nca.n_iter_ + 1
assert len(nca_explorer.plot(nca, X, y).data) == 2
nca_explorer.animate(nca, X, y, "played.html")
assert datasets.FOREIGN and sys.modules["datasets"] is datasets
assert not {"study", "stage", "export"} & {name.split(".")[0] for name in sys.modules}
"""


def test_in_a_notebook_no_other_package_is_shadowed(tmp_path):
    (tmp_path / "datasets.py").write_text("FOREIGN = True\n")
    paths = os.pathsep.join([str(tmp_path), str(tmp_path / "engine")])
    (tmp_path / "engine").mkdir()
    (tmp_path / "engine" / "nca_core").symlink_to(ROOT / "nca_core")
    run_python(NOTEBOOK, command.__file__, cwd=tmp_path, PYTHONPATH=paths)
    assert (tmp_path / "played.html").stat().st_size > 100_000

"""The proof is run in a fresh process in a fresh folder: equal numbers there, and no others are taken for equal."""

import ast
import io
import os
import re
import runpy
import subprocess
import sys
import zipfile
from dataclasses import replace

import numpy as np
import pytest

from datasets.base.dataset import Dataset, Source
from datasets.catalogue import load_dataset
from datasets.noise_lab import NoiseConfig
from datasets.preparation import PreparationConfig
from export.script import NAME, SCRIPT, data_part
from study.link import to_link
from study.panel import PanelRecipe
from study.recipe import DataRecipe, Recipe
from tests.datasets.test_poisoned_rows import dataset_of, lines
from tests.export.subjects import HOSTILE, made, nca, own_table, subject_of
from tests.tracked_files import ROOT


def unpacked(file, folder):
    if file.name.endswith(".zip"):
        with zipfile.ZipFile(io.BytesIO(file.data)) as archive:
            archive.extractall(folder)
    else:
        (folder / NAME).write_bytes(file.data)
    return folder / NAME


def run(script):
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONSTARTUP")}
    command = [sys.executable, str(script)]
    environment["PYTHONPATH"] = str(ROOT)
    return subprocess.run(command, cwd=script.parent, env=environment, capture_output=True, text=True, timeout=280)


def catalogue(key, *panels, **recipe):
    return subject_of(Recipe(data=DataRecipe(key), panels=panels, **recipe), load_dataset(key))


def wine():
    panels = (PanelRecipe("pca"), PanelRecipe("lda"), nca(40))
    return catalogue("wine", *panels, preparation=PreparationConfig(held_out_fraction=0.3, random_state=3))


def people():
    panels = (PanelRecipe("lda"), nca(20), PanelRecipe("nca_diagonal", {"max_iter": 15}))
    return own_table(*panels, preparation=PreparationConfig(held_out_fraction=0.25, step="whitening"))


def drawn():
    """Data that only this session has, with noise columns; one panel is no matrix, one starts from another's frame."""
    rng = np.random.default_rng(2)
    y = rng.integers(2, size=60)
    X = rng.normal(size=(60, 3)) + y[:, None] * [1.5, 0, 0]
    dataset = Dataset(HOSTILE, X, y, ("a", "b", HOSTILE), ('\'"""', "«k»"), Source("drawn"))
    bent = PanelRecipe("neural_nca", {"max_iter": 3, "n_hidden": 5})
    panels = (PanelRecipe("tsne"), nca(9), nca(5, "nca-2", start="nca@4", title='"""\n«k»'), bent)
    noise = NoiseConfig(noise_columns=2)
    return subject_of(Recipe(data=DataRecipe("own", name=HOSTILE), panels=panels, noise=noise), dataset)


_LONG = [pytest.param(make, marks=pytest.mark.thorough) for make in (wine, drawn)]


@pytest.mark.parametrize("make", [people, *_LONG], ids=lambda make: make.__name__)
def test_equal_in_a_fresh_process(make, tmp_path, monkeypatch):
    subject = make()
    script = unpacked(made(SCRIPT, subject), tmp_path)
    ran = run(script)
    assert (ran.returncode, ran.stdout.strip().splitlines()[-1]) == (0, "All numbers are equal."), ran.stderr
    if make is people:  # also with the file named, and not with another one
        data = next(path for path in tmp_path.iterdir() if path.suffix == ".csv")
        assert data.read_bytes() == subject.source.content
        data.write_bytes(subject.source.content.replace(b"red", b"rad", 1))
        monkeypatch.setattr(sys, "argv", [str(script), str(data)])
        with pytest.raises(SystemExit, match="SHA-256"):
            runpy.run_path(str(script), run_name="__main__")


def test_users_words_are_literals():
    """Names that would end a text, or that look like a blank of the script, stand in it as what they are."""
    dataset = load_dataset("iris")
    name = '"""\n«k» ' + HOSTILE
    subject = subject_of(
        Recipe(data=DataRecipe("own", name=name), panels=(PanelRecipe("pca", title='"""\n«k»'),)), dataset
    )
    comparison = replace(subject.comparison, dataset=replace(dataset, name=name))
    with zipfile.ZipFile(io.BytesIO(made(SCRIPT, replace(subject, comparison=comparison)).data)) as archive:
        assert f"python {NAME} [data.nca]\n" in archive.read(NAME).decode()
        tree = ast.parse(archive.read(NAME))
    assigned = [node for node in tree.body if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)]
    values = {node.targets[0].id: node.value for node in assigned}
    assert ast.literal_eval(values["NAME"]) == name
    assert ast.literal_eval(values["RECIPE"]) == to_link(subject.comparison.recipe)


def test_changed_data_and_another_split_are_seen(tmp_path, monkeypatch):
    """A hundred-millionth more of one number, and the script says which it is."""
    subject = catalogue("iris", PanelRecipe("lda"), nca(4), preparation=PreparationConfig(held_out_fraction=0.3))
    text = made(SCRIPT, subject).data.decode()
    other_data = text.replace("load_dataset('iris')", "load_dataset('wine')")
    other_split = re.sub(r'HELD_OUT_SHA256 = "[0-9a-f]', 'HELD_OUT_SHA256 = "x', text)
    more = re.sub(r"(?<='mean_p': )[0-9.e+-]+", lambda number: repr(float(number[0]) * (1 + 1e-8)), text)
    script = tmp_path / "proof.py"
    monkeypatch.setattr(sys, "argv", [str(script)])
    for changed, why in ((other_data, "data are not"), (other_split, "Other rows"), (more, "mean_p is ")):
        assert changed != text
        script.write_text(changed)
        with pytest.raises(SystemExit, match=why):
            runpy.run_path(str(script), run_name="__main__")
    script.write_text(text)
    runpy.run_path(str(script), run_name="__main__")  # as it came it finds nothing


@pytest.mark.thorough
def test_a_training_from_a_hand_takes_its_start_along(tmp_path):
    plain = catalogue("iris", nca(5))
    A = np.array([[0.5, 0.1, -0.4, 0.9], [0.3, -0.8, 0.2, 0.1]])
    run_of_it = plain.comparison.new_run("nca", initial=A)
    run_of_it.start()
    run_of_it.wait_for_end()
    subject = replace(plain, histories={"nca": run_of_it.trajectory.snapshots}, given_starts={"nca": A})
    ran = run(unpacked(made(SCRIPT, subject), tmp_path))
    assert ran.returncode == 0, ran.stderr


def test_what_cannot_be_repeated_is_not_handed_out():
    subject = catalogue("iris", nca(5))
    last = subject.histories["nca"][-1]
    other = replace(last, transformation=last.transformation * (1 + 1e-6))
    with pytest.raises(ValueError, match=r"NCA, trained anew, does not come to the same numbers"):
        made(SCRIPT, replace(subject, histories={"nca": (*subject.histories["nca"][:-1], other)}))


def test_values_bring_gaps_and_categories_along(tmp_path, monkeypatch):
    """Data without their file are filled and encoded by the training rows of the proof, as on the page."""
    dataset = dataset_of(lines())
    dataset = replace(dataset, row_names=np.full(dataset.n_samples, "Ann"))
    part, filename, content = data_part(dataset, DataRecipe("own", name="a"), None)
    (tmp_path / filename).write_bytes(content)
    monkeypatch.setattr(sys, "argv", ["proof"])
    scope = {"__file__": str(tmp_path / NAME), "NAME": dataset.name}
    source = "import hashlib, sys\nfrom pathlib import Path\nimport numpy as np\n"
    source += "\n".join([part["data_imports"], part["data_constants"], "def load():", part["load"]])
    exec(source, scope)
    rows = np.arange(dataset.n_samples) % 3 > 0
    found, wanted = scope["load"]().fitted_to(rows), dataset.fitted_to(rows)
    np.testing.assert_array_equal(found.X, wanted.X)
    assert found.feature_names == wanted.feature_names
    assert found.row_names is None
    assert not np.array_equal(wanted.X, dataset.X)

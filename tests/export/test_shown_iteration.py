"""Every export is of the iteration on the stage, also where that is not the last, and names it."""

import json
from contextlib import nullcontext
from dataclasses import replace

import numpy as np
import pytest
import skops.io

from datasets.catalogue import load_dataset
from export.coordinates import COORDINATES
from export.film import FILM, Film
from export.model import MODEL
from export.player import PLAYER, _thinned
from export.script import SCRIPT
from study.measure import CHOSEN, moment_of
from study.panel import PanelRecipe
from study.recipe import DataRecipe, Recipe
from tests.export.subjects import made, nca, read_csv, subject_of

SHOWN = 2
WINE = Recipe(data=DataRecipe("wine"), panels=(PanelRecipe("lda"), nca(9), nca(5, "nca-2", start="nca@2")))


@pytest.fixture(scope="module")
def subject():
    """Wine, held at an iteration whose A, numbers and K differ from those of the last; a branch beside it."""
    held = subject_of(WINE, load_dataset("wine"))
    held = replace(held, places={"nca": SHOWN, "nca-2": SHOWN})
    history = held.histories["nca"]
    assert len(history) > SHOWN + 2
    assert not np.allclose(history[SHOWN].transformation, history[-1].transformation, rtol=1e-2)
    return held


@pytest.fixture(params=["nca", "nca-2"])
def shown(request, subject):
    """A subject, the key of a panel, its snapshot on the stage, and Y that it gives."""
    snapshot = subject.histories[request.param][SHOWN]
    return subject, request.param, snapshot, subject.comparison.panel(request.param).X @ snapshot.transformation.T


def test_coordinates(shown):
    subject, key, snapshot, Y = shown
    file = made(COORDINATES, subject)
    table, title = read_csv(file.data), subject.titles[key]
    found = np.array([table[f"{title}: y{axis + 1}"] for axis in range(Y.shape[1])], dtype=float).T
    np.testing.assert_allclose(found, Y, rtol=1e-12, atol=1e-12 * np.abs(Y).max())
    assert f"iteration-{snapshot.iteration}-coordinates" in file.name
    assert set(table[f"{title}: shown at"]) == {subject.moment(key)}


def test_models(shown):
    subject, key, snapshot, Y = shown
    raw, tolerance = subject.comparison.prepared.raw, {"rtol": 1e-12, "atol": 1e-12 * np.abs(Y).max()}
    file = made(MODEL, subject, "json", key)
    found = json.loads(file.data)
    assert (found["A"], found["iteration"]) == (snapshot.transformation.tolist(), snapshot.iteration)
    assert (found["mean_p"], found["shown_at"]) == (snapshot.mean_p, subject.moment(key))
    assert f"iteration-{snapshot.iteration}" in file.name
    pipeline = skops.io.loads(made(MODEL, subject, "skops", key).data, trusted=[])
    np.testing.assert_allclose(pipeline.transform(raw.X), Y, **tolerance)
    source = made(MODEL, subject, "py", key).data.decode()
    scope: dict = {}
    exec(source, scope)
    np.testing.assert_allclose(scope["project"](raw.X), Y, **tolerance)
    assert scope["ITERATION"] == snapshot.iteration
    assert f"; {subject.moment(key)}" in source


def test_proof_and_its_numbers(shown):
    subject, key, snapshot, Y = shown
    source = made(SCRIPT, subject).data.decode()
    numbers = eval(source.split("SHOWN = ")[1].split("# The iteration of each")[0])[key]
    assert (numbers["iteration"], numbers["objective"]) == (snapshot.iteration, snapshot.objective)
    assert numbers["held_out_1nn"] == pytest.approx(subject.scores(key, nullcontext).held_out_1nn, abs=1e-12)
    assert numbers["norm_of_Y"] == pytest.approx(np.linalg.norm(Y), rel=1e-12)
    assert f"'{key}': '{subject.moment(key)}'" in source


def test_film_ends_there(subject):
    film = Film(subject, 220)
    panel = next(panel for panel in film.scene.panels if panel.key == "nca")
    assert film.last == SHOWN
    np.testing.assert_array_equal(film.places(panel, 99), film.places(panel, SHOWN))
    assert made(FILM, subject, "small").name == "Wine-iteration-2-training.gif"


def test_player_opens_there(subject):
    page = made(PLAYER, subject).data.decode()
    assert '"held":2' in page
    assert f"NCA: {subject.moment('nca')}." in page
    assert '"held":-1' in made(PLAYER, replace(subject, places={})).data.decode()
    shown, last = (round(subject.histories["nca"][at].k_mean_entropy) for at in (SHOWN, -1))
    assert subject.k == shown != last  # other panels vote with the K shown


def test_an_iteration_chosen_by_held_out_rows_says_so(subject):
    history = subject.histories["nca"]
    history = [replace(one, held_out_1nn=value) for one, value in zip(history, (0.5, 0.7, 0.9, 0.8, 0.8), strict=False)]
    last = history[-1].iteration
    assert moment_of(history, 2) == f"iteration 2 of {last}, {CHOSEN}"
    assert moment_of(history, 1) == f"iteration 1 of {last}"
    assert moment_of(history, -1) == moment_of(history, len(history) - 1) == ""


@pytest.mark.parametrize("held", range(-1, 9))
def test_thinning_keeps_the_iteration_shown_and_the_last(held):
    kept = _thinned(list(range(9)), held)
    assert kept[-1] == 8
    assert len(kept) < 7
    if held > 0:
        assert kept[(held + 1) // 2] == held

"""Bytes for the browser: small, complete, and read by wire.js as what the scene says."""

from dataclasses import replace

import numpy as np
import pytest

from nca_core.snapshot import Snapshot
from stage.scene import Panel
from stage.wire import NUMBERS, encode_scene, encode_snapshots
from tests.stage.javascript import run
from tests.stage.test_scene import make_scene, with_every_kind

MEASURED = {
    "objective": 1.5,
    "mean_p": 0.75,
    "gradient_norm": 0.1,
    "k_mean_entropy": 6.5,
    "k_mean_perplexity": 7.5,
}
DECODE = """async ([kind, numbers]) => {
  const wire = await import("./wire.js");
  return { ...wire[kind](Uint8Array.from(numbers).buffer), NUMBERS: wire.NUMBERS };
}"""


def make_snapshot(iteration=3, d=2, D=64):
    A = np.arange(d * D, dtype=float).reshape(d, D) / 7
    return Snapshot(iteration, A, **MEASURED, accuracy_1nn=0.9)


def make_embedding(iteration, Y):
    return Snapshot(iteration, np.empty((0, 0)), **MEASURED, coordinates=Y)


def scene_of(scene):
    return run(DECODE, ["decodeScene", list(encode_scene(scene))])


def snapshots_of(*snapshots, **where):
    return run(DECODE, ["decodeSnapshots", list(encode_snapshots(snapshots, **where))])


def test_a_scene_with_panels_of_every_kind_is_read_as_what_it_was():
    scene = replace(with_every_kind(), feature_names=("f0", "f1", "f2", "f3"), ordered=True)
    found = scene_of(scene)
    for X, read in zip(scene.features, found["features"], strict=True):
        np.testing.assert_allclose(np.reshape(read["X"], X.shape), X - X.mean(axis=0), atol=1e-6)
    assert found["rowNames"] is None
    assert [(read["columns"], read["names"]) for read in found["features"]] == [(4, [*scene.feature_names]), (7, [])]
    read_as = {"labels": "labels", "row_numbers": "rows", "held_out": "heldOut", "class_names": "classes"}
    for name, read in {**read_as, "ordered": "ordered"}.items():
        np.testing.assert_array_equal(getattr(scene, name), found[read])
    for panel, read in zip(scene.panels, found["panels"], strict=True):
        for name in ("key", "title", "problem", "kind", "features", "live"):
            assert read[name] == getattr(panel, name)
        if panel.frame is None:
            assert read["frame"] is None
        elif panel.kind == "matrix":
            np.testing.assert_array_equal(read["frame"], panel.frame.astype(np.float32).ravel())
        else:
            np.testing.assert_allclose(
                np.reshape(read["frame"], (2, -1)).T, panel.frame - panel.frame.mean(axis=0), atol=1e-6
            )
        np.testing.assert_array_equal(read["labels"], panel.labels)


def test_names_that_would_hide_or_turn_round_are_shown_as_what_they_are():
    odd, shown = "a\u202eb\u200b", "a\\u202eb\\u200b"
    scene = make_scene()
    names = {field: (odd, *getattr(scene, field)[1:]) for field in ("class_names", "hover_names")}
    features = (odd, *(f"f{k}" for k in range(1, scene.features[0].shape[1])))
    panels = tuple(replace(panel, title=odd) for panel in scene.panels)
    names["row_names"] = np.array([odd, *[""] * 19])
    found = scene_of(replace(scene, **names, feature_names=features, panels=panels))
    assert found["rowNames"] == [shown, *[""] * 19]
    of_panels = [panel["title"] for panel in found["panels"]]
    first = [found[name][0] for name in ("classes", "hover_names")]
    assert {*first, found["features"][0]["names"][0], *of_panels} == {shown}


def test_names_of_rows_take_a_byte_a_letter_in_the_scene_and_none_in_a_snapshot():
    scene, names = make_scene(), np.array([f"Zoë {k}" for k in range(20)])
    named = replace(scene, row_names=names, row_word="line")
    found = scene_of(named)
    assert (found["rowNames"], found["row_word"]) == (names.tolist(), "line")
    letters = len("\n".join(names).encode())
    assert 0 < len(encode_scene(named)) - len(encode_scene(scene)) < letters + 100
    whole = encode_scene(named)
    assert b"Zo" not in encode_snapshots([make_snapshot()])
    with pytest.raises(AssertionError):
        run(DECODE, ["decodeScene", list(whole.replace(b"\nZo", b" Zo", 1))])


@pytest.mark.filterwarnings("error")
def test_coordinates_beyond_float32_come_in_units_and_points_without_a_place_stay_so():
    Y = np.arange(40.0).reshape(20, 2) * 1e80
    Y[7] = np.nan
    [panel] = scene_of(replace(make_scene(), panels=(Panel("tsne", "t-SNE", Y, kind="coordinates"),)))["panels"]
    back = np.reshape(panel["frame"], (2, 20)).T * panel["unit"]
    np.testing.assert_allclose(back, Y - np.nanmean(Y, axis=0), rtol=1e-5, atol=1e75)


def test_coordinates_that_a_training_moves_have_no_unit_as_its_snapshots_have_none():
    Y = np.arange(40.0).reshape(20, 2) * 1e-33
    live = Panel("neural_nca", "Neural NCA", Y, kind="coordinates", live=True)
    [panel] = scene_of(replace(make_scene(), panels=(live,)))["panels"]
    assert panel["unit"] == 1
    np.testing.assert_allclose(np.reshape(panel["frame"], (2, 20)).T, Y - Y.mean(axis=0), rtol=1e-6)


@pytest.mark.parametrize("size", [1e-200, 1e140])
@pytest.mark.filterwarnings("error")
def test_numbers_beyond_float32_keep_their_picture_and_their_value(size):
    scene = make_scene()
    found = scene_of(replace(scene, features=((scene.features[0] - 1e6) * size,), hover=scene.hover * size))
    np.testing.assert_array_equal(np.reshape(found["hover"], (20, 4)), scene.hover * size)
    centred, [features] = scene.features[0] - scene.features[0].mean(axis=0), found["features"]
    np.testing.assert_allclose(np.reshape(features["X"], (20, 4)), centred / np.abs(centred).max(), atol=1e-6)
    assert features["unit"] == pytest.approx(size * np.abs(centred).max(), rel=1e-6)
    assert [panel["unit"] for panel in found["panels"]] == [features["unit"]] * 2


@pytest.mark.parametrize(("d", "D"), [(2, 64), (3, 5)])  # 15 values are padded
def test_snapshots_are_read_as_what_they_were_and_are_small(d, D):
    sent = [make_snapshot(k, d, D) for k in (3, 4, 5)]
    back = snapshots_of(*sent, panel=1, run=7, short_run=2)
    assert (back["panel"], back["run"], back["shortRun"], back["NUMBERS"]) == (1, 7, 2, list(NUMBERS))
    for snapshot, read in zip(sent, back["snapshots"], strict=True):
        np.testing.assert_array_equal(read["frame"], snapshot.transformation.astype(np.float32).ravel())
        np.testing.assert_equal([read[name] for name in NUMBERS], [float(getattr(snapshot, name)) for name in NUMBERS])
    assert len(encode_snapshots([make_snapshot()])) < 2_000


def test_coordinates_travel_for_the_points_that_are_shown():
    rows = np.array([1, 4, 6])
    Y = np.random.default_rng(5).normal(size=(9, 2)) + 100
    found = snapshots_of(make_embedding(2, Y), make_embedding(3, 2 * Y), rows=rows)["snapshots"]
    for factor, read in zip((1, 2), found, strict=True):
        shown = factor * (Y[rows] - Y[rows].mean(axis=0))
        np.testing.assert_allclose(np.reshape(read["frame"], (2, 3)).T, shown, atol=1e-5)


def test_the_browser_refuses_bytes_that_do_not_fit():
    scene, snapshots = encode_scene(make_scene()), encode_snapshots([make_snapshot()] * 2)
    numbers = [
        snapshots[: 8 * k] + np.float64(v).tobytes() + snapshots[8 * k + 8 :]
        for k, v in ((3, 3), (3, 1), (4, np.nan), (5, 1e9))
    ]
    spoilt = {
        "decodeSnapshots": [snapshots[:-8], snapshots[:24], *numbers],
        "decodeScene": [scene[:-16], scene.replace(b'"samples": 20', b'"samples": 21'), b"\1\0"],
    }
    sent = [("decodeScene", scene), ("decodeSnapshots", snapshots)]
    sent += [(kind, data) for kind, each in spoilt.items() for data in each]
    refused = """async (sent) => {
      const wire = await import("./wire.js");
      return sent.map(([kind, numbers]) => {
        try { wire[kind](Uint8Array.from(numbers).buffer); } catch (error) { return true; }
        return false;
      });
    }"""
    assert run(refused, [(kind, list(data)) for kind, data in sent]) == [False] * 2 + [True] * 9

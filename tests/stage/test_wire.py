"""Bytes for the browser: small, complete, and of what the scene says."""

from __future__ import annotations

import json
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


def make_snapshot(iteration=3, d=2, D=64):
    A = np.arange(d * D, dtype=float).reshape(d, D) / 7
    return Snapshot(iteration, A, **MEASURED, accuracy_1nn=0.9)


def make_embedding(iteration, Y):
    return Snapshot(iteration, np.empty((0, 0)), **MEASURED, coordinates=Y)


def decode_head(payload):
    length = int.from_bytes(payload[:4], "little")
    assert (4 + length) % 8 == 0
    return json.loads(payload[4 : 4 + length]), 4 + length


def taker(payload):
    """A function that gives an array of the scene by its name."""
    head, start = decode_head(payload)

    def take(name):
        at = head["arrays"][name]
        return np.frombuffer(
            payload, "<" + at["type"] if at["type"] != "u1" else "u1", at["length"], start + at["offset"]
        )

    return take


def test_a_scene_decodes_to_what_it_was():
    scene = replace(make_scene(), feature_names=("f0", "f1", "f2", "f3"))
    payload = encode_scene(scene)
    head, _ = decode_head(payload)
    take = taker(payload)
    np.testing.assert_allclose(take("features0").reshape(20, 4), scene.X - scene.X.mean(axis=0), atol=1e-6)
    np.testing.assert_array_equal(take("labels"), scene.labels)
    np.testing.assert_array_equal(take("held_out"), scene.held_out)
    np.testing.assert_array_equal(take("panel1").reshape(2, 4), np.eye(2, 4))
    assert head["panels"][1]["live"] is True
    assert head["features"] == [{"columns": 4, "unit": 1, "names": ["f0", "f1", "f2", "f3"]}]
    assert head["ordered"] is False
    assert decode_head(encode_scene(replace(scene, ordered=True)))[0]["ordered"] is True
    assert all(at["offset"] % 8 == 0 for at in head["arrays"].values())


def test_panels_of_every_kind_decode_to_what_they_were():
    scene = with_every_kind()
    payload = encode_scene(scene)
    head, _ = decode_head(payload)
    take = taker(payload)
    X = scene.features[1]
    np.testing.assert_allclose(take("features1").reshape(X.shape), X - X.mean(axis=0), atol=1e-6)
    _, _, kernel, tsne, shuffled, lda = scene.panels
    np.testing.assert_allclose(take("panel2").reshape(2, 7), kernel.frame, rtol=1e-6)
    np.testing.assert_allclose(take("panel3").reshape(2, 20).T, tsne.frame - tsne.frame.mean(axis=0), atol=1e-6)
    np.testing.assert_array_equal(take("labels4"), shuffled.labels)
    assert [panel["kind"] for panel in head["panels"]] == ["matrix"] * 3 + ["coordinates"] + ["matrix"] * 2
    assert [panel["features"] for panel in head["panels"]] == [0, 0, 1, 0, 0, 0]
    assert [panel["key"] for panel in head["panels"]] == ["pca", "nca", "kernel", "tsne", "nca-2", "lda"]
    assert head["panels"][5]["problem"] == lda.problem
    assert "panel5" not in head["arrays"]
    assert "labels3" not in head["arrays"]


@pytest.mark.filterwarnings("error")
def test_coordinates_beyond_float32_come_in_units_and_points_without_a_place_stay_so():
    Y = np.arange(40.0).reshape(20, 2) * 1e80
    Y[7] = np.nan
    scene = make_scene()
    payload = encode_scene(replace(scene, panels=(Panel("tsne", "t-SNE", Y, kind="coordinates"),)))
    unit = decode_head(payload)[0]["panels"][0]["unit"]
    back = taker(payload)("panel0").reshape(2, 20).T.astype(float) * unit
    np.testing.assert_allclose(back, Y - np.nanmean(Y, axis=0), rtol=1e-5, atol=1e75)
    assert np.isnan(back[7]).all()
    assert np.isfinite(np.delete(back, 7, axis=0)).all()


@pytest.mark.parametrize("size", [1e-200, 1e140])
@pytest.mark.filterwarnings("error")
def test_numbers_beyond_float32_keep_their_picture_and_their_value(size):
    scene = make_scene()
    huge = replace(scene, features=((scene.X - 1e6) * size,), hover=scene.hover * size)
    payload = encode_scene(huge)
    head, start = decode_head(payload)
    at = head["arrays"]["hover"]
    assert at["type"] == "f8"
    np.testing.assert_array_equal(
        np.frombuffer(payload, "<f8", at["length"], start + at["offset"]).reshape(20, 4), huge.hover
    )
    at = head["arrays"]["features0"]
    X = np.frombuffer(payload, "<f4", at["length"], start + at["offset"]).reshape(20, 4)
    centred = scene.X - scene.X.mean(axis=0)
    np.testing.assert_allclose(X, centred / np.abs(centred).max(), atol=1e-6)
    unit = head["features"][0]["unit"]
    np.testing.assert_allclose(unit * X.astype(float), centred * size, atol=1e-6 * unit)
    assert [panel["unit"] for panel in head["panels"]] == [unit, unit]


HEADER = 48


def test_snapshots_decode_to_what_they_were_and_are_small():
    message = encode_snapshots([make_snapshot(3), make_snapshot(4)], panel=5, run=17, short_run=3)
    assert list(np.frombuffer(message, "<f8", 6)) == [5, 17, 3, 2, 2, 64]
    first = dict(zip(NUMBERS, np.frombuffer(message, "<f8", len(NUMBERS), HEADER), strict=True))
    assert first["iteration"] == 3
    assert first["k_mean_entropy"] == 6.5
    A = np.frombuffer(message, "<f4", 128, HEADER + 8 * len(NUMBERS)).reshape(2, 64)
    np.testing.assert_allclose(A, make_snapshot().transformation, rtol=1e-6)
    assert len(encode_snapshots([make_snapshot()])) < 2_000


def test_odd_matrices_keep_the_numbers_aligned():
    message = encode_snapshots([make_snapshot(i, d=3, D=5) for i in range(3)])
    stride = 8 * len(NUMBERS) + 8 * 8
    assert len(message) == HEADER + 3 * stride
    assert np.frombuffer(message, "<f8", 1, HEADER + 2 * stride)[0] == 2


def test_coordinates_travel_for_the_points_that_are_shown():
    rows = np.array([1, 4, 6])
    Y = np.random.default_rng(5).normal(size=(9, 2)) + 100
    message = encode_snapshots([make_embedding(2, Y), make_embedding(3, 2 * Y)], panel=1, run=4, rows=rows)
    assert list(np.frombuffer(message, "<f8", 6)) == [1, 4, 0, 2, 2, 3]
    back = np.frombuffer(message, "<f4", 6, HEADER + 8 * len(NUMBERS)).reshape(2, 3).T
    np.testing.assert_allclose(back, Y[rows] - Y[rows].mean(axis=0), atol=1e-5)
    second = HEADER + 8 * len(NUMBERS) + 24
    assert np.frombuffer(message, "<f8", 1, second)[0] == 3
    assert len(message) == HEADER + 2 * (8 * len(NUMBERS) + 24)


# -- the browser's side

DECODE = """async ([kind, numbers]) => {
  const wire = await import("./wire.js");
  return { ...wire[kind](Uint8Array.from(numbers).buffer), NUMBERS: wire.NUMBERS };
}"""


def test_the_browser_decodes_what_was_encoded():
    scene = with_every_kind()
    found = run(DECODE, ["decodeScene", list(encode_scene(scene))])
    for X, read in zip(scene.features, found["features"], strict=True):
        np.testing.assert_allclose(np.reshape(read["X"], X.shape), X - X.mean(axis=0), atol=1e-6)
    for name, read in (
        ("labels", "labels"),
        ("row_numbers", "rows"),
        ("held_out", "heldOut"),
        ("class_names", "classes"),
    ):
        np.testing.assert_array_equal(getattr(scene, name), found[read])
    for panel, read in zip(scene.panels, found["panels"], strict=True):
        assert (read["key"], read["title"], read["problem"]) == (panel.key, panel.title, panel.problem)
        if panel.kind == "matrix" and panel.frame is not None:
            np.testing.assert_array_equal(read["frame"], panel.frame.astype(np.float32).ravel())
        if panel.labels is not None:
            np.testing.assert_array_equal(read["labels"], panel.labels)
    sent = [make_snapshot(3), make_snapshot(4, D=64)]
    back = run(DECODE, ["decodeSnapshots", list(encode_snapshots(sent, panel=1, run=7, short_run=2))])
    assert (back["panel"], back["run"], back["shortRun"], back["NUMBERS"]) == (1, 7, 2, list(NUMBERS))
    for snapshot, read in zip(sent, back["snapshots"], strict=True):
        np.testing.assert_array_equal(read["frame"], snapshot.transformation.astype(np.float32).ravel())
        np.testing.assert_equal([read[name] for name in NUMBERS], [float(getattr(snapshot, name)) for name in NUMBERS])


@pytest.mark.parametrize(
    ("kind", "spoil"),
    [
        ("decodeSnapshots", lambda data: data[:-8]),
        ("decodeSnapshots", lambda data: data[:24]),
        *(
            ("decodeSnapshots", lambda data, k=k, v=v: data[: 8 * k] + np.float64(v).tobytes() + data[8 * k + 8 :])
            for k, v in ((3, 3), (3, 1), (4, np.nan), (5, 1e9))
        ),
        ("decodeScene", lambda data: data[:-16]),
        ("decodeScene", lambda data: data.replace(b'"samples": 20', b'"samples": 21')),
        ("decodeScene", lambda data: b"\1\0"),
    ],
)
def test_the_browser_refuses_bytes_that_do_not_fit(kind, spoil):
    whole = encode_scene(make_scene()) if kind == "decodeScene" else encode_snapshots([make_snapshot()] * 2)
    refused = """async ([kind, numbers]) => {
      const wire = await import("./wire.js");
      try { wire[kind](Uint8Array.from(numbers).buffer); } catch (error) { return true; }
      return false;
    }"""
    assert [run(refused, [kind, list(data)]) for data in (whole, spoil(whole))] == [False, True]

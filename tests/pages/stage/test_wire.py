"""Bytes for the browser: small, complete, and of what the scene says; panels aligned by rotation only."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from nca_core.snapshot import Snapshot
from pages.stage import scene as scene_module
from pages.stage.scene import Panel, Scene, align_panels, thinned
from pages.stage.wire import NUMBERS, encode_scene, encode_snapshots


def make_scene(n=20, D=4, d=2, hostile=False):
    rng = np.random.default_rng(0)
    name = "<img src=x onerror=alert(1)>" if hostile else "a"
    return Scene(
        X=rng.normal(size=(n, D)) + 1e6,
        labels=np.arange(n) % 3 - (np.arange(n) == 0),
        class_names=(name, "b", "c"),
        hover=rng.normal(size=(n, D)),
        hover_names=tuple(f"{name}{k}" for k in range(D)),
        row_numbers=np.arange(1, n + 1),
        held_out=np.arange(n) % 5 == 0,
        panels=(Panel("pca", "PCA", np.eye(d, D)), Panel("nca", "NCA", np.eye(d, D), live=True)),
        n_components=d,
    )


def make_snapshot(iteration=3, d=2, D=64):
    A = np.arange(d * D, dtype=float).reshape(d, D) / 7
    return Snapshot(iteration, A, 1.5, 0.75, 0.1, 6.5, 7.5, accuracy_1nn=0.9)


def decode_head(payload):
    length = int.from_bytes(payload[:4], "little")
    assert (4 + length) % 8 == 0
    return json.loads(payload[4 : 4 + length]), 4 + length


def test_a_scene_decodes_to_what_it_was():
    scene = make_scene()
    head, start = decode_head(encode_scene(scene))
    payload = encode_scene(scene)

    def take(name, kind):
        at = head["arrays"][name]
        return np.frombuffer(payload, kind, at["length"], start + at["offset"])

    np.testing.assert_allclose(take("X", "<f4").reshape(20, 4), scene.X - scene.X.mean(axis=0), atol=1e-6)
    np.testing.assert_array_equal(take("labels", "<i4"), scene.labels)
    np.testing.assert_array_equal(take("held_out", "u1"), scene.held_out)
    np.testing.assert_array_equal(take("panel1", "<f4").reshape(2, 4), np.eye(2, 4))
    assert head["panels"][1]["live"] is True
    assert head["unit"] == 1
    assert head["ordered"] is False
    assert decode_head(encode_scene(replace(scene, ordered=True)))[0]["ordered"] is True
    assert all(at["offset"] % 8 == 0 for at in head["arrays"].values())


@pytest.mark.parametrize("size", [1e-200, 1e140])
@pytest.mark.filterwarnings("error")
def test_numbers_beyond_float32_keep_their_picture_and_their_value(size):
    scene = make_scene()
    huge = replace(scene, X=(scene.X - 1e6) * size, hover=scene.hover * size)
    payload = encode_scene(huge)
    head, start = decode_head(payload)
    at = head["arrays"]["hover"]
    assert at["type"] == "f8"
    np.testing.assert_array_equal(
        np.frombuffer(payload, "<f8", at["length"], start + at["offset"]).reshape(20, 4), huge.hover
    )
    at = head["arrays"]["X"]
    X = np.frombuffer(payload, "<f4", at["length"], start + at["offset"]).reshape(20, 4)
    centred = scene.X - scene.X.mean(axis=0)
    np.testing.assert_allclose(X, centred / np.abs(centred).max(), atol=1e-6)
    np.testing.assert_allclose(head["unit"] * X.astype(float), centred * size, atol=1e-6 * head["unit"])


def test_snapshots_decode_to_what_they_were_and_are_small():
    message = encode_snapshots([make_snapshot(3), make_snapshot(4)])
    count, d, D = np.frombuffer(message, "<f8", 3)
    assert (count, d, D) == (2, 2, 64)
    first = dict(zip(NUMBERS, np.frombuffer(message, "<f8", len(NUMBERS), 24), strict=True))
    assert first["iteration"] == 3
    assert first["k_mean_entropy"] == 6.5
    A = np.frombuffer(message, "<f4", 128, 24 + 8 * len(NUMBERS)).reshape(2, 64)
    np.testing.assert_allclose(A, make_snapshot().transformation, rtol=1e-6)
    assert len(encode_snapshots([make_snapshot()])) < 2_000


def test_odd_matrices_keep_the_numbers_aligned():
    message = encode_snapshots([make_snapshot(i, d=3, D=5) for i in range(3)])
    stride = 8 * len(NUMBERS) + 8 * 8
    assert len(message) == 24 + 3 * stride
    assert np.frombuffer(message, "<f8", 1, 24 + 2 * stride)[0] == 2


def test_large_scenes_are_thinned_by_class_and_say_so(monkeypatch):
    monkeypatch.setattr(scene_module, "MAX_POINTS", 300)
    scene = make_scene(n=3000)
    smaller, rows = thinned(scene)
    assert len(smaller.X) == 300
    assert "Showing 300 of 3,000 points" in smaller.note
    np.testing.assert_array_equal(smaller.X, scene.X[rows])
    assert np.all(np.abs(np.bincount(smaller.labels + 1)[1:] - 100) <= 1)


def test_alignment_only_rotates_and_brings_panels_closer():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(100, 5)) * [5, 3, 1, 1, 1]
    turned = np.array([[0.0, -1.0], [1.0, 0.0]]) @ np.eye(2, 5)
    panels = (Panel("a", "A", np.eye(2, 5)), Panel("b", "B", turned), Panel("n", "N", turned, live=True))
    aligned = align_panels(X, panels)
    np.testing.assert_allclose(aligned[1].transformation, np.eye(2, 5), atol=1e-12)
    assert aligned[2] is panels[2]
    stretched = replace(panels[1], transformation=np.diag([3.0, 0.5]) @ turned)
    after = align_panels(X, (panels[0], stretched))[1].transformation
    np.testing.assert_allclose(after.T @ after, stretched.transformation.T @ stretched.transformation, atol=1e-10)

"""Scenes: thinning that takes everything along, panels aligned by rotation only, and the scene of a comparison."""

from dataclasses import replace

import numpy as np

from datasets.catalogue import load_dataset
from stage import scene as scene_module
from stage.scene import Panel, Scene, align_panels, build_scene, shown_rows, with_rows
from study.compare import compare
from study.panel import PanelRecipe
from study.recipe import FIELDS, DataRecipe, Recipe


def make_scene(n=20, D=4, d=2):
    rng = np.random.default_rng(0)
    return Scene(
        features=(rng.normal(size=(n, D)) + 1e6,),
        labels=np.arange(n) % 3 - (np.arange(n) == 0),
        class_names=("a", "b", "c"),
        hover=rng.normal(size=(n, D)),
        hover_names=tuple(f"a{k}" for k in range(D)),
        row_numbers=np.arange(1, n + 1),
        held_out=np.arange(n) % 5 == 0,
        panels=(Panel("pca", "PCA", np.eye(d, D)), Panel("nca", "NCA", np.eye(d, D), live=True)),
        n_components=d,
    )


def with_every_kind(n=20):
    """Two feature sets, a matrix on each, coordinates, labels of a panel's own, a problem."""
    scene, rng = make_scene(n), np.random.default_rng(1)
    return replace(
        scene,
        features=(scene.features[0], rng.normal(size=(n, 7))),
        panels=(
            *scene.panels,
            Panel("kernel", "Kernel PCA", rng.normal(size=(2, 7)), features=1),
            Panel("tsne", "t-SNE", rng.normal(size=(n, 2)), kind="coordinates"),
            Panel("nca-2", "NCA", rng.normal(size=(2, 4)), labels=rng.integers(-1, 3, n), live=True),
            Panel("lda", "LDA", None, problem="LDA needs three classes."),
        ),
    )


def test_large_scenes_are_thinned_by_class_and_say_so(monkeypatch):
    monkeypatch.setattr(scene_module, "MAX_POINTS", 300)
    scene = replace(with_every_kind(n=3000), row_names=np.array([f"r{k}" for k in range(3000)]))
    rows = shown_rows(scene)
    smaller = with_rows(scene, rows)
    assert smaller.n_samples == 300
    assert "Showing 300 of 3,000 points" in smaller.note
    assert len(np.unique(rows)) == 300
    for whole, part in zip(scene.features, smaller.features, strict=True):
        np.testing.assert_array_equal(part, whole[rows])
    for name in ("labels", "hover", "row_numbers", "row_names", "held_out"):
        np.testing.assert_array_equal(getattr(smaller, name), getattr(scene, name)[rows])
    for whole, part in zip(scene.panels, smaller.panels, strict=True):
        if whole.kind == "coordinates":
            np.testing.assert_array_equal(part.frame, whole.frame[rows])
        elif whole.frame is not None:
            assert part.frame is whole.frame
        if whole.labels is not None:
            np.testing.assert_array_equal(part.labels, whole.labels[rows])
    assert np.all(np.abs(np.bincount(smaller.labels + 1)[1:] - 100) <= 1)


def test_every_array_of_a_point_counts_towards_the_bytes(monkeypatch):
    monkeypatch.setattr(scene_module, "MAX_BYTES", 4 * 2000 * 8)  # 2,000 points of 4 features and 4 values to show
    scene = make_scene(n=3000)
    assert len(shown_rows(scene)) == 2000
    wider = replace(scene, features=(scene.features[0], np.ones((3000, 2))))
    assert len(shown_rows(wider)) == 1600
    assert len(shown_rows(replace(scene, row_names=np.full(3000, "8 signs.")))) == 1600
    Y = Panel("tsne", "t-SNE", np.ones((3000, 2)), kind="coordinates")
    assert len(shown_rows(replace(scene, panels=(*scene.panels, Y)))) == 1600


def test_alignment_only_rotates_and_brings_panels_closer():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(100, 5)) * [5, 3, 1, 1, 1]
    turned = np.array([[0.0, -1.0], [1.0, 0.0]]) @ np.eye(2, 5)
    panels = (Panel("a", "A", np.eye(2, 5)), Panel("b", "B", turned), Panel("n", "N", turned, live=True))
    aligned = align_panels((X,), panels)
    np.testing.assert_allclose(aligned[1].frame, np.eye(2, 5), atol=1e-12)
    assert aligned[2] is panels[2]
    stretched = replace(panels[1], frame=np.diag([3.0, 0.5]) @ turned)
    after = align_panels((X,), (panels[0], stretched))[1].frame
    np.testing.assert_allclose(after.T @ after, stretched.frame.T @ stretched.frame, atol=1e-10)


def test_coordinates_and_other_features_are_aligned_by_where_the_points_are():
    rng = np.random.default_rng(2)
    X = rng.normal(size=(80, 5)) * [5, 3, 1, 1, 1] + 40
    turn = np.linalg.qr(rng.normal(size=(2, 2)))[0] @ np.diag([1, -1])
    other = X @ np.linalg.qr(rng.normal(size=(5, 5)))[0]
    Y = (X[:, :2] - 7) @ turn.T
    Y[3] = np.nan  # a point that the method gave no place
    panels = (
        Panel("lda", "LDA", None, problem="LDA needs three classes."),
        Panel("pca", "PCA", np.eye(2, 5)),
        Panel("tsne", "t-SNE", Y, kind="coordinates"),
        Panel("kernel", "Kernel PCA", turn @ np.eye(2, 5) @ np.linalg.lstsq(other, X)[0].T, features=1),
        Panel("tsne-2", "t-SNE", Y, kind="coordinates", live=True),
    )
    problem, first, coordinates, kernel, live = align_panels((X, other), panels)
    assert problem is panels[0]
    assert first is panels[1]
    assert live is panels[4]
    wanted = X[:, :2] - X[:, :2].mean(axis=0)
    placed = np.isfinite(Y[:, 0])
    Z = coordinates.frame[placed]
    np.testing.assert_allclose(Z - Z.mean(axis=0), wanted[placed] - wanted[placed].mean(axis=0), atol=1e-2)
    assert np.isnan(coordinates.frame[3]).all()
    np.testing.assert_allclose((other - other.mean(axis=0)) @ kernel.frame.T, wanted, atol=1e-9)


def test_only_the_rows_that_count_decide_how_a_panel_is_turned():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(60, 3))
    Y = X[:, :2].copy()
    Y[30:] = Y[30:] @ [[0.0, 1.0], [-1.0, 0.0]] * 50
    panels = (Panel("pca", "PCA", np.eye(2, 3)), Panel("tsne", "t-SNE", Y, kind="coordinates"))
    by_first = align_panels((X,), panels, rows=np.arange(60) < 30)[1].frame
    np.testing.assert_allclose(by_first, Y, atol=1e-9)
    assert np.abs(align_panels((X,), panels)[1].frame - Y).max() > 1


def compared(*panels, key="breast_cancer", held_out=0.25, **fields):
    recipe = FIELDS["held_out"].put(Recipe(data=DataRecipe(key), panels=panels), held_out)
    comparison = compare(recipe, load_dataset(key))
    return comparison, build_scene(comparison)


def test_still_panels_are_turned_onto_the_first_by_the_training_rows():
    comparison, shown = compared(PanelRecipe("pca"), PanelRecipe("lda"), PanelRecipe("whitening"))
    fitted = tuple(replace(panel, frame=comparison.panel(panel.key).transformation) for panel in shown.panels)
    for panel, wanted in zip(
        shown.panels, align_panels(shown.features, fitted, comparison.prepared.train), strict=True
    ):
        np.testing.assert_allclose(panel.frame, wanted.frame)
    assert np.abs(shown.panels[1].frame - fitted[1].frame).max() > 1e-3


def test_each_panel_brings_what_it_shows():
    recipes = (
        PanelRecipe("tsne"),
        PanelRecipe("nca", labels="shuffled"),
        PanelRecipe("lda", features="rbf"),
        PanelRecipe("pca", features="rbf"),
        PanelRecipe("lda-2", labels="none"),
    )
    comparison, shown = compared(*recipes, key="iris", held_out=0.4)
    tsne, nca, lda, _, problem = shown.panels
    assert [panel.kind for panel in shown.panels] == ["coordinates", *["matrix"] * 4]
    assert [panel.live for panel in shown.panels] == [False, True, False, False, False]
    assert [panel.features for panel in shown.panels] == [0, 0, 1, 1, 0]
    np.testing.assert_array_equal(tsne.frame, comparison.panel("tsne").embedding)
    np.testing.assert_array_equal(nca.frame, comparison.panel("nca").transformation)  # the start as it is
    assert [panel.labels is None for panel in shown.panels] == [True, False, True, True, True]
    np.testing.assert_array_equal(nca.labels, comparison.panel("nca").y)
    assert (nca.labels != shown.labels).any()
    assert "Colours and shapes are the shuffled labels." in nca.note
    assert len(shown.features) == 2
    np.testing.assert_array_equal(shown.features[1], comparison.panel("lda").X)
    assert lda.frame.shape == (2, shown.features[1].shape[1])
    assert problem.frame is None
    assert "no labels" in problem.problem
    assert shown.held_out.sum() == 60
    np.testing.assert_array_equal(shown.held_out, comparison.prepared.held_out)


def test_a_trained_panel_names_what_it_climbs_where_that_is_not_f():
    objectives = {
        PanelRecipe("pca"): "",
        PanelRecipe("nca"): "",
        PanelRecipe("nca-2", {"objective": "g"}): "Σ log pᵢ",
        PanelRecipe("nca-3", {"regularisation": 0.01}): "Σ pᵢ − 0.01 ‖A‖²",
        PanelRecipe("nca-4", {"objective": "pairs", "regularisation": 0.5}): "Σ Σ log pᵢⱼ − 0.5 ‖A‖²",
        PanelRecipe("mcml", {"regularisation": 0.5}): "−Σ KL[p⁰ᵢ ‖ pᵢ] + const − 0.5 s tr Q",
        PanelRecipe("gvsm"): "−Σ (s − p)², leave one out",
        PanelRecipe("mlkr"): "−Σ (t − t̂)²",
        PanelRecipe("neural_nca", {"regularisation": 0.1, "n_hidden": 3}): "Σ pᵢ − 0.1 (‖W‖² + ‖V‖²)",
    }
    _, shown = compared(*objectives)
    assert [panel.objective for panel in shown.panels] == list(objectives.values())
    assert [panel.kind for panel in shown.panels] == [*["matrix"] * 8, "coordinates"]
    assert shown.panels[-1].frame.shape == (shown.n_samples, 2)

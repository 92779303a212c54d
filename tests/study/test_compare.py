"""A comparison: which rows and labels a method sees, frames, what is taken over, and what a training is."""

from dataclasses import replace

import numpy as np
import pytest

from datasets.base.errors import DataError
from datasets.catalogue import load_dataset
from datasets.drawn import drawn_dataset, on_the_board
from datasets.noise_lab import NoiseConfig
from nca_core.methods import METHODS
from nca_core.objectives.evaluator import Evaluator
from nca_core.training.config import TrainingConfig
from nca_core.training.nca import train
from study import compare as compare_module
from study import features as features_module
from study.compare import compare
from study.measure import panel_evaluator
from study.panel import PanelRecipe
from study.recipe import FIELDS, Recipe
from tests.study.some_data import compared, overlapping, recipe_of, whole_training

SOLVED = [key for key, method in METHODS.items() if method.kind == "solved"]


def last_of(comparison, key):
    """A of a solved panel, and of a trained one where it ends; of a network all its weights."""
    panel = comparison.panel(key)
    if not panel.trains:
        return panel.transformation
    last = whole_training(comparison, key).snapshots[-1]
    net = last.network
    return last.transformation if net is None else np.concatenate([net.W.ravel(), net.b, net.V.ravel(), net.centre])


def prepare_as(monkeypatch, ready, **changes):
    """Every preparation gives `ready` with changes in its data set."""
    monkeypatch.setattr(features_module, "_IN_USE", {})  # else what is prepared already would be shared
    changed = replace(ready, dataset=replace(ready.dataset, **changes))
    monkeypatch.setattr(features_module, "prepare", lambda *_: changed)


# -- rows and labels


@pytest.mark.parametrize("features", ["prepared", "rbf"])
@pytest.mark.parametrize("key", [*SOLVED, "nca", "neural_nca"])
def test_held_out_rows_and_their_labels_reach_no_fit(monkeypatch, key, features):
    panel = PanelRecipe(key, {"max_iter": 3} if METHODS[key].kind == "trained" else {}, features=features)
    as_given = compared(panel)
    ready = as_given.prepared
    y = np.where(ready.held_out, (ready.dataset.y + 1) % 3, ready.dataset.y)
    prepare_as(monkeypatch, ready, X=ready.dataset.X + 5.0 * ready.held_out[:, None], y=y)
    changed = compared(panel)
    if as_given.panel(key).problem:  # DCV, where the rows vary within their classes in every direction
        assert changed.panel(key).problem == as_given.panel(key).problem
        return
    np.testing.assert_array_equal(last_of(changed, key), last_of(as_given, key))


def test_rows_without_a_label_are_neighbours_to_all(monkeypatch):
    ready = compared(PanelRecipe("nca")).prepared
    y = np.where(np.arange(len(ready.dataset.y)) % 4 == 0, -1, ready.dataset.y)
    prepare_as(monkeypatch, ready, y=y)
    comparison = compared(PanelRecipe("nca", {"max_iter": 3}), PanelRecipe("pca", labels="none"))
    rows, last = ready.train, whole_training(comparison, "nca").snapshots[-1]
    known = y[rows] >= 0
    at = Evaluator(ready.dataset.X[rows], y[rows]).evaluate(last.transformation)
    assert last.objective == pytest.approx(at.objective, rel=1e-9)
    assert last.mean_p == pytest.approx(at.p[known].sum() / len(known), rel=1e-9)
    p = panel_evaluator(comparison, "pca", rows).evaluate(comparison.panel("pca").transformation).p
    assert (p[~known] == 0.0).all()
    assert (p[known] > 0.0).all()


def test_shuffled_labels_keep_the_sizes_of_classes_and_move_in_both_halves():
    comparison = compared(
        PanelRecipe("lda", labels="shuffled", random_state=1),
        PanelRecipe("lda-2", labels="shuffled", random_state=1),
        PanelRecipe("lda-3", labels="shuffled", random_state=0),
    )
    ready, true = comparison.prepared, comparison.prepared.dataset.y
    first, second, third = (panel.y for panel in comparison.panels)
    np.testing.assert_array_equal(first, second)
    assert not np.array_equal(first, third)
    np.testing.assert_array_equal(np.unique(first, return_counts=True), np.unique(true, return_counts=True))
    np.testing.assert_array_equal(first < 0, true < 0)
    for half in (ready.train, ready.held_out):
        for shuffled in (first, third):
            assert 0.2 < np.mean(shuffled[half] == true[half]) < 0.65  # by chance about 0.38


def test_shuffled_numbers_move_with_their_classes():
    data = overlapping(numbers=True)
    panel = compared(PanelRecipe("nca", labels="shuffled"), dataset=data).panels[0]
    assert not np.array_equal(panel.target, data.target)
    pairs = {(code, number) for code, number in zip(data.y, data.target, strict=True) if code >= 0}
    assert {(code, number) for code, number in zip(panel.y, panel.target, strict=True) if code >= 0} == pairs


@pytest.mark.parametrize("key", METHODS)
def test_labels_none_are_seen_by_nobody(key):
    (panel,) = compared(PanelRecipe(key, labels="none"), dataset=overlapping(numbers=True)).panels
    assert (panel.y < 0).all()
    assert panel.target is None
    assert bool(panel.problem) == panel.recipe.method.needs_labels


def test_numbers_as_labels_reach_what_trains_and_classes_the_others():
    data = overlapping(numbers=True)
    for wanted in ("gaussian", "ranks", "same"):
        comparison = compared(PanelRecipe("nca", {"target_similarity": wanted, "max_iter": 2}), dataset=data)
        assert comparison.new_run("nca").config.target_similarity == wanted
    assert compared(PanelRecipe("nca", {"target_similarity": "ranks"})).panel("nca").config.target_similarity is None


# -- methods that cannot run, trainings


def test_a_method_that_cannot_run_leaves_its_reason_and_the_others_go_on():
    comparison = compared(
        PanelRecipe("lda", labels="none"),
        PanelRecipe("nca", labels="none"),
        PanelRecipe("nca-2", start="nca@3", labels="true"),
        PanelRecipe("pca"),
    )
    assert [panel.problem for panel in comparison.panels] == [
        "LDA compares classes, and it is given no labels.",
        "NCA compares classes, and it is given no labels.",
        "It starts from NCA, which cannot run here.",
        "",
    ]
    assert [panel.trains for panel in comparison.panels] == [False] * 4
    for key, words in (("lda", "lda does not train"), ("nca-2", "nca-2 cannot train: It starts from NCA, which")):
        with pytest.raises(ValueError, match=words):
            comparison.new_run(key)
    with pytest.raises(ValueError, match="projects nothing"):
        comparison.panel("lda").projected()


def test_an_error_of_a_fit_becomes_the_problem_of_its_panel(monkeypatch):
    def fails(*_, **__):
        raise np.linalg.LinAlgError("Eigenvalues did not converge")

    monkeypatch.setitem(METHODS, "lda", replace(METHODS["lda"], fit=fails))
    comparison = compared(PanelRecipe("lda"), PanelRecipe("pca"))
    assert "LDA cannot be computed on these data: Eigenvalues" in comparison.panel("lda").problem
    assert comparison.panel("pca").transformation is not None


def test_too_few_features_for_three_dimensions():
    data = replace(overlapping(), X=overlapping().X[:, :2].copy(), feature_names=("a", "b"))
    with pytest.raises(DataError, match="2 features, too few for a 3-D projection"):
        compared(PanelRecipe("pca"), PanelRecipe("nca"), dataset=data, n_components=3)
    assert not any(panel.problem for panel in compared(PanelRecipe("pca"), PanelRecipe("nca"), dataset=data).panels)
    flat = replace(overlapping(), X=overlapping().X[:, [0, 0, 1]].copy(), feature_names=("a", "again", "b"))
    comparison = compared(PanelRecipe("nca", features="linear"), PanelRecipe("pca"), dataset=flat, n_components=3)
    assert "at most 2 directions" in comparison.panel("nca").problem
    assert not comparison.panel("pca").problem


def test_a_training_is_that_of_the_engine_with_the_settings_of_its_panel():
    settings = {"max_iter": 4, "objective": "g", "regularisation": 0.1, "optimiser": "cg"}
    comparison = compared(PanelRecipe("nca", settings, start="random", random_state=9))
    X, y = (each[comparison.prepared.train] for each in (comparison.prepared.dataset.X, comparison.prepared.dataset.y))
    wanted = train(X, y, TrainingConfig(initialisation="random", random_state=9, **settings)).snapshots
    assert [at.objective for at in whole_training(comparison, "nca").snapshots] == [at.objective for at in wanted]


@pytest.mark.parametrize("start", METHODS["nca"].starts)
def test_what_is_shown_before_a_training_is_its_start(start):
    comparison = compared(PanelRecipe("nca", {"max_iter": 1}, start=start, features="polynomial", random_state=4))
    panel, first = comparison.panel("nca"), whole_training(comparison, "nca").snapshots[0]
    if panel.note:
        assert panel.note == "Before the training PCA is shown; the training begins with a search for its start."
        assert start in ("best_of_several", "sample_first")
    else:
        np.testing.assert_array_equal(panel.transformation, first.transformation)


def test_a_training_that_is_not_linear_says_where_all_rows_are():
    """Held-out rows have a place in each snapshot, by the network and not by a fit to them."""
    comparison = compared(PanelRecipe("neural_nca", {"max_iter": 2, "n_hidden": 9}))
    panel = comparison.panel("neural_nca")
    assert panel.transformation is None
    shots = whole_training(comparison, "neural_nca").snapshots
    assert len(shots) == 3
    for shot in shots:
        assert shot.coordinates.shape == (90, 2)
        np.testing.assert_allclose(shot.coordinates, shot.network.apply(panel.X), rtol=1e-9)
    np.testing.assert_allclose(panel.embedding, shots[0].coordinates, rtol=1e-9)


def test_a_network_starts_from_a_matrix_and_gives_none():
    panels = (PanelRecipe("nca", {"max_iter": 4}), PanelRecipe("neural_nca", {"n_hidden": 40}, start="nca@4"))
    comparison = compared(*panels)
    begins = whole_training(comparison, "neural_nca").snapshots[0].coordinates
    Y = comparison.prepared.dataset.X @ whole_training(comparison, "nca").snapshots[4].transformation.T
    apart = [np.linalg.norm(places[:, None] - places[None], axis=2).ravel() for places in (begins, Y)]
    assert np.corrcoef(*apart)[0, 1] > 0.95
    with pytest.raises(ValueError, match="has a matrix and sees the same features: there is none"):
        recipe_of(PanelRecipe("neural_nca"), PanelRecipe("nca", start="neural_nca@3"))


@pytest.mark.parametrize(
    ("settings", "start", "iteration", "place"),
    [
        ({"max_iter": 6}, "lda", 0, 0),
        *(
            ({"max_iter": 6, "optimiser": each}, "lda", 3, 3)
            for each in ("bfgs", "cg", "gradient-ascent", "stochastic")
        ),
        ({"max_iter": 3}, "", 500, 3),  # beyond its end: the last one
        *(({"max_iter": 1}, each, 0, 0) for each in ("best_of_several", "sample_first")),  # trained for
    ],
)
def test_a_start_from_a_frame_is_that_frame(settings, start, iteration, place):
    source, branch = PanelRecipe("nca", settings, start=start), {"max_iter": 1, "objective": "g"}
    comparison = compared(source, PanelRecipe("nca-2", branch, start=f"nca@{iteration}"))
    wanted = whole_training(comparison, "nca").snapshots[place].transformation
    np.testing.assert_array_equal(whole_training(comparison, "nca-2").snapshots[0].transformation, wanted)
    known = iteration == 0 and start == "lda"
    assert known != ("as it is when this training begins" in comparison.panel("nca-2").note)


def test_a_frame_of_a_frame():
    comparison = compared(
        PanelRecipe("nca", {"max_iter": 4}),
        PanelRecipe("nca-2", {"max_iter": 3, "objective": "g"}, start="nca@2", labels="shuffled"),
        PanelRecipe("nca-3", {"max_iter": 1}, start="nca-2@3"),
    )
    one, two, three = (whole_training(comparison, key).snapshots for key in ("nca", "nca-2", "nca-3"))
    np.testing.assert_array_equal(two[0].transformation, one[2].transformation)
    np.testing.assert_array_equal(three[0].transformation, two[-1].transformation)


def test_a_frame_that_is_there_already_is_not_trained_for_again():
    comparison = compared(PanelRecipe("nca"), PanelRecipe("nca-2", {"max_iter": 1}, start="nca@2"))
    asked = []
    A = np.random.default_rng(0).normal(size=(2, 6))

    def frames(key, iteration):
        asked.append((key, iteration))
        return A

    run = comparison.new_run("nca-2", frames=frames)
    run.start()
    assert run.wait_for_end(60)
    run.stop()
    assert asked == [("nca", 2)]
    np.testing.assert_array_equal(run.trajectory.snapshots[0].transformation, A)


def test_what_is_shown_before_a_frame_is_known():
    comparison = compared(
        PanelRecipe("nca", title="first"),
        PanelRecipe("nca-2", start="nca@0"),
        PanelRecipe("nca-3", start="nca@5"),
        PanelRecipe("nca-4", start="nca-3@0"),
    )
    later = ", as it is when this training begins."
    assert [panel.note for panel in comparison.panels[1:]] == [
        "Starts from iteration 0 of first.",
        f"Starts from iteration 5 of first{later}",
        f"Starts from iteration 0 of NCA 3{later}",
    ]
    for panel in comparison.panels[1:]:
        np.testing.assert_array_equal(panel.transformation, comparison.panel("nca").transformation)


BEFORE = recipe_of(PanelRecipe("pca"), PanelRecipe("lda", features="rbf"), PanelRecipe("nca"))
NOISY = replace(BEFORE, noise=NoiseConfig(noise_columns=1, rescaled_column=0, factor=2.0))  # so each field matters
OTHER_ROWS = {
    "noise.columns": 2,
    "noise.spread": 2.0,
    "noise.rescaled": 1,
    "noise.factor": 3.0,
    "noise.flipped": 0.2,
    "noise.seed": 5,
    "scale": "robust",
    "components": 4,
    "reduction": "random_projection",
    "held_out": 0.2,
    "test": 0.2,
    "rows": 60,
    "sampling": "random",
    "split.by": "group",
    "split.column": "patient",
    "split.seed": 5,
}


@pytest.fixture(scope="module")
def before():
    return compare(BEFORE, overlapping())


@pytest.fixture(scope="module")
def noisy():
    assert set(FIELDS) == {*OTHER_ROWS, "dimensions", "pace"}
    return compare(NOISY, overlapping())


@pytest.mark.parametrize("name", OTHER_ROWS)
def test_other_rows_are_prepared_and_fitted_anew(noisy, name):
    after = compare(FIELDS[name].put(NOISY, OTHER_ROWS[name]), overlapping(), noisy)
    assert after.prepared is not noisy.prepared
    for one, two in zip(noisy.panels, after.panels, strict=True):
        assert one is not two
        assert one.X is not two.X
    fresh = compare(after.recipe, overlapping())
    for one, two in zip(fresh.panels, after.panels, strict=True):
        np.testing.assert_array_equal(one.transformation, two.transformation)


def test_other_dimensions_are_fitted_anew_on_the_same_rows(before):
    after = compare(replace(BEFORE, n_components=3), overlapping(), before)
    assert after.prepared is before.prepared
    for one, two in zip(before.panels, after.panels, strict=True):
        assert two.transformation.shape[0] == 3
        assert two.X is one.X  # kernel features too


def test_another_pace_takes_everything_over_and_another_data_set_nothing(before):
    after = compare(replace(BEFORE, pace="calm"), overlapping(), before)
    assert after.prepared is before.prepared
    assert all(one is two for one, two in zip(before.panels, after.panels, strict=True))
    assert compare(BEFORE, replace(overlapping()), before).prepared is not before.prepared


@pytest.mark.parametrize(
    ("key", "change"),
    [
        ("nca", {"settings": {"max_iter": 7}}),
        ("nca", {"start": "lda"}),
        ("nca", {"labels": "shuffled"}),
        ("nca", {"random_state": 3}),
        ("lda", {"features": "prepared"}),
        ("pca", {"labels": "none"}),
        ("pca", {"title": "mine"}),
    ],
)
def test_a_changed_panel_is_made_anew_and_the_others_are_taken_over(before, key, change):
    recipe = BEFORE.with_panel(replace(BEFORE.panel(key), **change))
    after = compare(recipe, overlapping(), before)
    for one, two in zip(before.panels, after.panels, strict=True):
        assert (one is two) == (one.key != key)
    fresh, changed = compare(recipe, overlapping()).panel(key), after.panel(key)
    assert (changed.recipe, changed.config) == (recipe.panel(key), fresh.config)
    for name in ("X", "y", "transformation"):
        np.testing.assert_array_equal(getattr(changed, name), getattr(fresh, name))


def test_panels_that_come_go_or_change_places_leave_the_others(before):
    panels = (PanelRecipe("nca"), PanelRecipe("whitening", features="rbf"), PanelRecipe("pca"))
    after = compare(replace(BEFORE, panels=panels), overlapping(), before)
    assert [panel.key for panel in after.panels] == ["nca", "whitening", "pca"]
    assert all(after.panel(key) is before.panel(key) for key in ("nca", "pca"))
    assert after.panel("whitening").X is before.panel("lda").X  # the same kernel features


def test_a_panel_that_starts_from_another_follows_it():
    recipe = recipe_of(PanelRecipe("nca"), PanelRecipe("nca-2", start="nca@0"))
    before = compare(recipe, overlapping())
    after = compare(recipe.with_panel(PanelRecipe("nca", start="lda")), overlapping(), before)
    np.testing.assert_array_equal(after.panel("nca-2").transformation, after.panel("nca").transformation)
    assert not np.array_equal(after.panel("nca-2").transformation, before.panel("nca-2").transformation)


def test_histories_have_a_limit_and_small_ones_go_on(monkeypatch):
    size = 2 * 6 * 8
    monkeypatch.setattr(compare_module, "MOST_HISTORY_BYTES", size * 160)
    small, huge = {"max_iter": 50}, {"max_iter": 2_000}
    limits = {"nca": small, "nca-2": huge, "nca-3": small, "nca-4": small, "nca-5": small}
    comparison = compared(*(PanelRecipe(key, limit) for key, limit in limits.items()), PanelRecipe("pca"))
    assert [panel.trains for panel in comparison.panels] == [True, False, True, True, False, False]
    assert "make room" in comparison.panel("nca-2").problem
    with pytest.raises(ValueError, match="nca-2 cannot train: The histories"):
        comparison.new_run("nca-2")
    fewer = compare(replace(comparison.recipe, panels=comparison.recipe.panels[3:]), overlapping(), comparison)
    assert [panel.trains for panel in fewer.panels] == [True, True, False]
    assert fewer.panel("nca-4") is comparison.panel("nca-4")
    assert fewer.panel("nca-5").problem == ""
    # 51 snapshots each, and 130 of the short runs that look for the start.
    searching = [PanelRecipe(f"nca-{k}", small, start="best_of_several") for k in (6, 7)]
    assert [panel.trains for panel in compared(*searching).panels] == [False, False]
    monkeypatch.setattr(compare_module, "MOST_HISTORY_BYTES", size * 190)
    assert [panel.trains for panel in compared(*searching).panels] == [True, False]


@pytest.mark.parametrize("lacking", [0, 1])
def test_the_history_of_a_network_holds_its_weights_and_the_places_of_all_rows(monkeypatch, lacking):
    size = 8 * (9 * (6 + 1 + 2) + 2 * 90) * 51
    monkeypatch.setattr(compare_module, "MOST_HISTORY_BYTES", size - lacking)
    panel = compared(PanelRecipe("neural_nca", {"max_iter": 50, "n_hidden": 9})).panel("neural_nca")
    assert panel.trains == (not lacking)


def test_in_other_dimensions_no_panel_is_reused():
    before = compared(PanelRecipe("pca"))
    flat = compare(before.recipe, before.dataset, before, n_components=1)
    assert flat.panel("pca").transformation.shape == (1, 6)


def drawing(tall: bool, noise: int):
    """Two bars of 60 points with `noise` columns beside, lying or standing."""
    rng = np.random.default_rng(4)
    y = np.arange(120) % 2
    bars = np.column_stack([rng.uniform(-1, 1, 120), 0.8 * y - 0.4 + rng.uniform(-0.1, 0.1, 120)])
    return drawn_dataset(bars[:, ::-1] if tall else bars, y, noise, 0.3)


@pytest.mark.parametrize(("tall", "n_components"), [(False, 3), (True, 2)])
def test_pca_keeps_a_drawing_upright_and_the_training_begins_there(tall, n_components):
    dataset = drawing(tall, 3)
    panels = PanelRecipe("pca"), PanelRecipe("nca"), PanelRecipe("nca-2", start="best_of_several")
    found = compare(Recipe(panels=panels, n_components=n_components), dataset)
    A = found.panel("pca").transformation
    shown = A[:, :2]  # where the board's x and y point
    assert shown[0, 0] > abs(shown[1, 0]) - 1e-9
    assert shown[1, 1] > abs(shown[0, 1]) - 1e-9
    assert shown[0, 1] == pytest.approx(shown[1, 0])  # no turn within the picture brings them nearer
    np.testing.assert_allclose(A @ A.T, np.eye(n_components), atol=1e-9)  # the same plane, not stretched
    start = found.panel("nca").transformation  # larger or smaller by a factor
    np.testing.assert_allclose(start / np.linalg.norm(start), A / np.linalg.norm(A), atol=1e-9)
    np.testing.assert_allclose(found.trained("nca").snapshots[0].transformation, start)
    np.testing.assert_array_equal(found.panel("nca-2").transformation, start)  # PCA until its start is found


def test_other_data_keep_the_axes_of_pca():
    dataset, A = drawing(True, 0), np.array([[0.0, 1.0], [1.0, 0.0]])
    np.testing.assert_allclose(on_the_board(A, dataset), np.eye(2))
    other = compare(Recipe(), drawing(True, 0)).prepared.dataset
    assert other.feature_names == ("x", "y")
    assert on_the_board(A, load_dataset("iris")) is A

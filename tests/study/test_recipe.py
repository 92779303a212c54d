"""Recipes refuse what cannot be, one seed for all draws; changes of panels and presets, and what cannot be made."""

from dataclasses import replace

import pytest

from datasets.noise_lab import NoiseConfig
from datasets.preparation import PreparationConfig
from nca_core.methods import METHODS
from study.compare import compare
from study.link import from_link, to_link
from study.panel import PanelRecipe, free_key
from study.panel_changes import (
    added,
    branched,
    duplicated,
    moved,
    removed,
    with_other_seed,
    with_panels_from,
    with_twin,
)
from study.presets import NOISE_COLUMNS, PRESETS
from study.recipe import FIELDS, OWN, DataRecipe, Recipe, common_seed, with_seed
from tests.study.some_data import overlapping, recipe_of

NCA = PanelRecipe("nca")


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Recipe(n_components=2.0), ("dimensions is 2.0", "a whole number")),
        (lambda: Recipe(panels=()), ("Choose 1 to 9 panels", "0 are chosen")),
        (lambda: Recipe(panels=(NCA, NCA)), ("nca is listed twice", "a key of its own")),
        (lambda: Recipe(noise=NoiseConfig(noise_columns=501)), ("noise.columns is 501", "0 to 500")),
        (lambda: Recipe(noise=NoiseConfig(rescaled_column="alcohol")), ("noise.rescaled is 'alcohol'", "or empty")),
        (lambda: PanelRecipe("nca-02"), ("panel is 'nca-02'",)),
        (lambda: PanelRecipe("pca", {"max_iter": 1}), ("pca has no setting 'max_iter'", "none")),
        (lambda: PanelRecipe("nca", random_state=10**5_000), ("nca.seed is a number of thousands",)),
        (lambda: PanelRecipe("nca", start=7), ("nca.start is 7", "a text")),
        (lambda: PanelRecipe("pca", start="nca@3"), ("pca.start is 'nca@3'", "PCA has no start")),
        (lambda: DataRecipe("wine", {"n_samples": 3}), ("wine has no parameter 'n_samples'", "none")),
        (lambda: DataRecipe(OWN, name="x" * 201), ("data.name", "at most 200 letters")),
    ],
)
def test_what_cannot_be_is_refused(make, words):
    with pytest.raises(ValueError) as error:
        make()
    for word in words:
        assert word in str(error.value)
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 600


@pytest.mark.parametrize(
    "panels",
    [
        (PanelRecipe("nca", start="nca-2@3"), PanelRecipe("nca-2")),  # forward
        (PanelRecipe("nca", start="nca@3"),),  # itself
        (PanelRecipe("pca"), PanelRecipe("nca", start="pca@0")),  # a still panel
        (NCA, PanelRecipe("nca-2", start="nca@3", features="rbf")),  # a matrix over other features
        (PanelRecipe("nca", start="nca-9@3"),),  # nobody
    ],
)
def test_a_frame_comes_from_a_trained_panel_before(panels):
    with pytest.raises(ValueError, match="must come from a trained panel that stands before it"):
        Recipe(panels=panels)


def test_what_is_a_default_is_not_said_and_the_order_does_not_count():
    assert PanelRecipe("nca", {"objective": "f", "max_iter": 100}) == NCA
    assert PanelRecipe("nca", start="pca") == NCA
    some = {"objective": "g", "max_iter": 7}
    assert PanelRecipe("nca", some) == PanelRecipe("nca", dict(reversed(some.items())))
    assert hash(PanelRecipe("nca", some)) == hash(PanelRecipe("nca", tuple(some.items())))
    assert DataRecipe("rings", {"n_samples": 500, "noise": 4.0}) == DataRecipe("rings")
    assert DataRecipe("rings", (("noise", 1.0), ("n_samples", 100))).parameters == (("n_samples", 100), ("noise", 1.0))


def test_every_field_refuses_what_it_does_not_allow():
    for field in FIELDS.values():
        for value in ("no such value" * 40, float("nan"), -(10**9), [], object()):
            with pytest.raises(ValueError, match=field.name):
                field.put(Recipe(), value)


def test_names_of_panels():
    third = PanelRecipe("nca-3")
    assert [each.shown_title for each in (NCA, third, replace(third, title="mine"))] == ["NCA", "NCA 3", "mine"]
    assert PanelRecipe("random_projection-2").method is METHODS["random_projection"]
    assert (free_key("nca", set()), free_key("nca", {"nca", "nca-2", "pca"})) == ("nca", "nca-3")


PLAIN = Recipe()


def test_a_seed_goes_everywhere_and_through_a_link():
    recipe = with_seed(PLAIN, 7)
    assert dict(recipe.data.parameters) == {"random_state": 7}
    assert (recipe.noise.random_state, recipe.preparation.random_state) == (7, 7)
    assert {panel.random_state for panel in recipe.panels} == {7}
    assert common_seed(recipe) == 7
    assert from_link(to_link(recipe)).recipe == recipe
    assert with_seed(recipe, 0) == PLAIN


@pytest.mark.parametrize(
    "other",
    [
        replace(PLAIN, noise=NoiseConfig(random_state=1)),
        replace(PLAIN, preparation=PreparationConfig(random_state=1)),
        replace(PLAIN, panels=(PanelRecipe("pca"), PanelRecipe("nca", random_state=1))),
        replace(PLAIN, data=DataRecipe("rings", {"random_state": 1})),
    ],
)
def test_seeds_that_differ_are_no_one_seed(other):
    assert common_seed(PLAIN) == 0
    assert common_seed(other) is None


@pytest.mark.parametrize(
    ("data", "seed", "its"), [("rings", 1_001 + 5, {"random_state": 5}), ("iris", 4, {})], ids=["few seeds", "none"]
)
def test_data_know_as_many_seeds_as_their_generator(data, seed, its):
    recipe = with_seed(replace(PLAIN, data=DataRecipe(data)), seed)
    assert dict(recipe.data.parameters) == its
    assert common_seed(recipe) == seed


G = {"objective": "g"}


@pytest.fixture
def recipe() -> Recipe:
    return Recipe(panels=(PanelRecipe("pca"), PanelRecipe("nca", G, start="random"), PanelRecipe("lda")))


def keys(recipe: Recipe) -> list[str]:
    return [panel.key for panel in recipe.panels]


def test_panels_are_added_at_the_end_and_a_twin_with_shuffled_labels_behind_its_panel(recipe):
    assert keys(added(added(recipe, "nca"), "pca")) == ["pca", "nca", "lda", "nca-2", "pca-2"]
    assert keys(with_twin(recipe, "nca")) == ["pca", "nca", "nca-2", "lda"]
    twin = with_twin(recipe, "nca").panel("nca-2")
    assert (twin.labels, twin.start, dict(twin.settings)) == ("shuffled", "random", G)
    assert "shuffled" in twin.shown_title


def test_another_seed_is_one_that_none_alike_has(recipe):
    twice = with_other_seed(with_other_seed(recipe, "nca"), "nca")
    assert {panel.random_state for panel in twice.panels if panel.method_key == "nca"} == {0, 1, 2}
    other = with_other_seed(added(recipe, "nca"), "nca-2")  # another start: seed 0 of "nca" is not of its like
    assert other.panel("nca-3").random_state == 1
    unlike = replace(recipe, panels=(*recipe.panels, PanelRecipe("nca-2", labels="shuffled", random_state=1)))
    assert with_other_seed(unlike, "nca").panel("nca-3").random_state == 1


def test_where_nothing_is_drawn_another_seed_begins_at_random():
    recipe = Recipe(panels=(PanelRecipe("nca", G), PanelRecipe("nca-2", {"optimiser": "stochastic"})))
    twice = with_other_seed(with_other_seed(recipe, "nca"), "nca")
    starts = [(panel.start, panel.random_state) for panel in twice.panels if dict(panel.settings) == G]
    assert starts == [("", 0), ("random", 2), ("random", 1)]
    assert twice.panel("nca-3").shown_title == "NCA, random start, seed 1"
    assert with_other_seed(recipe, "nca-2").panel("nca-3").start == ""  # its batches are drawn
    twin = with_other_seed(with_twin(recipe, "nca"), "nca-3").panel("nca-4")
    assert (twin.start, twin.random_state, twin.labels) == ("", 1, "shuffled")
    branch = branched(recipe, "nca", 5)
    assert with_other_seed(branch, "nca-3").panel("nca-4").start == "random"


def test_a_branch_starts_from_the_frame_and_survives_a_link(recipe):
    branch = branched(recipe, "nca", 17)
    assert keys(branch) == ["pca", "nca", "nca-2", "lda"]
    frame = branch.panel("nca-2").frame
    assert (frame.panel, frame.iteration) == ("nca", 17)
    assert from_link(to_link(branch)).recipe == branch
    with pytest.raises(ValueError, match="PCA does not train"):
        branched(recipe, "pca", 0)


def test_moving_keeps_a_branch_behind_what_it_starts_from(recipe):
    assert keys(moved(recipe, "lda", -1)) == ["pca", "lda", "nca"]
    assert keys(moved(recipe, "pca", -1)) == keys(moved(recipe, "lda", 1)) == keys(recipe)
    branch = branched(recipe, "nca", 3)
    with pytest.raises(ValueError, match="NCA 2 starts from NCA, so it stands behind it"):
        moved(branch, "nca-2", -1)
    with pytest.raises(ValueError, match="behind it"):
        moved(branch, "nca", 1)


def test_removing_says_what_still_needs_the_panel(recipe):
    assert keys(removed(recipe, "nca")) == ["pca", "lda"]
    with pytest.raises(ValueError, match="remove NCA 2 first"):
        removed(branched(recipe, "nca", 3), "nca")
    with pytest.raises(ValueError, match="One panel stays"):
        removed(Recipe(panels=(PanelRecipe("pca"),)), "pca")


def test_there_are_nine_at_most(recipe):
    full = recipe
    for _ in range(6):
        full = added(full, "nca")
    for change in (lambda: added(full, "pca"), lambda: duplicated(full, "nca"), lambda: with_twin(full, "lda")):
        with pytest.raises(ValueError, match="no room for another"):
            change()
    with pytest.raises(ValueError, match="over 9"):
        with_panels_from(full, recipe, ["nca"])


def test_what_is_taken_over_brings_along_what_it_starts_from(recipe):
    source = branched(recipe, "nca", 3)
    taken, places = with_panels_from(recipe, source, ["nca-2"])
    assert keys(taken) == ["pca", "nca", "lda", "nca-2", "nca-3"]
    assert places == {"nca": "nca-2", "nca-2": "nca-3"}
    assert taken.panel("nca-3").start == "nca-2@3"


def test_other_rows_begin_another_comparison(recipe):
    source = recipe_of(PanelRecipe("nca", G), n_components=3)
    taken, places = with_panels_from(recipe, source, ["nca"])
    assert taken == source
    assert places == {"nca": "nca"}
    assert with_panels_from(None, recipe, ["nca"])[0] == recipe  # the solved panels come along


def test_what_is_taken_over_fills_a_panel_with_the_same_settings(recipe):
    free = recipe.with_panel(replace(recipe.panel("nca"), title="mine"))
    assert with_panels_from(free, recipe, ["nca"], ["nca"]) == (free, {"nca": "nca"})
    assert keys(with_panels_from(free, recipe, ["nca"])[0]) == ["pca", "nca", "lda", "nca-2"]
    other = recipe.with_panel(PanelRecipe("nca", {"regularisation": 0.5}))
    assert with_panels_from(free, other, ["nca"], ["nca"])[1] == {"nca": "nca-2"}


def test_panels_of_one_method_say_what_sets_them_apart():
    some = {"objective": "g", "regularisation": 0.1, "max_iter": 7}
    first = PanelRecipe("nca")
    panels = first, *(PanelRecipe(f"nca-{k}", **of) for k, of in enumerate((
        {"settings": {"regularisation": 0.1}},
        {"settings": {"regularisation": 0.1}},
        {"settings": some},
        {"start": "random", "random_state": 3},
        {"labels": "shuffled"},
        {"features": "raw"},
        {"start": "nca@5"},
        {},
    ), start=2))  # fmt: skip
    assert [panel.shown_title for panel in recipe_of(*panels).panels] == [
        "NCA",
        "NCA, λ = 0.1",
        "NCA, λ = 0.1 (3)",
        "NCA, 7 iterations, objective g, …",
        "NCA, start random, seed 3",
        "NCA, shuffled labels",
        "NCA, features as they came, not scaled",
        "NCA 8",
        "NCA 9",
    ]
    alone = replace(recipe_of(*panels), panels=panels[1:2]).panels[0]
    assert alone.shown_title == "NCA 2"
    tamed, plain = recipe_of(panels[1], PanelRecipe("nca-3")).panels
    assert (tamed.shown_title, plain.shown_title) == ("NCA 2", "NCA, λ = 0")


def test_a_panel_that_is_used_again_has_its_new_title():
    one = recipe_of(PanelRecipe("pca"), PanelRecipe("pca-2", labels="none"))
    before = compare(replace(one, panels=one.panels[1:]), overlapping())
    after = compare(one, overlapping(), before)
    assert after.panel("pca-2").transformation is before.panels[0].transformation
    assert after.panel("pca-2").recipe.shown_title == one.panel("pca-2").shown_title != "PCA 2"


@pytest.mark.parametrize("key", PRESETS)
def test_a_preset_keeps_the_rows_and_survives_a_link(key):
    recipe = recipe_of(*PRESETS["methods"].panels, n_components=3)
    made = PRESETS[key].on(recipe)
    assert 2 <= len(made.panels) <= 9
    assert (made.data, made.preparation, made.n_components) == (recipe.data, recipe.preparation, 3)
    assert from_link(to_link(made)).recipe == made
    assert len({panel.shown_title for panel in made.panels}) == len(made.panels)
    assert len({replace(panel, key=panel.method_key, title="") for panel in made.panels}) == len(made.panels)


def test_columns_of_noise_are_added_where_there_are_none_and_stay_where_there_are():
    recipe, preset = recipe_of(*PRESETS["methods"].panels), PRESETS["noise"]
    assert preset.on(recipe).noise.noise_columns == NOISE_COLUMNS
    assert preset.on(recipe_of(*recipe.panels, noise_columns=3)).noise.noise_columns == 3
    assert PRESETS["scaling"].on(recipe).noise == recipe.noise
    assert PRESETS["scaling"].on(preset.on(recipe)).noise == recipe.noise  # what a preset has brought goes with it
    mine = recipe_of(*recipe.panels, noise_columns=NOISE_COLUMNS)
    assert PRESETS["scaling"].on(mine).noise == mine.noise
    assert [panel.X.shape[1] for panel in compare(preset.on(recipe), overlapping()).panels] == [6, 26, 6, 26]

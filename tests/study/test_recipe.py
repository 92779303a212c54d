"""Recipes refuse what cannot be: the field, its value and what is allowed; one seed for all draws."""

from dataclasses import replace

import pytest

from datasets.noise_lab import NoiseConfig
from datasets.preparation import PreparationConfig
from nca_core.methods import METHODS
from study.link import from_link, to_link
from study.panel import PanelRecipe, free_key
from study.recipe import FIELDS, OWN, DataRecipe, Recipe, common_seed, with_seed

NCA = PanelRecipe("nca")


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Recipe(n_components=2.0), ("dimensions is 2.0", "a whole number")),
        (lambda: Recipe(panels=()), ("panels: there are 0", "1 to 9")),
        (lambda: Recipe(panels=(NCA, NCA)), ("nca is listed twice", "a key of its own")),
        (lambda: Recipe(noise=NoiseConfig(noise_columns=501)), ("noise.columns is 501", "0 to 500")),
        (lambda: Recipe(noise=NoiseConfig(rescaled_column="alcohol")), ("noise.rescaled is 'alcohol'", "or empty")),
        (lambda: PanelRecipe("nca-02"), ("panel is 'nca-02'",)),
        (lambda: PanelRecipe("pca", {"max_iter": 1}), ("pca has no setting 'max_iter'", "none")),
        (lambda: PanelRecipe("nca", {"max_iter": True}), ("nca.max_iter is True", "a whole number")),
        (lambda: PanelRecipe("nca", random_state=10**5_000), ("nca.seed is a number of thousands",)),
        (lambda: PanelRecipe("nca", start=7), ("nca.start is 7", "a text")),
        (lambda: PanelRecipe("pca", start="nca@3"), ("pca.start is 'nca@3'", "PCA has no start")),
        (lambda: PanelRecipe("nca", title="\ud800"), ("nca.title", "at most 60 letters")),
        (lambda: DataRecipe("w" * 10_000), ("data is 'www", "at most 250 letters")),
        (lambda: DataRecipe("wine", {"n_samples": 3}), ("wine has no parameter 'n_samples'", "none")),
        (lambda: DataRecipe("rings", {"n_samples": 100.0}), ("data.n_samples is 100.0", "a whole number")),
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
    assert NCA.shown_title == "NCA"
    assert PanelRecipe("nca-3").shown_title == "NCA 3"
    assert PanelRecipe("nca-3", title="mine").shown_title == "mine"
    assert PanelRecipe("random_projection-2").method is METHODS["random_projection"]
    assert free_key("nca", set()) == "nca"
    assert free_key("nca", {"nca", "nca-2", "pca"}) == "nca-3"


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


def test_a_generator_that_knows_fewer_seeds_counts_around():
    recipe = with_seed(PLAIN, 1_001 + 5)
    assert dict(recipe.data.parameters) == {"random_state": 5}
    assert common_seed(recipe) == 1_006


def test_data_without_a_seed_have_none():
    recipe = with_seed(replace(PLAIN, data=DataRecipe("iris")), 4)
    assert recipe.data == DataRecipe("iris")
    assert common_seed(recipe) == 4

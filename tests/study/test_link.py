"""Recipe -> link -> recipe and recipe -> file -> recipe, over everything that a recipe can say."""

from __future__ import annotations

import dataclasses
import json
import re
from urllib.parse import parse_qsl, urlencode

import pytest
from hypothesis import HealthCheck, given, settings

from datasets.noise_lab import NoiseConfig
from datasets.preparation import PreparationConfig
from nca_core.methods import METHODS
from study.link import VERSION, DecodedRecipe, from_json, from_link, to_json, to_link
from study.panel import PanelRecipe
from study.recipe import FIELDS, OWN, DataRecipe, Recipe
from tests.study.strategies import recipes

slow = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
RICH = Recipe(
    DataRecipe("rings", {"n_samples": 400, "noise": 2.5}),
    NoiseConfig(7, 0.3, 0, -2.5, 0.07, 3),
    PreparationConfig("robust", 0.35, 250, "random", 4, 5, "random_projection"),
    3,
    (
        PanelRecipe("tsne", title="Ünï & co = 100 %\n"),
        PanelRecipe("nca", {"objective": "g", "regularisation": 1e-7}, "shuffled", "lda", "rbf", 2**31 - 1),
        PanelRecipe("nca-2", {"max_iter": 1}, start="nca@100", features="rbf"),
        PanelRecipe("pca", labels="none"),
    ),
    "full_speed",
)


@slow
@given(recipes())
def test_link_address_and_file_give_the_recipe_back(recipe):
    """One drawn recipe for all of them: to draw one takes longer than all that is asked of it."""
    link = to_link(recipe)
    assert from_link(link) == DecodedRecipe(recipe, ())
    assert from_link(dict(parse_qsl(urlencode(link), keep_blank_values=True))) == DecodedRecipe(recipe, ())
    assert from_json(to_json(recipe).encode().decode()) == DecodedRecipe(recipe, ())
    for name, text in link.items():  # keys and numbers, but for what people named
        assert re.fullmatch(r"[a-z0-9_]+(-[0-9]+)?(\.[a-z0-9_]+)?", name)
        if not name.endswith((".title", ".name", ".column")) and not text.startswith("folder:"):
            assert re.fullmatch(r"[a-z0-9_.,@+-]*", text), (name, text)


def test_a_recipe_that_says_nothing_makes_the_shortest_link():
    assert to_link(Recipe()) == {"recipe": str(VERSION), "data": Recipe().data.key}


def test_a_link_as_it_is_written_today():
    """What was sent to somebody must open for ever: these texts may only change with the version."""
    assert to_link(RICH) == {
        "recipe": "2",
        "data": "rings",
        "data.n_samples": "400",
        "data.noise": "2.5",
        "noise.columns": "7",
        "noise.spread": "0.3",
        "noise.rescaled": "0",
        "noise.factor": "-2.5",
        "noise.flipped": "0.07",
        "noise.seed": "3",
        "scale": "robust",
        "components": "5",
        "reduction": "random_projection",
        "held_out": "0.35",
        "rows": "250",
        "sampling": "random",
        "split.seed": "4",
        "dimensions": "3",
        "pace": "full_speed",
        "panels": "tsne,nca,nca-2,pca",
        "tsne.title": "Ünï & co = 100 %\n",
        "nca.objective": "g",
        "nca.regularisation": "1e-07",
        "nca.labels": "shuffled",
        "nca.start": "lda",
        "nca.features": "rbf",
        "nca.seed": "2147483647",
        "nca-2.max_iter": "1",
        "nca-2.start": "nca@100",
        "nca-2.features": "rbf",
        "pca.labels": "none",
    }


def test_a_link_of_the_first_version_is_named_in_one_sentence():
    decoded = from_link({"explore.data": "Iris", "explore.start": "LDA", "dimensions": "3"})
    assert decoded.problems == (
        "This link was made by version 1 of NCA Explorer, which is no longer read. The rest was taken.",
    )
    assert decoded.recipe == Recipe(n_components=3)


def test_a_name_of_before_is_still_read():
    assert from_link({"recipe": "2", "pca": "5"}) == from_link({"recipe": "2", "components": "5"})
    decoded = from_link({"recipe": "2", "pca": "none of it"})
    assert decoded.problems[0].startswith("pca is none of it; it must be")
    assert "pca = 4 means nothing" in from_link({"recipe": "2", "pca": "4", "components": "5"}).problems[0]
    assert from_link({"recipe": "2", "": "3"}).problems  # most fields never had another name


@pytest.mark.parametrize("name", list(to_link(RICH)))
def test_each_name_of_a_link_counts(name):
    """Left out, another recipe comes of it; so nothing is written that nobody reads."""
    if name == "recipe":
        return
    link = {key: text for key, text in to_link(RICH).items() if key != name}
    if name == "data":  # the set that is shown at first
        assert from_link({**link, "data": "wine"}).recipe != RICH
        return
    assert from_link(link).recipe != RICH


def test_every_attribute_of_a_recipe_is_in_links():
    """An attribute that is added to a recipe needs a field, or a place in `to_link`."""
    paths = {field.path for field in FIELDS.values()}
    for part, kind in (("noise", NoiseConfig), ("preparation", PreparationConfig)):
        assert {(part, field.name) for field in dataclasses.fields(kind)} <= paths
    assert {field.name for field in dataclasses.fields(Recipe)} == {
        "data",
        "panels",
        *(path[0] for path in paths),
    }
    panel = {field.name for field in dataclasses.fields(PanelRecipe)}
    assert panel == {"key", "settings", "labels", "start", "features", "random_state", "title"}
    assert {field.name for field in dataclasses.fields(DataRecipe)} == {"key", "parameters", "content", "name"}


def test_names_of_fields_are_no_names_of_panels():
    for name, field in FIELDS.items():
        room, _, rest = name.partition(".")
        assert not rest or room not in METHODS
        assert name not in ("recipe", "data", "panels")
        assert field.get(field.put(Recipe(), field.get(Recipe()))) == field.get(Recipe())


def test_numbers_in_a_file_may_stand_without_quotes():
    file = json.loads(to_json(RICH))
    numbers = {name: json.loads(text) if re.fullmatch(r"-?[0-9.e-]+", text) else text for name, text in file.items()}
    assert any(isinstance(value, float) for value in numbers.values())
    assert from_json(json.dumps(numbers)) == DecodedRecipe(RICH, ())


def test_a_byte_order_mark_and_spaces_do_no_harm():
    assert from_json("\ufeff  " + to_json(RICH)) == DecodedRecipe(RICH, ())
    assert from_link({"panels": " pca , nca "}) == DecodedRecipe(
        Recipe(panels=(PanelRecipe("pca"), PanelRecipe("nca"))), ()
    )


def test_ones_own_table_goes_by_its_content():
    own = Recipe(DataRecipe(OWN, content="0123456789abcdef", name='a "table" & more.csv'))
    assert to_link(own)["data.content"] == "0123456789abcdef"
    assert from_link(to_link(own)).recipe.data == own.data

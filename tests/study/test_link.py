"""Recipe -> link or file -> recipe, over everything that a recipe can say; what is malformed costs a sentence."""

import dataclasses
import json
import re
from dataclasses import replace
from urllib.parse import parse_qsl, urlencode

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from datasets.catalogue import DATASETS
from datasets.noise_lab import NoiseConfig
from datasets.preparation import PreparationConfig
from nca_core.methods import METHODS
from nca_core.methods.method import Choice, Whole
from study.link import LARGEST_FILE, MOST_PROBLEMS, VERSION, DecodedRecipe, from_json, from_link, to_json, to_link
from study.panel import FEATURES, LABELS, LONGEST_TITLE, SEED, PanelRecipe, Text, free_key
from study.recipe import FIELDS, LONGEST_NAME, MOST_PANELS, OWN, DataRecipe, Recipe, parameter_domain

# Recipes drawn from the registries themselves: what is new in one of them is drawn too.


def values(domain):
    """Members of a domain."""
    if isinstance(domain, Choice):
        return st.sampled_from(domain.options)
    if isinstance(domain, Whole):
        whole = st.integers(domain.minimum, domain.maximum)
        return st.none() | whole if domain.optional else whole
    if isinstance(domain, Text):
        return st.text(max_size=domain.longest)
    return st.floats(domain.minimum, domain.maximum)


def some_of(domains):
    """Mappings of some of the names to members of their domains."""
    return st.fixed_dictionaries({}, optional={name: values(domain) for name, domain in domains.items()})


def catalogue_data(key):
    domains = {parameter.name: parameter_domain(parameter) for parameter in DATASETS[key].parameters}
    return st.builds(DataRecipe, st.just(key), some_of(domains))


DATA = (
    st.sampled_from(list(DATASETS)).flatmap(catalogue_data)
    | st.builds(
        DataRecipe,
        st.just(OWN),
        content=st.text("0123456789abcdef", min_size=16, max_size=16),
        name=st.text(max_size=LONGEST_NAME),
        label=st.text(max_size=LONGEST_NAME),
    )
    | st.builds(DataRecipe, st.text(max_size=60).map("folder:{}".format))
)


@st.composite
def panels(draw):
    made: list[PanelRecipe] = []
    for method in draw(st.lists(st.sampled_from(list(METHODS)), min_size=1, max_size=MOST_PANELS)):
        entry = METHODS[method]
        features = draw(values(FEATURES))
        earlier = [panel.key for panel in made if panel.gives_frames and panel.features == features]
        starts = ["", *entry.starts]
        if entry.kind == "trained" and earlier:
            starts += [f"{draw(st.sampled_from(earlier))}@{draw(st.integers(0, 999_999))}"] * 5
        made.append(
            PanelRecipe(
                free_key(method, {panel.key for panel in made}),
                draw(some_of({setting.key: setting.domain for setting in entry.settings})),
                draw(values(LABELS)),
                draw(st.sampled_from(starts)),
                features,
                draw(values(SEED)),
                draw(st.text(max_size=LONGEST_TITLE)),
            )
        )
    return tuple(made)


@st.composite
def recipes(draw):
    recipe = Recipe(data=draw(DATA), panels=draw(panels()))
    for name, value in draw(some_of({name: field.domain for name, field in FIELDS.items()})).items():
        recipe = FIELDS[name].put(recipe, value)
    return recipe


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
        if not name.endswith((".title", ".name", ".label", ".column")) and not text.startswith("folder:"):
            assert re.fullmatch(r"[a-z0-9_.,@+-]*", text), (name, text)


def test_a_recipe_that_says_nothing_makes_the_shortest_link():
    assert to_link(Recipe()) == {"recipe": str(VERSION), "data": Recipe().data.key}


def test_a_link_as_it_is_written_today():
    """What was sent to somebody must open for ever: these texts may only change with the version."""
    written = (
        "recipe=2&data=rings&data.n_samples=400&data.noise=2.5"
        "&noise.columns=7&noise.spread=0.3&noise.rescaled=0&noise.factor=-2.5&noise.flipped=0.07&noise.seed=3"
        "&scale=robust&components=5&reduction=random_projection&held_out=0.35&rows=250&sampling=random&split.seed=4"
        "&dimensions=3&pace=full_speed&panels=tsne,nca,nca-2,pca&tsne.title=Ünï %26 co = 100 %25%0A"
        "&nca.objective=g&nca.regularisation=1e-07&nca.labels=shuffled&nca.start=lda&nca.features=rbf&nca.seed=2147483647"
        "&nca-2.max_iter=1&nca-2.start=nca@100&nca-2.features=rbf&pca.labels=none"
    )
    assert to_link(RICH) == dict(parse_qsl(written, strict_parsing=True))


def test_every_attribute_of_a_recipe_is_in_links():
    """An attribute that is added to a recipe needs a field, or a place in `to_link`."""
    paths = {field.path for field in FIELDS.values()}
    for part, kind in (("noise", NoiseConfig), ("preparation", PreparationConfig)):
        assert {(part, field.name) for field in dataclasses.fields(kind)} <= paths
    assert {field.name for field in dataclasses.fields(Recipe)} == {"data", "panels", *(path[0] for path in paths)}
    panel = {field.name for field in dataclasses.fields(PanelRecipe)} - {"distinction"}
    assert panel == {"key", "settings", "labels", "start", "features", "random_state", "title"}
    assert {field.name for field in dataclasses.fields(DataRecipe)} == {"key", "parameters", "content", "name", "label"}


def test_what_may_be_left_open_may_be_empty():
    empty = dict.fromkeys(("rows", "components", "held_out", "noise.rescaled"), "")
    assert from_link(empty) == DecodedRecipe(Recipe(), ())
    assert len(from_link({"test": ""}).problems) == 1


def test_names_of_fields_are_no_names_of_panels():
    for name in FIELDS:
        room, _, rest = name.partition(".")
        assert not rest or room not in METHODS
        assert name not in ("recipe", "data", "panels")


def test_numbers_in_a_file_may_stand_without_quotes():
    file = json.loads(to_json(RICH))
    numbers = {name: json.loads(text) if re.fullmatch(r"-?[0-9.e-]+", text) else text for name, text in file.items()}
    assert any(isinstance(value, float) for value in numbers.values())
    assert from_json(json.dumps(numbers)) == DecodedRecipe(RICH, ())


def test_a_byte_order_mark_and_spaces_do_no_harm():
    assert from_json("\ufeff  " + to_json(RICH)) == DecodedRecipe(RICH, ())
    assert from_link({"panels": " pca , nca "}) == from_link({"panels": "pca,nca"})


KEPT = {"data": "rings", "data.n_samples": "400", "held_out": "0.25", "panels": "lda,nca,nca-2", "nca.objective": "g"}
KEPT_RECIPE = from_link(KEPT).recipe

# What is added to KEPT, and words that the one problem must have: the field, and what is allowed.
ONE_SENTENCE = [
    ({"held_out": "1.5"}, ("held_out is 1.5", "a number from 0 to 0.9")),
    *(({"held_out": text}, ("held_out is", "0 to 0.9")) for text in ("NaN", "1e999", "1_0", "٣")),
    *(({"rows": text}, ("rows is", "a whole number")) for text in ("1_000", "1e3", "٣٠", "100.5", "9" * 300)),
    ({"scale": "z-score"}, ("scale is z-score", "one of standardise, min-max")),
    ({"pace": "full speed"}, ("pace is full speed", "calm, normal, full_speed")),
    ({"data.n_samples": "7"}, ("data.n_samples is 7", "from 50 to 20,000")),
    ({"nca.objective": "F"}, ("nca.objective is F", "one of f, g")),
    ({"nca.colour": "red"}, ("nca.colour", "is unknown to this version")),
    ({"nca.features": "sigmoid"}, ("nca.features is sigmoid", "prepared, standardised, raw, clean, rbf")),
    ({"nca.title": "x" * 61}, ("nca.title", "at most 60 letters")),
    ({"nca.start": "LDA"}, ("nca.start is 'LDA'", "one of pca, lda", "panel@iteration")),
    ({"lda.start": "pca"}, ("lda.start is 'pca'", "LDA has no start")),
    ({"nca.start": "nca-2@3"}, ("nca.start is 'nca-2@3'", "stands before it", "there is none")),
    ({"nca-2.start": "lda@3"}, ("nca-2.start is 'lda@3'", "a trained panel", ": nca")),
    ({"nca-2.start": "nca@5", "nca-2.features": "rbf"}, ("nca-2.start", "the same features")),
    ({"panels": "lda,nca,umapp,nca-2"}, ("panel is 'umapp'", ", ".join(METHODS))),
    ({"panels": "lda,nca,nca,nca-2"}, ("panels: nca is listed twice",)),
    ({"recipe": "3"}, ("a newer version", "recipe 3", "reads 2")),
    ({"recipe": "two"}, ("recipe is two", "a version number")),
    ({"data.name": "x"}, ("data.name", "must be empty with rings")),
    ({"data.label": "x"}, ("data.label", "must be empty with rings")),
    ({"held_out": True}, ("held_out is true", "0 to 0.9")),
    ({"rows": 10**5_000}, ("rows", "at most 300 letters")),
    *(({"nca.title": value}, ("nca.title must be a number or a text",)) for value in ([], ["a"], {}, {"a": {"b": 1}})),
    ({"x" * 5_000: "1"}, ("xxx…", "is unknown to this version")),
    ({"two\nlines": "\x00\ud800"}, ("two\ufffdlines", "is unknown to this version")),
    ({"nca.title": "\ud800"}, ("nca.title", "at most 60 letters")),
]


@pytest.mark.parametrize(("added", "words"), ONE_SENTENCE)
def test_one_sentence_and_the_rest_is_kept(added, words):
    decoded = from_link({**KEPT, **added})
    assert len(decoded.problems) == 1
    for word in words:
        assert word in decoded.problems[0]
    expect_sentences(decoded)
    if not added.keys() & {*KEPT, "nca-2.features"}:
        assert decoded.recipe == KEPT_RECIPE
    assert decoded.recipe.data.key == "rings"
    assert [panel.key for panel in decoded.recipe.panels] == ["lda", "nca", "nca-2"]
    if "nca.objective" not in added:
        assert dict(decoded.recipe.panel("nca").settings) == {"objective": "g"}


def expect_sentences(decoded):
    assert len(decoded.problems) <= MOST_PROBLEMS
    for problem in decoded.problems:
        assert problem.endswith(".")
        assert problem.isprintable()
        assert len(problem) < 600
        problem.encode()
    assert from_link(to_link(decoded.recipe)) == DecodedRecipe(decoded.recipe, ())


def test_an_unknown_data_set_is_said_with_those_there_are_and_the_rest_is_kept():
    decoded = from_link({**KEPT, "data": "winee", "data.n_samples": "400"})
    assert decoded.recipe == replace(KEPT_RECIPE, data=DataRecipe())
    assert "data is 'winee'; it must be one of wine, digits," in decoded.problems[0]
    assert "data.n_samples" in decoded.problems[1]


def test_more_panels_and_names_than_a_recipe_has_are_cut_and_it_is_said():
    decoded = from_link({"panels": ",".join(["nca", *(f"nca-{k}" for k in range(2, 21))])})
    assert len(decoded.recipe.panels) == 9
    assert decoded.problems == ("panels: there are 20; the first 9 are shown.",)
    decoded = from_link({**KEPT, **{f"name{k}": "1" for k in range(1_000)}})
    assert "There are 1,005 names; the first 300 were read." in decoded.problems
    assert decoded.recipe == KEPT_RECIPE


@pytest.mark.parametrize("panels", ["", ",", "umapp", "PCA"])
def test_without_a_panel_that_is_known_the_usual_three_are_shown(panels):
    decoded = from_link({"panels": panels, "held_out": "0.5"})
    assert [panel.key for panel in decoded.recipe.panels] == ["pca", "lda", "nca"]
    assert "none is left" in decoded.problems[-1]
    assert decoded.recipe.preparation.held_out_fraction == 0.5


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is no recipe: reading stopped in line 1, column 1"),
        (to_json(RICH)[: to_json(RICH).index("noise.seed")], "in line 11, column 3"),
        ("[]", 'no "recipe"'),
        ("[" * 100_000, "nested too deeply"),
        ('{"recipe": 2}' + " " * LARGEST_FILE, "letters"),
    ],
)
def test_a_file_that_is_no_recipe(text, words):
    with pytest.raises(ValueError) as error:
        from_json(text)
    assert words in str(error.value)
    assert str(error.value).endswith(".")
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("number", ["1" * 5_000, "-" + "1" * 5_000, "1e999", "NaN", "Infinity", "1e-999999"])
def test_a_number_in_a_file_that_no_machine_holds_is_one_sentence(number):
    decoded = from_json('{"recipe": 2, "data": "iris", "rows": ' + number + "}")
    assert len(decoded.problems) == 1
    assert decoded.problems[0].startswith("rows ")
    assert decoded.recipe == Recipe(DataRecipe("iris"))


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.sampled_from(["nca@3", "1_0", "\ud800"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
NAMES = st.sampled_from([*to_link(RICH), "nca-3.start", "data.name", "explore.start", "explore.held_out"]) | st.text()


@slow
@given(st.dictionaries(NAMES, ANYTHING))
@example({"explore.start": 10**5_000, 3: 4, "data": ["wine"]})
@example({"explore.data": {}, "explore.\ud800": "1", "pca": "x"})
def test_any_mapping_gives_a_recipe_and_sentences(mapping):
    expect_sentences(from_link(mapping))

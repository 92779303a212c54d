"""Links of the first version: every word that its widgets had, copied from it, opens to the right key."""

from __future__ import annotations

import pytest

from datasets.catalogue import DATASETS
from nca_core.initialisation import INITIALISATIONS
from study.link import from_link, to_link
from study.recipe import DataRecipe, Recipe

DATA = {
    "Wine": "wine",
    "Digits": "digits",
    "Iris": "iris",
    "Breast cancer": "breast_cancer",
    "Balance scale": "balance",
    "Concentric rings": "rings",
    "Two normals (n2d)": "n2d",
    "Rings in uniform noise (ring)": "ring",
    "Noisy XOR": "noisy_xor",
    "XOR in high dimension": "xor",
    "Two moons": "moons",
    "Spirals": "spirals",
    "Swiss roll": "swiss_roll",
    "Blobs": "blobs",
    "Pure noise, random labels": "pure_noise",
    "Ionosphere": "ionosphere",
    "Boston housing": "boston",
    "USPS digits": "usps",
    "UMIST faces": "umist",
    "Olivetti faces": "olivetti",
}
START = {
    "PCA": "pca",
    "LDA": "lda",
    "identity (first columns)": "identity",
    "random normal": "random",
    "random uniform": "uniform",
    "whitening Σ^(-1/2)": "whitening",
    "within-class whitening": "pooled_whitening",
    "automatic (as scikit-learn)": "auto",
    "a sample first, then all": "sample_first",
    "best of several short runs": "best_of_several",
}
# Old name, old text, and the name and text of today that it stands for; nothing where it was the default.
EVERY = [
    *(("data", title, {"data": key}) for title, key in DATA.items()),
    *(("start", word, {"nca.start": key} if key != "pca" else {}) for word, key in START.items()),
    ("objective", "f: expected correct", {}),
    ("objective", "g: log-probability", {"nca.objective": "g"}),
    ("objective", "log f", {"nca.objective": "log_f"}),
    ("objective", "pairs", {"nca.objective": "pairs"}),
    ("optimiser", "L-BFGS", {}),
    ("optimiser", "BFGS", {"nca.optimiser": "bfgs"}),
    ("optimiser", "conjugate gradients", {"nca.optimiser": "cg"}),
    ("optimiser", "delta-bar-delta ascent", {"nca.optimiser": "gradient-ascent"}),
    ("optimiser", "stochastic (Adam)", {"nca.optimiser": "stochastic"}),
    ("features", "as they are", {"scale": "none"}),
    ("features", "standardise", {}),
    ("features", "min-max to [0, 1]", {"scale": "min-max"}),
    ("features", "robust (median, quartiles)", {"scale": "robust"}),
    ("features", "whitening", {"scale": "whitening"}),
    ("sampling", "share by class", {}),
    ("sampling", "at random", {"sampling": "random"}),
    ("sums", "the quickest", {}),
    ("sums", "dense: every pair", {"nca.summation": "dense"}),
    ("sums", "truncated: near pairs", {"nca.summation": "truncated"}),
    ("sums", "spectral: non-uniform FFT", {"nca.summation": "spectral"}),
    ("matches", "closeness of their numbers", {}),
    ("matches", "closeness of their ranks", {"nca.target_similarity": "ranks"}),
    ("matches", "equal numbers only", {"nca.target_similarity": "same"}),
    ("pace", "calm", {"pace": "calm"}),
    ("pace", "normal", {}),
    ("pace", "full speed", {"pace": "full_speed"}),
    ("dimensions", "2-D", {}),
    ("dimensions", "3-D", {"dimensions": "3"}),
    ("iterations", "500", {"nca.max_iter": "500"}),
    ("penalty", "0.3", {"nca.regularisation": "0.3"}),
    ("seed", "7", {"nca.seed": "7"}),
    ("held_out", "25", {"held_out": "0.25"}),
    ("held_out", "35", {"held_out": "0.35"}),
    ("held_out", "0", {}),
    ("max_rows", "300", {"rows": "300"}),
    ("max_rows_of_numbers", "300", {"rows": "300"}),
    ("split_seed", "5", {"split.seed": "5"}),
    ("noise_columns", "20", {"noise.columns": "20"}),
    ("noise_scale", "2.5", {"noise.spread": "2.5"}),
    ("noise_factor", "-3", {"noise.factor": "-3"}),
    ("noise_flipped", "7", {"noise.flipped": "0.07"}),
    ("noise_seed", "9", {"noise.seed": "9"}),
    ("pca_first", "true", {"components": "30"}),
    ("pca_first", "false", {}),
    ("pca_dimensions", "12", {}),  # of a switch that is off
]


@pytest.mark.parametrize(("name", "text", "today"), EVERY)
def test_every_word_of_the_first_version_opens(name, text, today):
    decoded = from_link({f"explore.{name}": text})
    assert decoded.problems == ()
    assert to_link(decoded.recipe) == {"recipe": "2", "data": "wine", "held_out": "0", **today}


def test_the_words_cover_the_registries_that_the_first_version_had():
    assert set(DATA.values()) <= set(DATASETS)
    assert set(START.values()) <= set(INITIALISATIONS)


def test_percents_are_the_same_shares_to_the_last_bit():
    for percent in range(0, 91, 5):
        share = from_link({"explore.held_out": str(percent)}).recipe.preparation.held_out_fraction
        assert share == percent / 100


def test_a_whole_link():
    decoded = from_link(
        {
            "explore.data": "Concentric rings",
            "explore.rings.n_samples": "400",
            "explore.rings.noise": "2.5",
            "explore.blobs.spread": "9",  # of a set that is not shown
            "explore.start": "LDA",
            "explore.pca_first": "true",
            "explore.pca_dimensions": "12",
            "explore.max_rows": "250",
            "explore.max_rows_of_numbers": "5000",
        }
    )
    assert decoded.problems == ()
    assert to_link(decoded.recipe) == {
        "recipe": "2",
        "data": "rings",
        "data.n_samples": "400",
        "data.noise": "2.5",
        "held_out": "0",
        "components": "12",
        "rows": "250",
        "nca.start": "lda",
    }


def test_an_old_link_holds_nothing_out_whatever_is_usual_today():
    assert from_link({"explore.start": "LDA"}).recipe.preparation.held_out_fraction == 0.0


@pytest.mark.parametrize(
    ("link", "words"),
    [
        ({"explore.start": "LDAA"}, ("nca.start is 'LDAA'", "one of pca, lda")),
        ({"explore.held_out": "many"}, ("held_out is many", "0 to 0.9")),
        ({"explore.held_out": "nan"}, ("held_out is nan", "0 to 0.9")),
        ({"explore.held_out": "95"}, ("held_out is 0.95", "0 to 0.9")),
        ({"explore.noise_flipped": "1_0x"}, ("noise.flipped is 1_0x", "from 0 to 1")),
        ({"explore.dimensions": "4-D"}, ("dimensions is 4-D", "2 to 3")),
        ({"explore.iterations": "fast"}, ("nca.max_iter is fast", "a whole number")),
        ({"explore.colour": "red"}, ("explore.colour", "not kept any more")),
        ({"explore.pca_first": "maybe"}, ("explore.pca_first is maybe", "true or false")),
        ({"explore.rings.n_samples": "7", "explore.data": "Concentric rings"}, ("data.n_samples is 7", "50 to 20,000")),
        ({"explore.start": 5}, ("explore.start", "left out")),
    ],
)
def test_what_an_old_link_cannot_mean_is_said_in_todays_names(link, words):
    decoded = from_link({**link, "explore.pace": "calm"})
    assert len(decoded.problems) == 1
    for word in words:
        assert word in decoded.problems[0]
    assert decoded.recipe.pace == "calm"


def test_what_is_not_of_the_first_version_is_no_old_link():
    assert from_link({"data": "iris"}).recipe != from_link({"explore.data": "Digits"}).recipe
    assert from_link({}).recipe == Recipe()


def test_a_name_that_is_no_set_of_the_catalogue_was_a_table_of_ones_own():
    """The page asks for it, instead of showing another set in its place."""
    decoded = from_link({"explore.data": "my table", "explore.objective": "log f"})
    assert decoded.problems == ()
    assert decoded.recipe.data == DataRecipe("own", name="my table")
    assert decoded.recipe.panel("nca").all_settings()["objective"] == "log_f"

"""9. Units and noise features: standardising, whitening, RCA."""

from __future__ import annotations

from datasets.noise_lab import NoiseConfig
from lessons.base.lesson import Lesson, Question, Step, train
from lessons.base.material import measured, recipe_of
from study.panel import PanelRecipe
from study.recipe import Recipe

PCA = recipe_of("wine", PanelRecipe("pca", features="raw", title="PCA, as they came"))
BOTH_PCA = recipe_of(
    "wine",
    PanelRecipe("pca", features="raw", title="PCA, as they came"),
    PanelRecipe("pca-2", title="PCA, standardised"),
)
BOTH_NCA = recipe_of(
    "wine",
    PanelRecipe("nca", features="raw", title="NCA, as they came"),
    PanelRecipe("nca-2", title="NCA, standardised"),
)
NOISY = recipe_of(
    "iris",
    PanelRecipe("pca", features="clean", title="PCA without noise"),
    PanelRecipe("pca-2", title="PCA with noise"),
    PanelRecipe("nca", features="clean", title="NCA without noise"),
    PanelRecipe("nca-2", title="NCA with noise"),
    noise=NoiseConfig(noise_columns=5, noise_scale=3.0),
    step="none",
)
WHITE = recipe_of("iris", PanelRecipe("whitening"))
WHITE_AND_RCA = recipe_of("iris", PanelRecipe("whitening"), PanelRecipe("rca"))


def _units(recipe: Recipe) -> dict[str, float]:
    found = measured(recipe)
    A = found.comparison.panel("pca").transformation
    assert A is not None
    raw = found.comparison.prepared.raw
    weight = (A**2).sum(axis=0) / (A**2).sum()
    two = weight[[raw.feature_names.index(name) for name in ("proline", "magnesium")]].sum()
    return {"two": float(two), "raw": found.right_on_new("pca"), "standardised": found.right_on_new("pca-2")}


def _stuck(recipe: Recipe) -> dict[str, float]:
    found = measured(recipe)
    return {
        "k": found.k("nca", 0),
        "k2": found.k("nca-2", 0),
        "new": found.right_on_new("nca"),
        "new2": found.right_on_new("nca-2"),
    }


def _noise(recipe: Recipe) -> dict[str, float]:
    found = measured(recipe)
    facts = {end: found.right_on_new(key) for end, key in (("pca", "pca"), ("pca2", "pca-2"))}
    facts |= {end: found.right_on_new(key) for end, key in (("nca", "nca"), ("nca2", "nca-2"))}
    trained = found.trajectories["nca-2"].snapshots[-1].transformation
    for end, key, A in (("pca_seen", "pca-2", None), ("nca_seen", "nca-2", trained)):
        panel = found.comparison.panel(key)
        shown = panel.transformation if A is None else A
        assert shown is not None
        seen = (shown**2).sum(axis=0) * panel.X.var(axis=0)
        facts[end] = float(seen[-recipe.noise.noise_columns :].sum() / seen.sum())
    return facts


def _rca(recipe: Recipe) -> dict[str, float]:
    found = measured(recipe)
    return {"white": found.right_on_new("whitening"), "rca": found.right_on_new("rca")}


SCALING = Lesson(
    "scaling",
    "Units, noise and whitening",
    "say what units and noise columns do to PCA and NCA, and what to make equal first.",
    (
        Step(
            "The tyranny of a unit",
            "Wine has 13 features. Proline is measured in hundreds, acidity in tenths. Here PCA gets the numbers **as "
            "they came**, each in its own unit.",
            PCA,
            after=BOTH_PCA,
            question=Question(
                "How many features will PCA really look at?",
                ("All thirteen", "About half", "Two"),
                2,
                "Proline and magnesium have {two:.2%} of the weight, only because their numbers are large. Held-out "
                "rows: {raw:.0%} right. **Standardise** each feature to spread 1, and it is {standardised:.0%}.",
                _units,
                (
                    "Look at the first picture: the classes mix, because eleven features hardly take part.",
                    "Look at the first picture: the classes mix, because eleven features hardly take part.",
                    "",
                ),
            ),
        ),
        Step(
            "NCA can repair units, but not from anywhere",
            "A can weigh each feature, so NCA *could* undo any unit. But pᵢⱼ goes by exp(−distance²). With proline in "
            "hundreds all distances are huge, and each point sees only its single nearest neighbour.",
            BOTH_NCA,
            task=train("nca", "nca-2", words="Predict, then press **Train**."),
            question=Question(
                "What does NCA do with the features as they came?",
                (
                    "It stays stuck in a view far worse than the standardised one",
                    "The same as with the standardised ones",
                    "Better: large numbers are more exact",
                ),
                0,
                "It starts with K̂ = {k:.2f} (standardised: {k2:.1f}). Where only the nearest neighbour counts, there "
                "is hardly a gradient. Held-out rows: {new:.0%} against {new2:.0%}.",
                _stuck,
                (
                    "",
                    "Look: the classes part in the second picture only.",
                    "Look at the hollow points: {new:.0%} are right in the first picture, {new2:.0%} in the second.",
                ),
            ),
        ),
        Step(
            "Columns of noise",
            "To the four features of iris, five columns of pure noise were added, each three times as wide as the "
            "features.",
            NOISY,
            task=train("nca", "nca-2", words="Predict, then press **Train**."),
            question=Question(
                "Which suffers more from the noise?",
                ("PCA: it does not know what is noise", "NCA: it is free to overfit every column", "Both the same"),
                0,
                "PCA falls from {pca:.0%} to {pca2:.0%} on held-out rows: noise makes {pca_seen:.0%} of what it shows. "
                "NCA falls from {nca:.0%} to {nca2:.0%}, with {nca_seen:.0%} noise: labels tell it what to look at. "
                "Yet it fits chance patterns of the noise as well, and that costs more than a little: lesson 5.",
                _noise,
                (
                    "",
                    "Look under the pictures with noise: NCA is right on {nca2:.0%} of the held-out rows, PCA on "
                    "{pca2:.0%}.",
                    "Look: in PCA's picture with noise all classes mix; in NCA's they still part.",
                ),
            ),
        ),
        Step(
            "Which spread to make equal",
            "*Whitening* makes the **total** spread 1 in every direction. *RCA* makes the spread **within the "
            "classes** 1, so that directions in which a class scatters count less. Both are solved in one go.",
            WHITE,
            after=WHITE_AND_RCA,
            question=Question(
                "Which one helps a nearest-neighbour rule more on iris?",
                ("Whitening", "RCA", "Both the same"),
                1,
                "Held-out rows: whitening {white:.0%}, RCA {rca:.0%}. Whitening shrinks the very directions in which "
                "the classes lie apart, because the total spread is large there. RCA knows the classes and keeps them.",
                _rca,
                (
                    "Look at the hollow points: whitening {white:.0%}, RCA {rca:.0%}.",
                    "",
                    "Look: RCA draws each class together; whitening does not.",
                ),
            ),
        ),
    ),
    (
        "A large unit rules PCA and can leave NCA stuck: standardise first.",
        "Noise columns mislead PCA, which sees no labels, more than NCA, which overfits them in part.",
        "Whitening makes the total spread equal; RCA the spread within classes, which helps neighbours.",
    ),
)

"""9. Units and noise features: standardising, whitening, RCA."""

from datasets.noise_lab import NoiseConfig
from lessons.base.lesson import RIGHT, Measured, finish, lesson_of, question_step, recipe_of
from study.panel import PanelRecipe

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


def _units(found: Measured) -> dict[str, float]:
    """The share of two features in the squared weights of PCA."""
    names = found.comparison.prepared.raw.feature_names
    weight = (found.A("pca") ** 2).sum(axis=0)
    return {"two": float(sum(weight[names.index(name)] for name in ("proline", "magnesium")) / weight.sum())}


def _noise(found: Measured) -> dict[str, float]:
    """The share of the noise columns in the spread of a picture."""
    facts = {}
    for name in ("pca", "nca"):
        key = f"{name}-2"
        seen = (found.A(key) ** 2).sum(axis=0) * found.comparison.panel(key).X.var(axis=0)
        facts[f"{name}_seen"] = float(seen[-found.recipe.noise.noise_columns :].sum() / seen.sum())
    return facts


SCALING = lesson_of(
    "scaling",
    "Units, noise and whitening",
    "say what units and noise columns do to PCA and NCA, and what to make equal first.",
    question_step(
        "The tyranny of a unit",
        "Wine has 13 features. Proline is measured in hundreds, acidity in tenths. Here PCA gets the numbers **as "
        "they came**, each in its own unit.",
        PCA,
        "How many features will PCA really look at?",
        {
            "All thirteen": "Look at the first picture: the classes mix, because eleven features hardly take part.",
            "About half": "Look at the first picture: the classes mix, because eleven features hardly take part.",
            "Two": RIGHT,
        },
        "Proline and magnesium have {two:.2%} of the weight, only because their numbers are large. Held-out "
        "rows: {pca.new:.0%} right. **Standardise** each feature to spread 1, and it is {pca-2.new:.0%}.",
        _units,
        after=BOTH_PCA,
    ),
    question_step(
        "NCA can repair units, but not from anywhere",
        "A can weigh each feature, so NCA *could* undo any unit. But pᵢⱼ goes by exp(−distance²). With proline in "
        "hundreds all distances are huge, and each point sees only its single nearest neighbour.",
        BOTH_NCA,
        "What does NCA do with the features as they came?",
        {
            "It stays stuck in a view far worse than the standardised one": RIGHT,
            "The same as with the standardised ones": "Look: the classes part in the second picture only.",
            "Better: large numbers are more exact": "Look at the hollow points: {nca.new:.0%} are right in the "
            "first picture, {nca-2.new:.0%} in the second.",
        },
        "It starts with K̂ = {nca.k0:.2f} (standardised: {nca-2.k0:.1f}). Where only the nearest neighbour counts, "
        "there is hardly a gradient. Held-out rows: {nca.new:.0%} against {nca-2.new:.0%}.",
        task=finish("nca", "nca-2", words="Predict, then press **Train**."),
    ),
    question_step(
        "Columns of noise",
        "To the four features of iris, five columns of pure noise were added, each three times as wide as the "
        "features.",
        NOISY,
        "Which suffers more from the noise?",
        {
            "PCA: it does not know what is noise": RIGHT,
            "NCA: it is free to overfit every column": "Look under the pictures with noise: NCA is right on "
            "{nca-2.new:.0%} of the held-out rows, PCA on {pca-2.new:.0%}.",
            "Both the same": "Look: in PCA's picture with noise all classes mix; in NCA's they still part.",
        },
        "PCA falls from {pca.new:.0%} to {pca-2.new:.0%} on held-out rows: noise makes {pca_seen:.0%} of what it "
        "shows. NCA falls from {nca.new:.0%} to {nca-2.new:.0%}, with {nca_seen:.0%} noise: labels tell it what to "
        "look at. Yet it fits chance patterns of the noise as well, and that costs more than a little: lesson 5.",
        _noise,
        task=finish("nca", "nca-2", words="Predict, then press **Train**."),
    ),
    question_step(
        "Which spread to make equal",
        "*Whitening* makes the **total** spread 1 in every direction. *RCA* makes the spread **within the "
        "classes** 1, so that directions in which a class scatters count less. Both are solved in one go.",
        WHITE,
        "Which one helps a nearest-neighbour rule more on iris?",
        {
            "Whitening": "Look at the hollow points: whitening {whitening.new:.0%}, RCA {rca.new:.0%}.",
            "RCA": RIGHT,
            "Both the same": "Look: RCA draws each class together; whitening does not.",
        },
        "Held-out rows: whitening {whitening.new:.0%}, RCA {rca.new:.0%}. Whitening shrinks the very directions in "
        "which the classes lie apart, because the total spread is large there. RCA knows the classes and keeps "
        "them.",
        after=WHITE_AND_RCA,
    ),
    closing=(
        "A large unit rules PCA and can leave NCA stuck: standardise first.",
        "Noise columns mislead PCA, which sees no labels, more than NCA, which overfits them in part.",
        "Whitening makes the total spread equal; RCA the spread within classes, which helps neighbours.",
    ),
)

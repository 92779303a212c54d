"""What of a recipe is not as by default, in a few words each: nothing that was set is forgotten once it is folded."""

from __future__ import annotations

from typing import Any

from datasets.base.percent import percent
from datasets.reduction import REDUCTIONS
from nca_core.methods.setting import Choice, Domain
from study.fields import FIELDS
from study.panel import FEATURES, LABELS, PanelRecipe
from study.recipe import Recipe
from study.seed import seed_of


def advanced_differences(recipe: Recipe) -> list[str]:
    """Of what stands under "Advanced"."""
    said = _of_rows(recipe)
    seed = seed_of(recipe)
    if seed is None:
        said.append("several seeds")
    elif seed:
        said.append(f"seed {seed}")
    for panel in recipe.panels:
        said += [f"{panel.shown_title}: {words}" for words in _of_panel(panel)]
    return said


def kept_with_data(recipe: Recipe) -> list[str]:
    """Of what is done to the rows, and so holds for other data too once they are chosen."""
    noise, share = recipe.noise, recipe.preparation.held_out_fraction
    said = []
    if noise.noise_columns:
        said.append(f"{noise.noise_columns} columns of noise")
    if noise.flipped_share:
        said.append(f"{percent(noise.flipped_share)} of the labels flipped")
    if share is not None:
        said.append(f"{percent(share)} held out" if share else "nothing held out")
    return said + _of_rows(recipe)


def _of_rows(recipe: Recipe) -> list[str]:
    names = ("components", "reduction", "rows", "sampling")
    components, reduction, rows, sampling = (FIELDS[name].get(recipe) for name in names)
    said = [f"trained on {REDUCTIONS[reduction].to(components)}"] if components is not None else []
    if rows is not None:
        said.append(f"at most {rows:,} rows")
    if sampling == "random":
        said.append("sampled at random")
    return said


def _of_panel(panel: PanelRecipe) -> list[str]:
    chosen = dict(panel.settings)
    said = [
        f"{setting.title} {_words(setting.domain, chosen[setting.key])}"
        for setting in panel.method.settings
        if setting.advanced and setting.key in chosen
    ]
    plain = PanelRecipe(panel.key)
    if panel.labels != plain.labels:
        said.append(f"labels {LABELS.title(panel.labels)}")
    if panel.features != plain.features:
        said.append(f"features {FEATURES.title(panel.features)}")
    return said


def _words(domain: Domain, value: Any) -> str:
    return domain.title(value) if isinstance(domain, Choice) else f"{value:g}"

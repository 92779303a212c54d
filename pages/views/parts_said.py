"""What a part of the sidebar says, in words, where it is locked: nobody changes it, and everybody knows it."""

from __future__ import annotations

from datasets.base.percent import percent
from pages.text import wording
from pages.views.differences import advanced_differences, kept_with_data
from study.panel import PanelRecipe
from study.recipe import Recipe


def part_said(part: str, recipe: Recipe, data_name: str) -> str:
    """One line for a key of PARTS; `data_name` is what the data set is called."""
    if part == "data":
        return f"Data: {data_name}"
    if part == "noise":
        idle = recipe.noise.idle
        return f"Noise lab: {'nothing added' if idle else '; '.join(kept_with_data(recipe)) or 'a column rescaled'}"
    if part == "preparation":
        share = recipe.preparation.held_out_fraction
        held = "a quarter held out where there are enough rows" if share is None else f"{percent(share)} held out"
        step = recipe.preparation.step
        return f"Prepared: {wording.PREPROCESSING.get(step, step)}, {held}"
    if part == "panels":
        return f"Panels: {', '.join(panel.shown_title for panel in recipe.panels)}"
    if part == "training":
        settings = [said for panel in recipe.panels if (said := _settings(panel))]
        return "; ".join([f"Dimensions: {recipe.n_components}", *settings])
    return f"Advanced: {'; '.join(advanced_differences(recipe)) or 'all as by default'}"


def _settings(panel: PanelRecipe) -> str:
    """Its start and what few settings were chosen; empty for a method that has none."""
    if not panel.method.starts:
        return ""
    start = wording.INITIALISATIONS.get(panel.start_name, panel.start_name)
    chosen = dict(panel.settings)
    said = [
        f"{each.title} {chosen[each.key]}" for each in panel.method.settings if each.key in chosen and not each.advanced
    ]
    return f"{panel.shown_title} from {', '.join([start, *said])}"

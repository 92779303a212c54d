"""Changes of a recipe's panels: add, copy, move, rename, branch, remove.

Each returns another recipe, or raises ValueError with a message for the screen.
"""

from collections.abc import Collection
from dataclasses import replace
from typing import Any

from study.panel import LONGEST_TITLE, PanelRecipe, free_key
from study.recipe import MOST_PANELS, Recipe

_DRAWN_STARTS = ("random", "uniform", "best_of_several", "sample_first")


def added(recipe: Recipe, method: str) -> Recipe:
    """One more panel of `method`, at the end."""
    return _with_one_more(recipe, PanelRecipe(method), len(recipe.panels))


def duplicated(recipe: Recipe, key: str) -> Recipe:
    """A copy of the panel, right behind it, with a key of its own."""
    return _copied(recipe, key, title="")


def with_twin(recipe: Recipe, key: str) -> Recipe:
    """The same method on the same rows with shuffled labels, right behind the panel."""
    return _copied(recipe, key, labels="shuffled", title=_titled(recipe.panel(key), "shuffled labels"))


def with_other_seed(recipe: Recipe, key: str) -> Recipe:
    """The same panel with the next free seed, right behind it; with a random start where nothing else is random."""
    panel = before = recipe.panel(key)
    drawn = panel.labels == "shuffled" or (panel.frame is None and panel.start_name in _DRAWN_STARTS)
    drawn = drawn or panel.all_settings().get("optimiser") == "stochastic"
    if not drawn and panel.method.linear and "random" in panel.method.starts:
        panel = replace(panel, start="random")
    alike = (other for other in recipe.panels if same_settings(replace(other, random_state=panel.random_state), panel))
    taken = {panel.random_state, *(other.random_state for other in alike)}
    seed = next(seed for seed in range(len(taken) + 1) if seed not in taken)
    title = _titled(panel, f"{'' if panel.start == before.start else 'random start, '}seed {seed}")
    return _copied(recipe, key, start=panel.start, random_state=seed, title=title)


def branched(recipe: Recipe, key: str, iteration: int) -> Recipe:
    """A panel that starts from the A of panel `key` at `iteration`, right behind it."""
    panel = recipe.panel(key)
    if panel.method.kind != "trained":
        raise ValueError(f"{panel.shown_title} does not train, so there is no iteration to start from.")
    return _copied(recipe, key, start=f"{key}@{iteration}", title="")


def renamed(recipe: Recipe, key: str, title: str) -> Recipe:
    """The panel under another name; an empty one brings that of its method back."""
    return recipe.with_panel(replace(recipe.panel(key), title=title.strip()[:LONGEST_TITLE]))


def moved(recipe: Recipe, key: str, by: int) -> Recipe:
    """The panel `by` places further on, or back; at an end it stays."""
    panel, panels = recipe.panel(key), [panel for panel in recipe.panels if panel.key != key]
    panels.insert(min(max(recipe.panels.index(panel) + by, 0), len(panels)), panel)
    places = {panel.key: k for k, panel in enumerate(panels)}
    for panel in panels:
        if panel.frame is not None and places[panel.frame.panel] > places[panel.key]:
            source = recipe.panel(panel.frame.panel).shown_title
            raise ValueError(f"{panel.shown_title} starts from {source}, so it stands behind it.")
    return replace(recipe, panels=tuple(panels))


def removed(recipe: Recipe, key: str) -> Recipe:
    """The recipe without the panel."""
    panel = recipe.panel(key)
    if len(recipe.panels) == 1:
        raise ValueError("One panel stays: there has to be something to look at.")
    for other in recipe.panels:
        if other.frame is not None and other.frame.panel == key:
            raise ValueError(f"{other.shown_title} starts from {panel.shown_title}; remove {other.shown_title} first.")
    return replace(recipe, panels=tuple(other for other in recipe.panels if other.key != key))


def with_panels_from(
    recipe: Recipe | None, source: Recipe, wanted: Collection[str], free: Collection[str] = ()
) -> tuple[Recipe, dict[str, str]]:
    """`recipe` with these panels of `source`, and those that they start from.

    A panel takes the place of one with the same settings among the keys `free`, else it is added at the end. Where
    `source` has other rows (data, noise, preparation, dimensions), or there is no recipe yet, one on those rows begins,
    as projections of different rows are no comparison: with these panels and the solved ones of `source`.

    Returns the recipe, and under which key each panel taken over stands there.
    """
    chain = with_starts(source, wanted)
    if recipe is None or row_settings(recipe) != row_settings(source):
        taken = {panel.key for panel in chain}
        panels = [panel for panel in source.panels if panel.key in taken or panel.method.kind != "trained"]
        return replace(source, panels=tuple(panels)), {key: key for key in taken}
    panels, keys = list(recipe.panels), dict[str, str]()
    for panel in chain:
        start = panel.start if panel.frame is None else f"{keys[panel.frame.panel]}@{panel.frame.iteration}"
        moved = replace(panel, start=start)
        there = (each.key for each in panels if each.key in free and each.key not in keys.values())
        same = next((key for key in there if same_settings(recipe.panel(key), moved)), None)
        keys[panel.key] = same or free_key(panel.method_key, {other.key for other in panels})
        if same is None:
            panels.append(replace(moved, key=keys[panel.key]))
    if len(panels) > MOST_PANELS:
        more, had = len(panels) - len(recipe.panels), len(recipe.panels)
        raise ValueError(f"Compare has {had} panels, and {more} more would be over {MOST_PANELS}; remove some there.")
    return replace(recipe, panels=tuple(panels)), keys


def same_settings(panel: PanelRecipe, other: PanelRecipe) -> bool:
    """Whether two panels are the same but for key and name."""
    return panel.method_key == other.method_key and replace(panel, key=other.key, title=other.title) == other


def with_starts(recipe: Recipe, wanted: Collection[str]) -> list[PanelRecipe]:
    """These panels and those that they start from, in the order of the recipe."""
    needed = set(wanted)
    for panel in reversed(recipe.panels):  # what a panel starts from stands before it
        if panel.key in needed and panel.frame is not None:
            needed.add(panel.frame.panel)
    return [panel for panel in recipe.panels if panel.key in needed]


def row_settings(recipe: Recipe) -> tuple[object, ...]:
    """What decides which rows are projected, how they are prepared, and to how many dimensions."""
    return recipe.data, recipe.noise, recipe.preparation, recipe.n_components


def without_names(recipe: Recipe) -> Recipe:
    """The recipe without what changes no number: the names of its panels and the pace."""
    return replace(recipe, panels=tuple(map(without_name, recipe.panels)), pace="normal")


def without_name(panel: PanelRecipe) -> PanelRecipe:
    """The panel without its name, which changes no number."""
    return replace(panel, title="")


def _copied(recipe: Recipe, key: str, **changes: Any) -> Recipe:
    """With a changed copy of the panel right behind it."""
    panel = recipe.panel(key)
    return _with_one_more(recipe, replace(panel, **changes), recipe.panels.index(panel) + 1)


def _with_one_more(recipe: Recipe, panel: PanelRecipe, place: int) -> Recipe:
    if len(recipe.panels) >= MOST_PANELS:
        raise ValueError(f"There are {MOST_PANELS} panels, and no room for another; remove one first.")
    panel = replace(panel, key=free_key(panel.method_key, {other.key for other in recipe.panels}))
    return replace(recipe, panels=(*recipe.panels[:place], panel, *recipe.panels[place:]))


def _titled(panel: PanelRecipe, words: str) -> str:
    """A name of its own: the panel's, with `words` behind."""
    return f"{panel.shown_title}, {words}"[:LONGEST_TITLE]

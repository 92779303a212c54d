"""The settings in the sidebar: data set and noise, preparation, panels, training, link and file."""

from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

import streamlit as st

from datasets.base.dataset import Dataset
from datasets.base.errors import DataError
from datasets.base.words import percent
from datasets.catalogue import DATASETS, Parameter
from datasets.noise_lab import MOST_NOISE_COLUMNS
from datasets.preparation import PREPROCESSING, QUARTER, PreparationConfig, held_out_share, most_rows
from datasets.preparation_steps import REDUCTIONS
from nca_core.methods import METHODS
from nca_core.methods.method import Setting
from pages.controls import recipe_widgets as widgets
from pages.controls.shell import go_to_page, screen, show_error
from pages.server.data import choices, choose_data, chosen_dataset, chosen_key, settle_downloads
from pages.server.session import TRAIN
from pages.server.workspace import Workspace
from pages.views.notes import advanced_differences, kept_with_data
from stage import wording
from stage.plain_text import as_text, visible
from study.link import from_json, to_json, to_link
from study.panel import FEATURES, LABELS, SEED, PanelRecipe, free_key
from study.recipe import DATA_SEED, LARGEST_SAMPLE, MOST_COMPONENTS, MOST_PANELS, Recipe, common_seed, with_seed

_SHOWN, _CHANGED = "explore.data_shown", "explore.data_changed"
MOST_COLUMNS_LISTED = 500
COMPONENTS_AT_FIRST = 30
ALL_FEATURES = "all"
_BY_CLASS = ("stratified", "")
SETTINGS_OF = "explore.settings_of"
_SHUFFLED = "Shuffled: the same labels in random order. Whatever a method finds then is noise."
_FEATURES = (
    "Another preparation of the same rows, or similarities to other rows instead of features. With similarities the "
    "projection can be nonlinear."
)


def choose_dataset(space: Workspace) -> Dataset | None:
    """The chosen data set; None after an error message."""
    settle_downloads(space.document)
    key = chosen_key(space)
    bound = widgets.bind("explore.data", key, lambda key: choose_data(space, key), "value")
    about = "The catalogue, tables in your folder, and data you uploaded, drew or downloaded."
    widgets.select_box("Data set", choices(space), placeholder="Choose a data set", help=about, **bound)
    st.page_link(screen("Data"), label="All data sets, with pictures →", query_params={"tab": "Catalogue"})
    parameters = [each for each in (DATASETS[key].parameters if key in DATASETS else ()) if each.name != DATA_SEED]
    if parameters:
        with st.expander("Shape of the data", key="explore.shape", on_change="rerun") as place:
            for parameter in parameters if place.open else ():
                _slider(space, parameter)
    _kept_settings(space)
    return dataset_or_error(space)


def dataset_or_error(space: Workspace) -> Dataset | None:
    """The data set that the recipe names; None after an error message."""
    try:
        return chosen_dataset(space)
    except (DataError, ValueError) as error:
        show_error(error)
        return None


def _kept_settings(space: Workspace) -> None:
    """Name the settings kept from the previous data set, until the next change."""
    recipe = space.document.recipe
    before = st.session_state.get(_SHOWN, recipe.data)
    if (before.key, before.content) != (recipe.data.key, recipe.data.content):
        st.session_state[_CHANGED] = recipe
    st.session_state[_SHOWN] = recipe.data
    kept = kept_with_data(recipe)
    if kept and st.session_state.get(_CHANGED) == recipe:
        st.caption(as_text(f"Kept from the previous data: {'; '.join(kept)}."))


def _slider(space: Workspace, parameter: Parameter) -> None:
    data = space.document.recipe.data

    def put(value: float) -> None:
        now = space.document.recipe.data
        parameters = {**dict(now.parameters), parameter.name: value}
        widgets.change(space, lambda recipe: replace(recipe, data=replace(now, parameters=tuple(parameters.items()))))

    value = dict(data.parameters).get(parameter.name, parameter.default)
    bound = widgets.bind(f"explore.{data.key}.{parameter.name}", value, put, "value")
    limits = parameter.minimum, parameter.maximum
    st.slider(parameter.label, *limits, step=parameter.step, help=parameter.help or None, **bound)


def explore_data(space: Workspace, key: str) -> None:
    """Choose the data set and open Explore; for callbacks."""
    if key in choices(space):
        choose_data(space, key)
        go_to_page("Explore")


def choose_noise(space: Workspace, dataset: Dataset) -> None:
    _noise_lab(space, dataset)
    if not space.document.recipe.noise.idle:  # below the expander, so that it shows while that is closed
        none: dict[str, Any] = {"noise_columns": 0, "flipped_share": 0.0, "rescaled_column": None}
        about = "Back to the original data; spread, factor and seed keep their values."
        st.button("No noise", key="explore.no_noise", on_click=_change_noise, args=(space,), kwargs=none, help=about)


@widgets.folded("Noise lab", "explore.noise_lab")
def _noise_lab(space: Workspace, dataset: Dataset) -> None:
    about = "Columns of pure noise next to the features. PCA follows them; NCA learns to ignore them."
    st.number_input("Noise columns", 0, MOST_NOISE_COLUMNS, help=about, **widgets.recipe_field(space, "noise.columns"))
    spread = widgets.recipe_field(space, "noise.spread")
    spread["disabled"] = not space.document.recipe.noise.noise_columns
    about = "As a multiple of the features' median standard deviation. *Scale features* undoes it."
    st.slider("Spread of the noise columns", 0.1, 10.0, step=0.1, help=about, **spread)
    _choose_rescaling(space, dataset)
    about = "This share of the training rows gets the label of another class. Held-out rows keep theirs."
    st.slider("Labels flipped (%)", 0, 100, step=1, help=about, **widgets.percent_field(space, "noise.flipped"))


def _change_noise(space: Workspace, **fields: Any) -> None:
    widgets.change(space, lambda recipe: replace(recipe, noise=replace(recipe.noise, **fields)))


def _choose_rescaling(space: Workspace, dataset: Dataset) -> None:
    chosen, many = space.document.recipe.noise.rescaled_column, dataset.n_features > MOST_COLUMNS_LISTED
    listed = [None, *range(min(dataset.n_features, MOST_COLUMNS_LISTED))]
    names = {k: column_name(dataset, k) for k in (*listed, chosen)}  # another one may be chosen by a link
    # Typing filters a long list.
    look: Any = {"placeholder": "none", "filter_mode": "fuzzy" if len(names) > 40 else None}
    about = "As if the feature were measured in other units. *Scale features* undoes it."
    about += f" The first {MOST_COLUMNS_LISTED} columns are listed." if many else ""

    def rescale(column: int | None) -> None:
        factor = space.document.recipe.noise.factor
        no_effect = column is not None and factor == 1.0
        _change_noise(space, rescaled_column=column, factor=100.0 if no_effect else factor)

    bound = widgets.bind("explore.noise.rescaled", chosen, rescale)
    widgets.select_box("Rescale a column", names, help=about, **look, **bound)
    times: Any = {"format": "%g", "disabled": chosen is None, **widgets.recipe_field(space, "noise.factor")}
    st.number_input("Times", -1e6, 1e6, help="What the chosen column is multiplied by.", **times)
    if chosen is not None and space.document.recipe.preparation.step != "none":
        st.caption("Scaling undoes this. Choose *as they are* under *Scale features* to see the effect.")


def column_name(dataset: Dataset, k: int | None) -> str:
    """Number and name: two columns may look the same."""
    if k is None:
        return "none"
    name = visible(dataset.feature_names[k]) if k < dataset.n_features else "not in these data"
    return f"{k + 1}: {name}"


# -- preparation


def choose_preparation(space: Workspace, dataset: Dataset | None) -> None:
    config = space.document.recipe.preparation
    about = "Applied to each feature first. Standardise: mean 0 and standard deviation 1."
    about += " Fitted on the training rows only."
    titles = {key: wording.PREPROCESSING.get(key, key) for key in PREPROCESSING}
    widgets.select_box("Scale features", titles, help=about, **widgets.recipe_field(space, "scale"))
    kept = config.test_fraction > 0
    label = "Validation rows (%)" if kept else "Held out for testing (%)"
    about = "These rows are drawn hollow and never trained on: they test the result."
    about += " A quarter by default, where the classes are large enough."
    bound = widgets.percent_field(space, "held_out", QUARTER if dataset is None else held_out_share(dataset.y, config))
    st.slider(label, 0, 90, step=5, help=about, **bound)
    if dataset is not None and dataset.split_columns:
        _choose_split(space, dataset)
    label = "Test rows" + (f": {percent(config.test_fraction)}" if kept else "")
    with st.expander(label, key="explore.test_rows", on_change="rerun") as place:
        if place.open:
            about = "These rows are not drawn and not used until you open them below the panels."
            about += " Hollow rows then choose iteration, K, λ and panel."
            st.slider("Kept for a test (%)", 0, 50, step=5, help=about, **widgets.percent_field(space, "test"))


def _choose_split(space: Workspace, dataset: Dataset) -> None:
    """By class, by a column whose groups stay together, or by time; a column of repeating ids is proposed."""
    config, titles = space.document.recipe.preparation, {_BY_CLASS: "by class"}
    for column in dataset.split_columns:
        if (column.codes >= 0).any():
            titles["group", column.name] = f"by group: {column.name}"
        if column.times is not None:
            titles["time", column.name] = f"by time: {column.name}"
    now = (config.split, config.split_column) if config.split != "stratified" else _BY_CLASS

    def put(chosen: tuple[str, str]) -> None:
        now = replace(space.document.recipe.preparation, split=chosen[0], split_column=chosen[1])
        widgets.change(space, lambda recipe: replace(recipe, preparation=now))

    titles.setdefault(now, f"by {now[1]}")  # of other data
    about = "By group: all rows of one patient or plate stay on one side. By time: the latest rows are held out."
    shown = {key: visible(title) for key, title in titles.items()}
    widgets.select_box("Split", shown, help=about, **widgets.bind("explore.split", now, put, "value"))
    proposed = next((column.name for column in dataset.split_columns if column.proposed), None)
    if proposed is not None and now == _BY_CLASS:
        st.caption(as_text(f"{proposed} repeats: split by it, or rows of one {proposed} are on both sides."))


def choose_rows(space: Workspace, dataset: Dataset | None) -> None:
    config = space.document.recipe.preparation
    limit = None if dataset is None else most_rows(dataset, config)  # the recipe names none at first
    bound = widgets.recipe_field(space, "rows", limit)
    about = "A larger table is sampled down to this many rows."
    st.number_input("At most this many rows", 10, LARGEST_SAMPLE, help=about, **bound)
    if dataset is not None and dataset.n_samples > most_rows(dataset, config):
        about = "The same share of each class, or every row equally likely."
        bound = widgets.recipe_field(space, "sampling")
        widgets.select_box("How to sample them", wording.SAMPLING, help=about, **bound)


def choose_components(space: Workspace) -> None:
    config = space.document.recipe.preparation
    now = ALL_FEATURES if config.components is None else config.reduction
    titles = {ALL_FEATURES: "no, all of them"} | {key: each.title for key, each in REDUCTIONS.items()}
    about = "Faster with many features, and less prone to overfitting. Fitted on the training rows only."
    bound = widgets.bind("explore.reduction", now, lambda key: reduce_to(space, key), "value")
    widgets.select_box("Fewer features first", titles, help=about, **bound)
    if config.components is not None:
        about = "If there are fewer, all of them are kept."
        st.number_input("How many", 1, MOST_COMPONENTS, help=about, **widgets.recipe_field(space, "components"))


def reduce_to(space: Workspace, reduction: str) -> None:
    """Reduce the features first, by a key of REDUCTIONS; ALL_FEATURES for no reduction."""
    config = space.document.recipe.preparation
    if reduction == ALL_FEATURES:
        config = replace(config, components=None, reduction=PreparationConfig().reduction)
    else:
        config = replace(config, components=config.components or COMPONENTS_AT_FIRST, reduction=reduction)
    widgets.change(space, lambda recipe: replace(recipe, preparation=config))


# -- panels and training


def choose_training(space: Workspace, dataset: Dataset | None) -> PanelRecipe | None:
    """Dimensions and the settings of one panel; returns that panel, None where none has settings.

    With a numeric label the target similarity is a setting, too.
    """
    about = "Dimensions of the projections. In 3-D, drag a panel to rotate it."
    bound = widgets.recipe_field(space, "dimensions", first="default")
    st.segmented_control("Dimensions", [2, 3], required=True, format_func="{}-D".format, help=about, **bound)
    if not any(panel.method.kind == "trained" for panel in space.document.recipe.panels):
        st.caption("No panel here trains: add NCA.")
    panel, numeric = _chosen_panel(space), dataset is not None and dataset.target is not None
    if panel is not None:
        if panel.method.starts:
            starts = *panel.method.starts, panel.start_name  # a frame that a link names, too
            titles = {name: wording.INITIALISATIONS.get(name, name) for name in starts}
            about = f"{panel.method.title} starts here; different starts can reach different optima."
            bound = _panel_field(space, panel, "start", panel.start_name)  # the method's own where none is chosen
            widgets.select_box("Start from", titles, help=about, **bound)
        for setting in panel.method.settings:
            if not setting.advanced and (numeric or setting.key != "target_similarity"):
                _setting(space, panel, setting)
    return panel


def _chosen_panel(space: Workspace) -> PanelRecipe | None:
    """The panel whose settings are shown: a select box where there are several, trained panels first."""
    panels = space.document.recipe.panels
    found = [panel for panel in panels if panel.method.kind == "trained"]
    found += [panel for panel in panels if panel.method.kind != "trained" and panel.method.settings]
    if len(found) < 2:
        return found[0] if found else None
    titles = {panel.key: panel.shown_title for panel in found}
    key = widgets.select_key("Settings of", titles, SETTINGS_OF, width="stretch")
    return next(panel for panel in found if panel.key == key)


def _setting(space: Workspace, panel: PanelRecipe, setting: Setting) -> None:
    def put(value: Any) -> None:
        widgets.change_panel(space, panel.key, lambda now: now.with_setting(setting.key, value))

    value = panel.all_settings()[setting.key]
    keywords = widgets.bind(f"explore.{panel.key}.{setting.key}", value, put, "value")
    widgets.domain_widget(setting.title, setting.domain, **keywords, help=setting.help)


def _panel_field(space: Workspace, panel: PanelRecipe, name: str, shown: Any = None) -> dict[str, Any]:
    """Keywords that bind a widget to the field `name` of a panel; it shows `shown` instead, if given."""

    def put(entered: Any) -> None:
        widgets.change_panel(space, panel.key, lambda now: replace(now, **{name: entered}))

    value = getattr(panel, name) if shown is None else shown
    return widgets.bind(f"explore.{panel.key}.{name}", value, put, "value")


def choose_panels(space: Workspace) -> None:
    there = {panel.key: panel.shown_title for panel in space.document.recipe.panels}
    offered = {key: PanelRecipe(key).shown_title for key in (free_key(m, set(there)) for m in METHODS)}
    again = {key for key in offered if "-" in key and METHODS[key.partition("-")[0]].kind != "trained"}
    titles = there | {key: title for key, title in offered.items() if key not in there and key not in again}
    about = " ".join(f"{method.title}: {method.description}" for method in METHODS.values())
    about = f"The projections shown side by side. {about}"
    put = lambda keys: widgets.change(space, lambda now: _with_panels(now, keys))  # noqa: E731
    bound = widgets.bind("explore.panels", list(there), put, "default")
    look: Any = {"max_selections": MOST_PANELS, "filter_mode": None, "help": about}
    st.multiselect("Panels", list(titles), format_func=lambda key: titles.get(key, key), **bound, **look)


def _with_panels(recipe: Recipe, keys: list[str]) -> Recipe:
    """The recipe with these panels; a second one of a trained method starts as a copy of the last."""
    there = {panel.key: panel for panel in recipe.panels}
    panels: list[PanelRecipe] = []
    for key in keys:
        alike = [panel for panel in recipe.panels if panel.method_key == PanelRecipe(key).method_key]
        panels.append(there.get(key) or (replace(alike[-1], key=key, title="") if alike else PanelRecipe(key)))
    seed, changed = common_seed(recipe), replace(recipe, panels=tuple(panels))
    return changed if seed is None else with_seed(changed, seed)


def advanced(space: Workspace, dataset: Dataset | None, panel: PanelRecipe | None) -> None:
    with st.expander("Advanced", key="explore.advanced", on_change="rerun") as place:
        if place.open:
            choose_components(space)
            choose_rows(space, dataset)
            _choose_seed(space)
            if panel is not None:
                for setting in panel.method.settings:
                    if setting.advanced:
                        _setting(space, panel, setting)
                widgets.domain_widget("Labels it sees", LABELS, help=_SHUFFLED, **_panel_field(space, panel, "labels"))
                bound = _panel_field(space, panel, "features")
                widgets.domain_widget("Features it is fed", FEATURES, help=_FEATURES, **bound)
                if (at := space.latest(panel.key)) is not None:
                    st.caption(f"Summed at iteration {at.iteration}: {wording.SUMMATIONS[at.summation]}.")
    differing = advanced_differences(space.document.recipe)
    st.caption(as_text(f"Changed: {'; '.join(differing)}.") if differing else "Advanced (defaults)")


def _choose_seed(space: Workspace) -> None:
    def put(seed: int | None) -> None:
        if seed is not None:
            widgets.change(space, lambda recipe: with_seed(recipe, seed))

    about = "For everything random: generated points, noise, held-out rows, samples and starts."
    about += " The same seed gives the same picture."
    bound, limits = widgets.bind("explore.seed", common_seed(space.document.recipe), put), (SEED.minimum, SEED.maximum)
    st.number_input("Seed", *limits, value=None, placeholder="several", help=about, **bound)
    trained = [panel for panel in space.document.recipe.panels if panel.method.kind == "trained"]
    for panel in trained if len(trained) > 1 else ():
        bound = _panel_field(space, panel, "random_state")
        st.number_input(f"Seed of {panel.shown_title}", *limits, help="For its random start only.", **bound)


@widgets.folded("Link, file, undo", "explore.share")
def share(space: Workspace) -> None:
    own = space.document

    def put(text: str) -> None:
        decoded = from_json(text)
        own.change(decoded.recipe)
        own.problems = decoded.problems

    st.caption(
        "The address of this page links to these settings, without your own table. The link below also offers the "
        "trained picture, not the iteration, the view or a selection; add &present=1 for large type."
    )
    link = urlencode({**to_link(own.recipe), TRAIN: "1"})
    st.code(f"{st.context.url or ''}?{link}", language=None, wrap_lines=True)
    about = "A small file with data set, preparation, split, panels and seeds."
    widgets.save_json("Save the settings", lambda: to_json(own.recipe), "nca-recipe.json", "explore.save_recipe", about)
    widgets.open_json("Open settings", put, "explore.open_recipe", "A file made with *Save the settings*.")
    undo = "Back to the settings before the last change." if own.past else "Nothing has been changed yet."
    st.button("Undo", key="explore.undo", disabled=not own.past, on_click=own.undo, help=undo)


def problems(space: Workspace) -> None:
    """What was not understood in the opened link or file, until dismissed."""
    own = space.document
    if own.problems:
        st.warning("  \n".join(as_text(problem) for problem in own.problems))
        st.button("Dismiss", key="explore.problems_read", on_click=setattr, args=(own, "problems", ()))

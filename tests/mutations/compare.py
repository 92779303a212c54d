"""What is broken on purpose of the page of comparisons: features of a panel's own, alignment, the time machine."""

from __future__ import annotations

from tests.mutations.mutation import Mutation

_ALIGNING = "tests/browser/test_stage_aligning.py"
_FEATURES = "tests/study/test_features.py"
_CHANGES = "tests/study/test_panel_changes.py"
_FIGURES = ("tests/pages/views/test_figures.py",)
_TREE = "tests/pages/views/test_family_tree.py"

COMPARE: tuple[Mutation, ...] = (
    Mutation(
        "study/differences.py",
        "confusion_matrix(y[rows], predicted[rows], labels=classes)",
        "confusion_matrix(predicted[rows], y[rows], labels=classes)",
        ("tests/study/test_differences.py",),
    ),
    Mutation(
        "pages/views/comparison_tables.py", "pd.DataFrame(counts, index", "pd.DataFrame(counts.T, index", _FIGURES
    ),
    Mutation("pages/views/figures.py", "found.held_out if held_out else found.own", "found.own", _FIGURES),
    Mutation("pages/views/figures.py", "_held_out if held_out else found.permuted_own", "_own", _FIGURES),
    Mutation(
        "study/fitting.py",
        "if at.coordinates is None else at.coordinates",
        "if True else at.coordinates",
        ("tests/study/test_differences.py", "tests/study/test_chance.py"),
    ),
    Mutation(
        "study/features.py",
        "replace(noise, noise_columns=0), preparation",
        "replace(noise, noise_columns=0, flipped_share=0.0), replace(preparation, random_state=0)",
        (f"{_FEATURES}::test_without_the_noise_columns_it_is_the_comparison_without_them",),
    ),
    Mutation(
        "study/features.py",
        "replace(preparation, step=step, components=None)",
        "replace(preparation, step=step)",
        (f"{_FEATURES}::test_standardised_features_are_so_whatever_the_recipe_says",),
    ),
    Mutation(
        "study/compare.py",
        " for panel in before.panels if panel.waits or not panel.problem}",
        " for panel in before.panels}",
        (f"{_FEATURES}::test_what_cannot_be_prepared_so_is_a_reason_on_its_panel_and_stays_one",),
    ),
    Mutation(
        "study/presets.py",
        "return noise if noise.noise_columns else",
        "return",
        ("tests/study/test_presets.py::test_columns_of_noise_are_added_where_there_are_none_and_stay_where_there_are",),
    ),
    Mutation(
        "study/panel_changes.py",
        "    panel = _drawn_at_random(recipe.panel(key))\n",
        "    panel = recipe.panel(key)\n",
        (f"{_CHANGES}::test_where_nothing_is_drawn_another_seed_begins_at_random",),
    ),
    Mutation(
        "study/embed.py",
        "note=note, seconds=seconds",
        "note=note",
        ("tests/study/test_splits.py::test_an_embedding_is_placed_apart_and_has_no_number_for_new_rows",),
    ),
    Mutation(
        "study/chance.py",
        "y=labels_seen(now, before.prepared)[0]",
        "y=was.y",
        ("tests/study/test_chance.py::test_an_embedding_stays_where_it_is_and_only_the_labels_move",),
    ),
    Mutation(
        "pages/views/recipe.py",
        "if replace(alike, settings=other.settings) == other:",
        "if replace(alike, settings=other.settings, random_state=other.random_state) == other:",
        (f"{_TREE}::test_what_differs_in_two_things_stands_for_itself",),
    ),
    Mutation(
        "stage/streamlit_host.py",
        "0 <= iteration <= LATEST",
        "iteration <= LATEST",
        ("tests/stage/test_streamlit_host.py::test_what_the_browser_asks_for_is_heard_where_one_can_ask_for_it",),
    ),
    Mutation(
        "stage/module/aligning.js",
        "if (missing(third)) {",
        "if (true) {",
        (f"{_ALIGNING}::test_a_panel_is_turned_onto_the_chosen_one_and_says_so",),
    ),
    Mutation(
        "stage/module/aligning.js",
        "wanted / square",
        "square / wanted",
        ("tests/stage/test_aligning.py",),
    ),
    Mutation(
        "stage/module/aligning.js",
        "place + way * (Z[at + a] - place)",
        "Z[at + a]",
        (f"{_ALIGNING}::test_the_slider_moves_points_from_place_to_place_and_hides_what_would_be_wrong",),
    ),
    Mutation(
        "stage/module/aligning.js",
        "if (onto.stale) for (const panel of panels) panel.dirty = true;",
        "",
        (f"{_ALIGNING}::test_it_follows_the_training_at_every_frame",),
    ),
    Mutation(
        "stage/module/panel.js",
        "this.scale = scale * size;",
        "this.scale = scale;",
        (f"{_ALIGNING}::test_a_panel_is_turned_onto_the_chosen_one_and_says_so",),
    ),
    Mutation(
        "stage/module/spotlight.js",
        "panel.circle.hidden = !found || panel.between;",
        "panel.circle.hidden = !found;",
        (f"{_ALIGNING}::test_the_slider_moves_points_from_place_to_place_and_hides_what_would_be_wrong",),
    ),
    Mutation(
        "stage/module/toolbar.js",
        "player.current(panel.key)?.iteration",
        "player.last",
        (f"{_ALIGNING}::test_the_time_machine_asks_for_the_iteration_that_is_shown",),
    ),
)

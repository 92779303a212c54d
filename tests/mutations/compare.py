"""What is broken on purpose of the page of comparisons: features of a panel's own, alignment, the time machine."""

from __future__ import annotations

from tests.mutations.mutation import Mutation, mutations

_ALIGNING = "tests/browser/test_stage_aligning.py"
_FEATURES = "tests/study/test_features.py"
_CHANGES = "tests/study/test_panel_changes.py"
_FIGURES = ("tests/pages/views/test_figures.py",)
_TREE = "tests/pages/views/test_family_tree.py"

COMPARE: tuple[Mutation, ...] = (
    *mutations(
        "study/differences.py",
        "tests/study/test_differences.py",
        (
            "confusion_matrix(y[rows], predicted[rows], labels=classes)",
            "confusion_matrix(predicted[rows], y[rows], labels=classes)",
        ),
    ),
    *mutations(
        "pages/views/comparison_tables.py", _FIGURES, ("pd.DataFrame(counts, index", "pd.DataFrame(counts.T, index")
    ),
    *mutations(
        "pages/views/figures.py",
        _FIGURES,
        ("found.held_out if held_out else found.own", "found.own"),
        ("_held_out if held_out else found.permuted_own", "_own"),
    ),
    *mutations(
        "study/fitting.py",
        ("tests/study/test_differences.py", "tests/study/test_chance.py"),
        ("if at.coordinates is None else at.coordinates", "if True else at.coordinates"),
    ),
    *mutations(
        "study/features.py",
        f"{_FEATURES}::test_without_the_noise_columns_it_is_the_comparison_without_them",
        (
            "replace(noise, noise_columns=0), preparation",
            "replace(noise, noise_columns=0, flipped_share=0.0), replace(preparation, random_state=0)",
        ),
    ),
    *mutations(
        "study/features.py",
        f"{_FEATURES}::test_standardised_features_are_so_whatever_the_recipe_says",
        ("replace(preparation, step=step, components=None)", "replace(preparation, step=step)"),
    ),
    *mutations(
        "study/compare.py",
        f"{_FEATURES}::test_what_cannot_be_prepared_so_is_a_reason_on_its_panel_and_stays_one",
        (" for panel in before.panels if panel.waits or not panel.problem}", " for panel in before.panels}"),
    ),
    *mutations(
        "study/presets.py",
        "tests/study/test_presets.py::test_columns_of_noise_are_added_where_there_are_none_and_stay_where_there_are",
        ("return noise if noise.noise_columns else", "return"),
    ),
    *mutations(
        "study/panel_changes.py",
        f"{_CHANGES}::test_where_nothing_is_drawn_another_seed_begins_at_random",
        ("    panel = _drawn_at_random(recipe.panel(key))\n", "    panel = recipe.panel(key)\n"),
    ),
    *mutations(
        "study/embed.py",
        "tests/study/test_splits.py::test_an_embedding_is_placed_apart_and_has_no_number_for_new_rows",
        ("note=note, seconds=seconds", "note=note"),
    ),
    *mutations(
        "study/chance.py",
        "tests/study/test_chance.py::test_an_embedding_stays_where_it_is_and_only_the_labels_move",
        ("y=labels_seen(now, before.prepared)[0]", "y=was.y"),
    ),
    *mutations(
        "pages/views/recipe.py",
        f"{_TREE}::test_what_differs_in_two_things_stands_for_itself",
        (
            "if replace(alike, settings=other.settings) == other:",
            "if replace(alike, settings=other.settings, random_state=other.random_state) == other:",
        ),
    ),
    *mutations(
        "stage/streamlit_host.py",
        "tests/stage/test_streamlit_host.py::test_what_the_browser_asks_for_is_heard_where_one_can_ask_for_it",
        ("0 <= iteration <= LATEST", "iteration <= LATEST"),
    ),
    *mutations(
        "stage/module/aligning.js",
        f"{_ALIGNING}::test_a_panel_is_turned_onto_the_chosen_one_and_says_so",
        ("if (missing(third)) {", "if (true) {"),
    ),
    *mutations("stage/module/aligning.js", "tests/stage/test_aligning.py", ("wanted / square", "square / wanted")),
    *mutations(
        "stage/module/aligning.js",
        f"{_ALIGNING}::test_the_slider_moves_points_from_place_to_place_and_hides_what_would_be_wrong",
        ("place + way * (Z[at + a] - place)", "Z[at + a]"),
    ),
    *mutations(
        "stage/module/aligning.js",
        f"{_ALIGNING}::test_it_follows_the_training_at_every_frame",
        ("if (onto.stale) for (const panel of panels) panel.dirty = true;", ""),
    ),
    *mutations(
        "stage/module/panel.js",
        f"{_ALIGNING}::test_a_panel_is_turned_onto_the_chosen_one_and_says_so",
        ("this.scale = scale * size;", "this.scale = scale;"),
    ),
    *mutations(
        "stage/module/spotlight.js",
        f"{_ALIGNING}::test_the_slider_moves_points_from_place_to_place_and_hides_what_would_be_wrong",
        ("panel.circle.hidden = !found || panel.between;", "panel.circle.hidden = !found;"),
    ),
    *mutations(
        "stage/module/toolbar.js",
        f"{_ALIGNING}::test_the_time_machine_asks_for_the_iteration_that_is_shown",
        ("player.current(panel.key)?.iteration", "player.last"),
    ),
)

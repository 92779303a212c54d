"""What is broken on purpose in study: recipe, link, fit, measure."""

from __future__ import annotations

from tests.mutations.mutation import Mutation, mutations

_COMPARE = "tests/study/test_compare.py"
_LINK = "tests/study/test_link.py"
_MALFORMED = "tests/study/test_malformed.py"
_MEASURE = "tests/study/test_measure.py"
_RECIPE = "tests/study/test_recipe.py"
_PREPARATION = "tests/datasets/test_preparation.py"

STUDY: tuple[Mutation, ...] = (
    *mutations(
        "study/measure.py",
        f"{_MEASURE}::test_a_solved_panel",
        ("new = (self.Y[tested], self.y[tested])", "new = (self.Y[train], self.y[train])"),
        ("return accuracies_of(self.Y[train], self.y[train], new", "return accuracies_of(self.Y, self.y, new"),
    ),
    *mutations(
        "study/measure.py",
        f"{_MEASURE}::test_an_embedding_has_no_held_out_accuracy",
        ("np.zeros_like(prepared.held_out) if embedded else prepared.held_out", "prepared.held_out"),
    ),
    *mutations(
        "study/measure.py",
        f"{_MEASURE}::test_shuffled_labels_are_measured_by_the_shuffled_labels",
        ('if panel.recipe.labels == "none" else panel.y', 'if panel.recipe.labels != "true" else panel.y'),
    ),
    *mutations(
        "study/measure.py",
        f"{_MEASURE}::test_of_many_rows_a_sample_is_asked_and_said",
        (
            "n_queries = min(QUERIES, int(comparison.prepared.train.sum()))",
            "n_queries = int(comparison.prepared.train.sum())",
        ),
    ),
    *mutations(
        "study/measure.py",
        f"{_MEASURE}::test_numbers_as_labels",
        ("y, target_similarity=similarity, targets=targets)", "y)"),
    ),
    *mutations(
        "study/fitting.py",
        f"{_COMPARE}::test_fits_are_of_the_training_rows",
        ('if panel.recipe.method.kind == "embedding" else rows', "if panel.recipe.method.kind else rows"),
    ),
    *mutations(
        "study/features.py",
        f"{_COMPARE}::test_held_out_rows_reach_no_fit",
        (
            "fit_kernel_features(prepared.dataset.X[prepared.train], key)",
            "fit_kernel_features(prepared.dataset.X, key)",
        ),
    ),
    *mutations(
        "study/fitting.py",
        f"{_COMPARE}::test_shuffled_labels_keep_the_sizes_of_classes_and_move_in_both_halves",
        ("np.random.default_rng(recipe.random_state).permutation(labelled)", "np.roll(labelled, recipe.random_state)"),
    ),
    *mutations(
        "study/fitting.py",
        f"{_COMPARE}::test_shuffled_numbers_move_with_their_classes",
        ("target[labelled] = given[drawn]", "target[labelled] = given[labelled]"),
    ),
    *mutations(
        "study/fitting.py",
        f"{_COMPARE}::test_labels_none_are_seen_by_nobody",
        ("return np.full_like(y, UNLABELLED), None", "return np.full_like(y, UNLABELLED), target"),
    ),
    *mutations(
        "study/compare.py",
        f"{_MEASURE}::test_several_iterations_of_a_trained_panel",
        ("held_out=(panel.X[held_out], panel.y[held_out])", "held_out=(panel.X[train], panel.y[train])"),
    ),
    *mutations(
        "study/compare.py",
        f"{_COMPARE}::test_other_rows_are_prepared_and_fitted_anew",
        ("        and before.recipe.noise == recipe.noise\n", ""),
    ),
    *mutations(
        "study/compare.py",
        f"{_COMPARE}::test_other_dimensions_are_fitted_anew_on_the_same_rows",
        ("same_rows and before.recipe.n_components == recipe.n_components", "same_rows"),
    ),
    *mutations(
        "study/compare.py",
        f"{_COMPARE}::test_a_panel_that_starts_from_another_follows_it",
        ("if panel_recipe.frame is None else None", ""),
    ),
    *mutations(
        "study/compare.py",
        f"{_COMPARE}::test_histories_have_a_limit_and_small_ones_go_on",
        (" for panel in before.panels if panel.trains or panel.config is None}", " for panel in before.panels}"),
        ("room -= wanted", "room -= 0"),
    ),
    *mutations(
        "study/compare.py",
        f"{_COMPARE}::test_a_frame_beyond_the_end_is_the_last_one",
        ("min(iteration, panel.config.max_iter)", "iteration"),
    ),
    *mutations(
        "study/compare.py",
        f"{_COMPARE}::test_frame_0_of_a_start_that_is_trained_for",
        (
            "panel.recipe.frame is None and panel.config.initialisation not in TRAINED_INITIALISATIONS",
            "panel.recipe.frame is None",
        ),
    ),
    *mutations(
        "study/link.py",
        f"{_LINK}::test_a_link_as_it_is_written_today",
        ('texts["start"] = panel.start', 'texts["start"] = ""'),
    ),
    *mutations(
        "study/link.py",
        f"{_LINK}::test_link_address_and_file_give_the_recipe_back",
        ('"features": FEATURES, "seed": SEED}', '"features": FEATURES}'),
    ),
    *mutations(
        "study/link.py",
        f"{_MALFORMED}::test_one_sentence_and_the_rest_is_kept",
        ("elif int(text) > VERSION:", "elif int(text) > VERSION + 1:"),
        (
            'for name, text in self.texts.items():\n            self._say(f"{_short(name)} =',
            'for name, text in ():\n            self._say(f"{_short(name)} =',
        ),
    ),
    *mutations(
        "study/link.py",
        f"{_MALFORMED}::test_a_number_in_a_file_that_no_machine_holds_is_one_sentence",
        ("parse_int=str, parse_float=str, parse_constant=str", "parse_float=str, parse_constant=str"),
    ),
    *mutations(
        "study/recipe.py",
        f"{_LINK}::test_a_link_as_it_is_written_today",
        ('("noise", "flipped_share")', '("noise", "noise_scale")'),
    ),
    *mutations(
        "study/recipe.py",
        f"{_LINK}::test_every_attribute_of_a_recipe_is_in_links",
        ('    Field("pace", Choice(tuple(PACES)), ("pace",)),\n', ""),
    ),
    *mutations(
        "study/recipe.py",
        f"{_RECIPE}::test_a_frame_comes_from_a_trained_panel_before",
        (" and p.features == panel.features]", "]"),
    ),
    *mutations(
        "study/recipe.py",
        f"{_RECIPE}::test_what_is_a_default_is_not_said_and_the_order_does_not_count",
        ("for name, value in given.items() if value != known[name].default))", "for name, value in given.items()))"),
    ),
    *mutations("study/panel.py", f"{_RECIPE}::test_names_of_panels", ("    number = 2\n", "    number = 1\n")),
    *mutations(
        "datasets/preparation.py",
        f"{_PREPARATION}::test_a_quarter_is_held_out_where_nothing_was_said_and_the_classes_allow_it",
        ("return QUARTER if enough else 0.0", "return 0.5 if enough else 0.0"),
    ),
    *mutations(
        "datasets/preparation.py",
        f"{_PREPARATION}::test_rows_without_a_label_do_not_count_towards_the_quarter",
        ("sizes.sum() >= _FEWEST_ROWS", "len(y) >= _FEWEST_ROWS"),
    ),
    *mutations(
        "nca_core/accuracy/stochastic_rule.py",
        "tests/study/test_measure.py::test_the_most_probable_class_of_some_points_in_blocks",
        ("distances[np.arange(len(rows)), place[rows]] = np.inf", "distances[np.arange(len(rows)), rows] = np.inf"),
    ),
)

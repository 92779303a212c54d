"""What is broken on purpose in study: recipe, link, fit, measure."""

from __future__ import annotations

from tests.mutations.mutation import Mutation

_COMPARE = "tests/study/test_compare.py"
_LINK = "tests/study/test_link.py"
_MALFORMED = "tests/study/test_malformed.py"
_MEASURE = "tests/study/test_measure.py"
_RECIPE = "tests/study/test_recipe.py"
_PREPARATION = "tests/datasets/test_preparation.py"

STUDY = (
    Mutation(
        "study/measure.py",
        "new = (self.Y[tested], self.y[tested])",
        "new = (self.Y[train], self.y[train])",
        (f"{_MEASURE}::test_a_solved_panel",),
    ),
    Mutation(
        "study/measure.py",
        "return accuracies_of(self.Y[train], self.y[train], new",
        "return accuracies_of(self.Y, self.y, new",
        (f"{_MEASURE}::test_a_solved_panel",),
    ),
    Mutation(
        "study/measure.py",
        "np.zeros_like(prepared.held_out) if embedded else prepared.held_out",
        "prepared.held_out",
        (f"{_MEASURE}::test_an_embedding_has_no_held_out_accuracy",),
    ),
    Mutation(
        "study/measure.py",
        'if panel.recipe.labels == "none" else panel.y',
        'if panel.recipe.labels != "true" else panel.y',
        (f"{_MEASURE}::test_shuffled_labels_are_measured_by_the_shuffled_labels",),
    ),
    Mutation(
        "study/measure.py",
        "n_queries = min(QUERIES, int(comparison.prepared.train.sum()))",
        "n_queries = int(comparison.prepared.train.sum())",
        (f"{_MEASURE}::test_of_many_rows_a_sample_is_asked_and_said",),
    ),
    Mutation(
        "study/measure.py",
        "y, target_similarity=similarity, targets=targets)",
        "y)",
        (f"{_MEASURE}::test_numbers_as_labels",),
    ),
    Mutation(
        "study/fitting.py",
        'if panel.recipe.method.kind == "embedding" else rows',
        "if panel.recipe.method.kind else rows",
        (f"{_COMPARE}::test_fits_are_of_the_training_rows",),
    ),
    Mutation(
        "study/features.py",
        "fit_kernel_features(prepared.dataset.X[prepared.train], key)",
        "fit_kernel_features(prepared.dataset.X, key)",
        (f"{_COMPARE}::test_held_out_rows_reach_no_fit",),
    ),
    Mutation(
        "study/fitting.py",
        "np.random.default_rng(recipe.random_state).permutation(labelled)",
        "np.roll(labelled, recipe.random_state)",
        (f"{_COMPARE}::test_shuffled_labels_keep_the_sizes_of_classes_and_move_in_both_halves",),
    ),
    Mutation(
        "study/fitting.py",
        "target[labelled] = given[drawn]",
        "target[labelled] = given[labelled]",
        (f"{_COMPARE}::test_shuffled_numbers_move_with_their_classes",),
    ),
    Mutation(
        "study/fitting.py",
        "return np.full_like(y, UNLABELLED), None",
        "return np.full_like(y, UNLABELLED), target",
        (f"{_COMPARE}::test_labels_none_are_seen_by_nobody",),
    ),
    Mutation(
        "study/compare.py",
        "held_out=(panel.X[held_out], panel.y[held_out])",
        "held_out=(panel.X[train], panel.y[train])",
        (f"{_MEASURE}::test_several_iterations_of_a_trained_panel",),
    ),
    Mutation(
        "study/compare.py",
        "        and before.recipe.noise == recipe.noise\n",
        "",
        (f"{_COMPARE}::test_other_rows_are_prepared_and_fitted_anew",),
    ),
    Mutation(
        "study/compare.py",
        "same_rows and before.recipe.n_components == recipe.n_components",
        "same_rows",
        (f"{_COMPARE}::test_other_dimensions_are_fitted_anew_on_the_same_rows",),
    ),
    Mutation(
        "study/compare.py",
        "if panel_recipe.frame is None else None",
        "",
        (f"{_COMPARE}::test_a_panel_that_starts_from_another_follows_it",),
    ),
    Mutation(
        "study/compare.py",
        " for panel in before.panels if panel.trains or panel.config is None}",
        " for panel in before.panels}",
        (f"{_COMPARE}::test_histories_have_a_limit_and_small_ones_go_on",),
    ),
    Mutation(
        "study/compare.py",
        "room -= wanted",
        "room -= 0",
        (f"{_COMPARE}::test_histories_have_a_limit_and_small_ones_go_on",),
    ),
    Mutation(
        "study/compare.py",
        "min(iteration, panel.config.max_iter)",
        "iteration",
        (f"{_COMPARE}::test_a_frame_beyond_the_end_is_the_last_one",),
    ),
    Mutation(
        "study/compare.py",
        "panel.recipe.frame is None and panel.config.initialisation not in TRAINED_INITIALISATIONS",
        "panel.recipe.frame is None",
        (f"{_COMPARE}::test_frame_0_of_a_start_that_is_trained_for",),
    ),
    Mutation(
        "study/link.py",
        'texts["start"] = panel.start',
        'texts["start"] = ""',
        (f"{_LINK}::test_a_link_as_it_is_written_today",),
    ),
    Mutation(
        "study/link.py",
        '"features": FEATURES, "seed": SEED}',
        '"features": FEATURES}',
        (f"{_LINK}::test_link_address_and_file_give_the_recipe_back",),
    ),
    Mutation(
        "study/link.py",
        "elif int(text) > VERSION:",
        "elif int(text) > VERSION + 1:",
        (f"{_MALFORMED}::test_one_sentence_and_the_rest_is_kept",),
    ),
    Mutation(
        "study/link.py",
        "parse_int=str, parse_float=str, parse_constant=str",
        "parse_float=str, parse_constant=str",
        (f"{_MALFORMED}::test_a_number_in_a_file_that_no_machine_holds_is_one_sentence",),
    ),
    Mutation(
        "study/link.py",
        'for name, text in self.texts.items():\n            self._say(f"{_short(name)} =',
        'for name, text in ():\n            self._say(f"{_short(name)} =',
        (f"{_MALFORMED}::test_one_sentence_and_the_rest_is_kept",),
    ),
    Mutation(
        "study/recipe.py",
        '("noise", "flipped_share")',
        '("noise", "noise_scale")',
        (f"{_LINK}::test_a_link_as_it_is_written_today",),
    ),
    Mutation(
        "study/recipe.py",
        '    Field("pace", Choice(tuple(PACES)), ("pace",)),\n',
        "",
        (f"{_LINK}::test_every_attribute_of_a_recipe_is_in_links",),
    ),
    Mutation(
        "study/recipe.py",
        " and p.features == panel.features]",
        "]",
        (f"{_RECIPE}::test_a_frame_comes_from_a_trained_panel_before",),
    ),
    Mutation(
        "study/recipe.py",
        "for name, value in given.items() if value != known[name].default))",
        "for name, value in given.items()))",
        (f"{_RECIPE}::test_what_is_a_default_is_not_said_and_the_order_does_not_count",),
    ),
    Mutation(
        "study/panel.py",
        "    number = 2\n",
        "    number = 1\n",
        (f"{_RECIPE}::test_names_of_panels",),
    ),
    Mutation(
        "datasets/preparation.py",
        "return QUARTER if enough else 0.0",
        "return 0.5 if enough else 0.0",
        (f"{_PREPARATION}::test_a_quarter_is_held_out_where_nothing_was_said_and_the_classes_allow_it",),
    ),
    Mutation(
        "datasets/preparation.py",
        "sizes.sum() >= _FEWEST_ROWS",
        "len(y) >= _FEWEST_ROWS",
        (f"{_PREPARATION}::test_rows_without_a_label_do_not_count_towards_the_quarter",),
    ),
    Mutation(
        "nca_core/accuracy/stochastic_rule.py",
        "distances[np.arange(len(rows)), place[rows]] = np.inf",
        "distances[np.arange(len(rows)), rows] = np.inf",
        ("tests/study/test_measure.py::test_the_most_probable_class_of_some_points_in_blocks",),
    ),
)

"""What is broken on purpose between the drop of a table and its picture."""

from __future__ import annotations

from tests.mutations.mutation import Mutation, mutations

_DROPPED = "tests/pages/test_dropped_table.py"
_LOOKED = "tests/datasets/proposals/test_found_by_looking.py"
_TICKS = ("tests/pages/views/test_column_choice.py",)
_DATA = "tests/pages/test_data.py"
_NAMES = "tests/pages/test_names_that_took_a_page_down.py"

_REDUCTION = "tests/datasets/test_reduction.py"
_SVMLIGHT = "tests/datasets/reading/test_svmlight.py"
_OPENML = "tests/datasets/downloads/test_openml.py"

DOOR: tuple[Mutation, ...] = (
    *mutations(
        "datasets/reading/text.py",
        "tests/datasets/reading/test_faulty_lines.py",
        ("_MOST_SKIPPED = 0.5", "_MOST_SKIPPED = 0.95"),
        ("len(row) == n_cells and row[0]", "row[0]"),
    ),
    *mutations(
        "datasets/preparation.py",
        (
            f"{_REDUCTION}::test_a_feature_that_tells_held_out_rows_alone_apart_is_not_chosen",
            f"{_REDUCTION}::test_held_out_rows_teach_nothing",
        ),
        (
            "fitted = Training(X[train], raw.y[train], target, config.random_state)",
            "fitted = Training(X, raw.y, raw.target, config.random_state)",
        ),
    ),
    *mutations(
        "datasets/reduction.py",
        f"{_REDUCTION}::test_the_selection_is_scikit_learns_and_names_stay",
        ("np.argsort(-values[has_one]", "np.argsort(values[has_one]"),
    ),
    *mutations(
        "datasets/reduction.py",
        f"{_REDUCTION}::test_of_a_label_of_numbers_those_that_follow_it_are_kept",
        ("if training.target is None:", "if True:"),
    ),
    *mutations(
        "datasets/reduction.py",
        f"{_REDUCTION}::test_a_random_projection_keeps_squared_distances_in_the_mean",
        ("    down = np.array(drawn.components_)\n", "    down = 1.1 * np.array(drawn.components_)\n"),
    ),
    *mutations(
        "datasets/preparation_steps.py",
        f"{_REDUCTION}::test_new_rows_go_the_same_way_and_back",
        ("whole[:, self.kept] = A", "whole[:, : A.shape[1]] = A"),
    ),
    *mutations(
        "study/chance.py",
        "tests/study/test_chance.py::test_features_chosen_by_the_labels_need_held_out_rows",
        ("if recipe.preparation.sees_labels and not comparison.prepared.held_out.any():", "if False:"),
    ),
    *mutations(
        "datasets/reading/table.py",
        "tests/datasets/reading/test_faulty_lines.py::test_short_lines_that_are_skipped_are_not_counted_as_filled_up",
        ("if line in present]", "]"),
    ),
    *mutations(
        "datasets/reading/formats.py",
        f"{_SVMLIGHT}::test_what_a_line_leaves_out_is_zero_and_lines_keep_their_numbers",
        ("begin = 0 if X[:, :1].nnz else 1", "begin = 0"),
    ),
    *mutations(
        "datasets/reading/kinds.py",
        f"{_SVMLIGHT}::test_other_text_is_not_taken_for_it",
        ("        if any(b <= a for a, b in pairwise(indices)):\n            return False\n", ""),
    ),
    *mutations(
        "pages/views/notes.py",
        "tests/pages/test_dropped_table.py::test_a_sample_of_a_larger_table_is_called_so",
        ("if n == n_rows else", "if True else"),
    ),
    *mutations(
        "pages/server/data.py",
        f"{_DROPPED}::test_no_other_data_set_is_shown_or_trained_while_a_table_has_no_label",
        ("    if table_waits(space):\n        return None\n", ""),
    ),
    *mutations(
        "datasets/proposals/roles.py",
        _LOOKED,
        ("names_identifier(fact.name) and fact.n_values > _FEWEST_IDS and", "False and"),
        ("_FEWEST_IDS = 50", "_FEWEST_IDS = 5"),
    ),
    *mutations(
        "pages/views/uploaded_table.py",
        f"{_DROPPED}::test_the_columns_that_are_features_are_named_beside_the_label",
        ('return " ".join(filter(None, lines))', "return lines[0]"),
    ),
    *mutations(
        "pages/server/data.py",
        f"{_DROPPED}::test_another_data_set_can_be_chosen_while_a_table_waits",
        ("    own.in_the_way = own.failed_upload = None\n", ""),
    ),
    *mutations(
        "pages/controls/comparison.py",
        f"{_DROPPED}::test_a_doubtful_label_is_asked_on_explore_and_train_waits_for_the_answer",
        ("trains = not waits and", "trains ="),
    ),
    *mutations(
        "pages/server/data.py",
        f"{_DROPPED}::test_lines_with_too_many_cells_are_shown_together_and_skipped_by_one_press",
        ("if failed is not None and failed.question is not None:", "if False:"),
    ),
    *mutations(
        "pages/server/document.py",
        f"{_DATA}::test_each_choice_is_taken_back_by_undo_and_all_of_them_at_once",
        ("past = (*self.past, self.choices)[-MOST_PAST:]", "past = (self.choices,)"),
    ),
    *mutations(
        "pages/controls/upload_state.py",
        f"{_DROPPED}::test_what_was_chosen_stays_and_only_the_user_undoes_it",
        ("earlier = space.document.said.get(table.columns, Choices())", "earlier = Choices()"),
        ("plan = apply(propose(table), upload.choices)", "plan = apply(propose(table))"),
    ),
    *mutations(
        "pages/server/document.py",
        "tests/pages/server/test_document.py::test_a_data_set_that_had_to_go_is_let_go",
        ('self._cache.pop(f"content {oldest}", None)  # it holds the data set, too', "pass"),
    ),
    *mutations(
        "pages/controls/table.py",
        "tests/browser/test_data.py::test_ticks_stay_through_another_label_and_are_undone_one_by_one_or_together",
        ("args=(space, widget),", "args=(space, key),"),
    ),
    *mutations(
        "pages/views/uploaded_table.py",
        _TICKS,
        ("before.get(column.name) if role == column.role else role", "role"),
        ("replace(now, roles=opened.choices.roles)", "now"),
    ),
    *mutations(
        "pages/views/uploaded_table.py",
        f"{_DROPPED}::test_notes_and_costs_stay_in_sight_where_nothing_can_be_built",
        ("*left_out_note(plan.columns.left_out)]", "]"),
    ),
    *mutations(
        "datasets/proposals/apply.py",
        f"{_DROPPED}::test_a_column_is_put_back_where_none_is_left_to_project",
        ("    if plan.columns.features:\n        return []\n", "    return []\n"),
    ),
    *mutations(
        "datasets/proposals/apply.py",
        "tests/datasets/proposals/test_choices.py",
        ("levels.counts[~levels.missing].max() > 1", "True"),
    ),
    *mutations(
        "pages/controls/upload_state.py",
        f"{_DROPPED}::test_a_doubtful_encoding_is_asked_with_a_preview_and_one_press_settles_it",
        (
            "encoding_question(table, options) or orientation_question(plan, options) or sentinel_offer(plan, options)",
            "None",
        ),
    ),
    *mutations(
        "pages/controls/upload_state.py",
        f"{_DROPPED}::test_a_sentinel_is_counted_as_missing_at_one_press",
        ("or sentinel_offer(plan, options)", "or None"),
    ),
    *mutations(
        "datasets/trained_pictures.py",
        "tests/study/test_trained_pictures.py::test_of_other_data_there_is_none",
        ('if kept["data"] != _fingerprint(dataset):', "if False:"),
    ),
    *mutations(
        "pages/server/document.py",
        "tests/pages/server/test_document.py::test_large_tables_that_were_replaced_go_sooner",
        (" or before > MOST_OWN_BYTES", ""),
    ),
    *mutations(
        "datasets/reading/table.py",
        f"{_NAMES}::test_half_a_surrogate_pair_in_json",
        ('_LONE_SURROGATE.sub("\\ufffd", text)', "text"),
    ),
    *mutations(
        "datasets/local_folder.py",
        f"{_NAMES}::test_a_file_name_that_is_no_utf_8",
        ('return os.fsencode(path.name).decode("utf-8", "backslashreplace")', "return path.name"),
    ),
    *mutations(
        "pages/controls/upload_state.py",
        f"{_NAMES}::test_what_could_not_be_read_is_dropped_with_its_sentence",
        ("except Exception as error:  # from a library", "except KeyError as error:  # from a library"),
    ),
    *mutations(
        "datasets/columns/images.py",
        f"{_DROPPED}::test_rows_are_images_is_asked_only_where_they_could_be",
        ("grey = any(low >= start and high <= end for start, end in _RANGES)", "grey = True"),
    ),
    *mutations(
        "datasets/reading/number_formats.py",
        "tests/datasets/reading/test_number_formats.py",
        ("_without_unit(bare_number(cell))", "bare_number(cell)"),
    ),
    *mutations(
        "datasets/downloads/fetch.py",
        f"{_OPENML}::test_a_cancelled_download_leaves_no_thread",
        ("while not self.stopped.is_set() and (", "while ("),
    ),
    *mutations(
        "datasets/downloads/fetch.py",
        f"{_OPENML}::test_a_redirect_to_a_foreign_host_is_refused",
        ("        self._site.check(newurl)\n", ""),
    ),
    *mutations(
        "datasets/downloads/fetch.py",
        f"{_OPENML}::test_each_fault_of_a_server_gets_its_sentence",
        ("self._check_size(len(self.body))", "pass"),
    ),
    *mutations(
        "datasets/downloads/cache.py",
        "tests/datasets/downloads/test_cache.py",
        ("path != newest and path.suffix in (_ENDING, _PART)", "path != newest"),
    ),
    *mutations(
        "datasets/local_folder.py",
        "tests/datasets/test_local_folder.py::test_read_once_until_the_file_changes",
        ("(state.st_mtime_ns, state.st_size)", "(0, 0)"),
    ),
    *mutations(
        "datasets/columns/build.py",
        "tests/datasets/proposals/test_columns_proposed.py::test_odd_cells_never_stop_a_table_silently",
        ("gaps[name] | column_of(table, name).odd for", "gaps[name] for"),
    ),
    *mutations(
        "datasets/reading/formats.py",
        "tests/test_bad_inputs.py::test_refused_in_one_sentence",
        ("    if footer.num_rows * footer.num_columns > limits.cells:", "    if False:"),
    ),
)

"""What is broken on purpose in the other pages and lessons."""

from tests.mutations.mutation import Changes

_CLAIMS = "tests/lessons/test_claims.py"
_DROPPED_TABLE = "tests/pages/test_dropped_table.py"
_EXPLORE = "tests/pages/test_explore.py"
_EXPLORE_PANELS = "tests/pages/test_explore_panels.py"
_EXPORT = "tests/pages/test_export.py"
_FIGURES = "tests/pages/views/test_figures.py"
_LEARN = "tests/pages/test_learn.py"
_OWN = "tests/lessons/test_own.py"
_OWN_LESSON = "tests/pages/test_own_lesson.py"
_TWO_PRESSES = "tests/pages/test_two_presses.py"
_UNDERSTAND = "tests/pages/test_understand.py"

PAGES: Changes = {
    "lessons/base/lesson.py": {
        "tests/lessons/test_lessons.py": [
            ("progress[place] = StepDone(said,", "progress[place] = theirs if theirs.done else StepDone(said,"),
            ("state.iteration == iteration", "True"),
        ],
        f"{_LEARN}::test_the_answer_comes_after_the_prediction_and_the_task": [
            ("return self.predicted and (step.task is None or self.done)", "return self.predicted")
        ],
    },
    "lessons/base/material.py": {
        _CLAIMS: [("last.held_out_1nn", "last.accuracy_1nn"), ("evaluate(scale * self.A", "evaluate(self.A")]
    },
    "lessons/base/own.py": {
        _OWN: [
            ("inflater.decompress(squeezed, _MOST_PACKED)", "inflater.decompress(squeezed)"),
            ("not self.most_features or each.n_features <= self.most_features", "True"),
        ]
    },
    "lessons/neighbour.py": {_CLAIMS: [('own class": "Look: press', 'own class": RIGHT and "Look: press')]},
    "lessons/outliers.py": {_CLAIMS: [('"wrong_f": f & wrong', '"wrong_f": g & wrong')]},
    "lessons/starts.py": {_CLAIMS: [('best f": "Look under', 'best f": RIGHT and "Look under')]},
    "pages/controls/comparison.py": {
        f"{_EXPLORE}::test_held_out_rows_are_spoken_of_only_where_there_are_some": [
            ("if comparison.prepared.held_out.any() else", "if True else")
        ],
        f"{_DROPPED_TABLE}::test_a_doubtful_label_is_asked_on_explore_and_train_waits_for_the_answer": [
            ("return not why_not_train(space) and comparison", "return comparison")
        ],
        "tests/pages/server/test_restore.py": [("with space.restoring:", "if True:")],
        "tests/pages/test_methods_on_explore.py": [("        if panel.broken_off:", "        if False:")],
        _TWO_PRESSES: [
            ("    if not why_not_train(space):\n        with", "    if True:\n        with"),
            ("with suppress(DataError, ValueError):", "if True:"),
        ],
    },
    "pages/controls/export.py": {
        _EXPORT: [
            ("if panel.recipe.frame is None and held.run.given_start is not None:", "if False:"),
            ("own.own_data.get(upload.key) is not dataset", "False"),
        ]
    },
    "pages/controls/lessons.py": {
        f"{_LEARN}::test_the_stage_changes_with_the_answer_where_it_would_give_it_away_and_does_the_task": [
            ("step.shown(current.done.predicted)", "step.shown(False)")
        ],
        f"{_LEARN}::test_train_stands_out_where_a_step_asks_for_it_and_a_step_that_speaks_of_the_start_begins_there": [
            ("!= recipe or begins:", "!= recipe:"),
            ("step.task is not None and step.task.trains and not done.done", "True"),
        ],
        "tests/browser/test_lessons.py::test_a_lesson_is_played_through[shadow-1]": [
            ("without={*NUMBERS, _BEST} - explained if", "without={_BEST} if")
        ],
        f"{_LEARN}::test_next_leads_to_the_closing_lines_and_then_to_the_next_lesson": [
            ('((*keys[place + 1 :], "")[0], 1) if self.at_end else', "")
        ],
    },
    "pages/controls/own_lessons.py": {
        _OWN_LESSON: [
            ("if before is None or before[0] != lesson or", "if True or"),
            ("len(link) > own.LONGEST_LINK", "False"),
        ]
    },
    "pages/controls/panel_cards.py": {
        _TWO_PRESSES: [("with suppress(KeyError):", "if True:")],
    },
    "pages/controls/point.py": {
        _UNDERSTAND: [
            ("held.row_number if held.data == space.document.recipe.data else None", "held.row_number"),
            ("snapshots[min(at, len(snapshots) - 1)]", "snapshots[-1]"),
        ]
    },
    "pages/controls/recipe_widgets.py": {
        _TWO_PRESSES: [("if panel is not None:", "if True:")],
    },
    "pages/controls/settings.py": {
        _TWO_PRESSES: [("now = space.document.recipe.data", "now = data")],
        f"{_EXPLORE_PANELS}::test_panels_come_and_go_and_trainings_go_on": [
            (
                'there.get(key) or (replace(alike[-1], key=key, title="") if alike else PanelRecipe(key))',
                "PanelRecipe(key)",
            )
        ],
        f"{_EXPLORE_PANELS}::test_every_method_of_the_registry_is_a_panel_a_row_and_a_link_and_has_its_settings": [
            ('panel.method.kind != "trained" and panel.method', 'panel.method.kind == "embedding" and panel.method')
        ],
        f"{_EXPLORE}::test_what_is_folded_makes_no_widget": [
            ("if place.open:\n            about", "if True:\n            about")
        ],
    },
    "pages/controls/shell.py": {
        _TWO_PRESSES: [("    if chosen == current:", "    if chosen is not None:")],
    },
    "pages/controls/table.py": {
        "tests/browser/test_data.py::test_a_tick_stays_through_another_label_and_is_undone": [
            ("args=(space, widget),", "args=(space, key),")
        ],
        _TWO_PRESSES: [("said_over, choices)", "said_over, answer.choices)")],
    },
    "pages/controls/upload.py": {
        f"{_DROPPED_TABLE}::test_one_press_takes_another_column_as_the_label": [("    file.truncate(0)", "    pass")],
        f"{_DROPPED_TABLE}::test_what_was_chosen_stays_and_only_the_user_undoes_it": [
            ("earlier = space.document.said.get(table.columns, Choices())", "earlier = Choices()"),
            ("plan = apply(propose(table), upload.choices)", "plan = apply(propose(table))"),
        ],
        f"{_DROPPED_TABLE}::test_a_doubtful_encoding_and_a_sentinel_are_asked_about_and_one_press_settles_each": [
            ("encoding_question(table, options) or header", "header"),
            ("or sentinel_offer(plan, options)", "or None"),
        ],
        "tests/pages/test_names_that_took_a_page_down.py": [
            ("except Exception as error:  # from a library", "except KeyError as error:  # from a library")
        ],
        _TWO_PRESSES: [("return waiting if same else upload", "return upload")],
    },
    "pages/main.py": {
        _TWO_PRESSES: [("switch_page_if_chosen(current=page.title)", "pass")],
    },
    "pages/views/comparison_tables.py": {
        "tests/pages/views/test_tables.py": [
            ("pd.DataFrame(counts, index", "pd.DataFrame(counts.T, index"),
            ("best = splits.best(name) if column.ranked else None", "best = splits.best(name)"),
        ],
    },
    "pages/views/figures.py": {
        _FIGURES: [
            ("spectrum[:n_shown].sum()", "spectrum[: n_shown + 1].sum()"),
            ("found.held_out if held_out else found.own", "found.own"),
            ("_held_out if held_out else found.permuted_own", "_own"),
        ],
    },
    "pages/views/notes.py": {
        f"{_DROPPED_TABLE}::test_a_sample_of_a_larger_table_is_called_so": [("if n == n_rows else", "if True else")],
    },
    "pages/views/recipe.py": {
        "tests/pages/views/test_recipe.py": [
            ('"labels shuffled" if panel.labels == "shuffled" else "sees no labels"', '"sees no labels"')
        ]
    },
    "pages/views/tables.py": {
        f"{_EXPLORE}::test_each_accuracy_stands_in_its_column": [
            ('"K = rounded K̂": "k"', '"K = rounded K̂": "held_out_knn"'),
            ('"1-NN, held-out rows": "held_out_1nn"', '"1-NN, held-out rows": "accuracy_1nn"'),
            ('K-NN, training rows (optimistic)": "accuracy_knn', 'K-NN, training rows (optimistic)": "accuracy_1nn'),
        ],
    },
    "pages/views/uploaded_table.py": {
        f"{_DROPPED_TABLE}::test_features_are_named_and_no_answer_is_waited_for_where_none_can_be_given": [
            ('return " ".join(filter(None, lines))', "return lines[0]")
        ],
        "tests/pages/views/test_column_choice.py": [
            ("before.get(column.name) if role == column.role else role", "role"),
            ("replace(now, roles=opened.choices.roles)", "now"),
        ],
        f"{_DROPPED_TABLE}::test_notes_and_costs_stay_in_sight_where_nothing_can_be_built": [
            ("*left_out_note(plan.columns.left_out)]", "]")
        ],
    },
}

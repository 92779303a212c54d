"""What is broken on purpose in lessons: their claims, what counts as done, arrows, and the words of teachers."""

from __future__ import annotations

from tests.mutations.mutation import Mutation, mutations

_CLAIMS = "tests/lessons/test_claims.py"
_LESSONS = "tests/lessons/test_lessons.py"
_OWN = "tests/lessons/test_own.py"
_PROGRESS = "tests/lessons/test_progress.py"
_LEARN = "tests/pages/test_learn.py"
_OWN_PAGE = "tests/pages/test_own_lesson.py"
_PULLS = "tests/browser/test_stage_questions.py"
_PULLS_JS = "stage/module/neighbourhood.js"

LESSON_MUTATIONS: tuple[Mutation, ...] = (
    *mutations(_PULLS_JS, "tests/stage/test_neighbourhood.py", ("moves[i * components + c] -= pull;", "")),
    *mutations(_PULLS_JS, _PULLS, ("labels[i] ? 1 : 0) - p)", "labels[i] ? 1 : 0))")),
    *mutations(
        "stage/module/mount.js",
        f"{_PULLS}::test_the_view_is_reported_once_the_picture_rests",
        ("if (text === this.reported) return;", ""),
    ),
    *mutations(
        "lessons/base/material.py",
        f"{_CLAIMS}::test_the_numbers_of_the_answer_are_those_of_an_oracle",
        (".held_out_1nn", ".leave_one_out_1nn"),
    ),
    *mutations(
        "lessons/base/material.py",
        f"{_CLAIMS}::test_the_numbers_of_the_answer_are_those_of_an_oracle",
        ("evaluate(scale * A)", "evaluate(A)"),
    ),
    *mutations(
        "lessons/outliers.py",
        f"{_CLAIMS}::test_the_numbers_of_the_answer_are_those_of_an_oracle",
        ('(("f", "nca"), ("g", "nca-2"))', '(("g", "nca"), ("f", "nca-2"))'),
    ),
    *mutations(
        "lessons/starts.py",
        f"{_CLAIMS}::test_the_right_option_is_called_right_and_the_others_are_refuted",
        (
            '"No: some may get stuck on a lower top"),\n                1,',
            '"No: some may get stuck on a lower top"),\n                0,',
        ),
    ),
    *mutations(
        "lessons/neighbour.py",
        f"{_CLAIMS}::test_the_right_option_is_called_right_and_the_others_are_refuted",
        (
            '"12 % of its class are among its neighbours",\n                ),\n                1,',
            '"12 % of its class are among its neighbours",\n                ),\n                2,',
        ),
    ),
    *mutations("lessons/base/lesson.py", f"{_LESSONS}::test_what_tasks_see", ("seen.iteration == iteration", "True")),
    *mutations(
        "lessons/base/lesson.py",
        f"{_LEARN}::test_the_answer_comes_after_the_prediction_and_the_task",
        ("return self.predicted and (step.task is None or self.done)", "return self.predicted"),
    ),
    *mutations(
        "lessons/base/own.py",
        f"{_OWN}::test_a_bomb_in_the_words_is_not_unpacked",
        ("inflater.decompress(squeezed, _MOST_PACKED)", "inflater.decompress(squeezed)"),
    ),
    *mutations(
        "stage/plain_text.py",
        f"{_OWN_PAGE}::test_a_link_opens_it_and_nothing_in_its_words_is_fetched",
        ('re.sub(r"!(?=\\[)", r"!\\\\", "\\n".join', '("\\n".join'),
    ),
    *mutations(
        "pages/controls/lessons.py",
        f"{_LEARN}::test_the_stage_changes_with_the_answer_where_it_would_give_it_away",
        ("step.shown(current.done(space).predicted)", "step.shown(False)"),
    ),
    *mutations(
        "pages/controls/lessons.py",
        f"{_LEARN}::test_a_step_that_speaks_of_the_start_begins_there",
        ("!= recipe or begins:", "!= recipe:"),
    ),
    *mutations(
        "pages/controls/lessons.py",
        "tests/browser/test_lessons.py::test_a_lesson_is_played_through[shadow]",
        ("without={*NUMBERS, _BEST} - explained if", "without={_BEST} if"),
    ),
    *mutations(
        "pages/controls/lessons.py",
        f"{_LEARN}::test_train_stands_out_where_a_step_asks_for_it",
        ("step.task is not None and step.task.trains and not done.done", "True"),
    ),
    *mutations(
        "pages/server/session.py",
        f"{_LEARN}::test_a_reload_finds_the_ticks_and_the_training_again",
        ("for wanted in (None, link) if of_lessons else (link,):", "for wanted in (link,):"),
    ),
    *mutations(
        "pages/controls/own_lessons.py",
        f"{_OWN_PAGE}::test_a_reload_keeps_what_a_student_changed",
        ("if before is None or before[0] != lesson or", "if True or"),
    ),
    *mutations(
        "lessons/base/own.py",
        f"{_OWN}::test_the_engine_checks_a_task",
        ("not self.most_features or each.n_features <= self.most_features", "True"),
    ),
    *mutations(
        "lessons/base/progress.py",
        f"{_PROGRESS}::test_neither_side_loses_what_the_other_does_not_know",
        ("progress[place] = StepDone(said,", "progress[place] = theirs if theirs.done else StepDone(said,"),
    ),
    *mutations(
        "pages/controls/lessons.py",
        f"{_LEARN}::test_next_leads_to_the_closing_lines_and_then_to_the_next_lesson",
        ("if current.at_end and not over else (current.name", "if not over else (current.name"),
    ),
    *mutations(
        "pages/controls/own_lessons.py",
        f"{_OWN_PAGE}::test_a_link_that_is_too_long_is_refused_and_the_file_is_there",
        ("len(link) > LONGEST_LINK", "False"),
    ),
)

"""What is broken on purpose in lessons: their claims, what counts as done, arrows, and the words of teachers."""

from __future__ import annotations

from tests.mutations.mutation import Mutation

_CLAIMS = "tests/lessons/test_claims.py"
_LATER = "tests/lessons/test_later_claims.py"
_LESSONS = "tests/lessons/test_lessons.py"
_RIGHT = "tests/lessons/test_right_options.py"
_OWN = "tests/lessons/test_own.py"
_LEARN = "tests/pages/test_learn.py"
_OWN_PAGE = "tests/pages/test_own_lesson.py"
_PULLS = "tests/browser/test_stage_questions.py"
_PULLS_JS = "stage/module/neighbourhood.js"

LESSON_MUTATIONS: tuple[Mutation, ...] = (
    Mutation(
        _PULLS_JS,
        "moves[i * components + c] -= pull;",
        "",
        ("tests/stage/test_neighbourhood.py",),
    ),
    Mutation(_PULLS_JS, "labels[i] ? 1 : 0) - p)", "labels[i] ? 1 : 0))", (_PULLS,)),
    Mutation(
        "stage/module/mount.js",
        "if (text === this.reported) return;",
        "",
        (f"{_PULLS}::test_the_view_is_reported_once_the_picture_rests",),
    ),
    Mutation(
        "lessons/base/material.py",
        ".held_out_1nn",
        ".leave_one_out_1nn",
        (f"{_CLAIMS}::test_noise_is_learned_by_heart_and_new_rows_tell",),
    ),
    Mutation(
        "lessons/base/material.py",
        "evaluate(scale * A)",
        "evaluate(A)",
        (f"{_CLAIMS}::test_twice_the_size_is_fewer_neighbours",),
    ),
    Mutation(
        "lessons/outliers.py",
        '(("f", "nca"), ("g", "nca-2"))',
        '(("g", "nca"), ("f", "nca-2"))',
        (f"{_LATER}::test_f_gives_the_mislabelled_up_and_g_does_not",),
    ),
    Mutation(
        "lessons/starts.py",
        '"No: some may get stuck on a lower top"),\n                1,',
        '"No: some may get stuck on a lower top"),\n                0,',
        (f"{_RIGHT}::test_the_right_option_is_called_right",),
    ),
    Mutation(
        "lessons/neighbour.py",
        '"12 % of its class are its neighbours",\n                ),\n                1,',
        '"12 % of its class are its neighbours",\n                ),\n                2,',
        (f"{_RIGHT}::test_the_right_option_is_called_right",),
    ),
    Mutation("lessons/base/lesson.py", "seen.iteration == iteration", "True", (f"{_LESSONS}::test_what_tasks_see",)),
    Mutation(
        "lessons/base/lesson.py",
        "(step.task is None or self.done)\n\n    def complete",
        "True\n\n    def complete",
        (f"{_LEARN}::test_the_answer_comes_after_the_prediction_and_the_task",),
    ),
    Mutation(
        "lessons/base/own.py",
        "inflater.decompress(squeezed, _MOST_PACKED)",
        "inflater.decompress(squeezed)",
        (f"{_OWN}::test_a_bomb_in_the_words_is_not_unpacked",),
    ),
    Mutation(
        "pages/controls/own_lessons.py",
        "as_text(line) for line",
        "line for line",
        (f"{_OWN_PAGE}::test_a_link_opens_it_with_its_words_as_text",),
    ),
    Mutation(
        "pages/controls/lessons.py",
        "step.shown(done.said is not None)",
        "step.shown(False)",
        (f"{_LEARN}::test_the_stage_changes_with_the_answer_where_it_would_give_it_away",),
    ),
    Mutation(
        "pages/controls/lessons.py",
        "!= recipe or begins:",
        "!= recipe:",
        (f"{_LEARN}::test_a_step_that_speaks_of_the_start_begins_there",),
    ),
    Mutation(
        "pages/controls/lessons.py",
        "without={*NUMBERS, _BEST} - explained",
        "without={_BEST}",
        ("tests/browser/test_lessons.py::test_a_lesson_is_played_through[shadow]",),
    ),
    Mutation(
        "pages/controls/lessons.py",
        "step.task is not None and step.task.trains and not done.done",
        "True",
        (f"{_LEARN}::test_train_stands_out_where_a_step_asks_for_it",),
    ),
    Mutation(
        "pages/server/session.py",
        "for wanted in (None, link) if of_lessons else (link,):",
        "for wanted in (link,):",
        (f"{_LEARN}::test_a_reload_finds_the_ticks_and_the_training_again",),
    ),
    Mutation(
        "pages/controls/own_lessons.py",
        "if space.document.own_lesson_shown != lesson:",
        "if True:",
        (f"{_OWN_PAGE}::test_a_reload_keeps_what_a_student_changed",),
    ),
    Mutation(
        "pages/controls/own_lessons.py",
        "len(link) > LONGEST_LINK",
        "False",
        (f"{_OWN_PAGE}::test_a_link_that_is_too_long_is_refused_and_the_file_is_there",),
    ),
)

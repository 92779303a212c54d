"""What is broken on purpose in lessons: their claims, what counts as done, arrows, and the words of teachers."""

from __future__ import annotations

from tests.mutations.mutation import Mutation

_CLAIMS = "tests/lessons/test_claims.py"
_LATER = "tests/lessons/test_later_claims.py"
_LESSONS = "tests/lessons/test_lessons.py"
_OWN = "tests/lessons/test_own.py"
_LEARN = "tests/pages/test_learn.py"
_OWN_PAGE = "tests/pages/test_own_lesson.py"
_PULLS = "tests/browser/test_stage_pulls.py"
_PULLS_JS = "pages/stage/module/pulls.js"

LESSON_MUTATIONS: tuple[Mutation, ...] = (
    Mutation(
        _PULLS_JS,
        "moves[i * components + c] -= pull;",
        "",
        (f"{_PULLS}::test_forces_and_their_sum_are_the_engine_s_gradient",),
    ),
    Mutation(_PULLS_JS, "labels[i] ? 1 : 0) - p)", "labels[i] ? 1 : 0))", (_PULLS,)),
    Mutation(
        "pages/stage/module/seen.js",
        "if (text === this.told) return;",
        "",
        (f"{_PULLS}::test_a_page_that_watches_is_told_once_the_picture_rests",),
    ),
    Mutation(
        "lessons/base/measured.py",
        ".held_out_1nn",
        ".leave_one_out_1nn",
        (f"{_CLAIMS}::test_noise_is_learned_by_heart_and_new_rows_tell",),
    ),
    Mutation(
        "lessons/base/measured.py",
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
    Mutation("lessons/base/tasks.py", "seen.iteration == iteration", "True", (f"{_LESSONS}::test_what_tasks_see",)),
    Mutation(
        "lessons/base/progress.py",
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
        "pages/controls/learn/own.py",
        "as_text(line) for line",
        "line for line",
        (f"{_OWN_PAGE}::test_a_link_opens_it_with_its_words_as_text",),
    ),
    Mutation(
        "pages/controls/learn/picture.py",
        "step.shown(done.said is not None)",
        "step.shown(False)",
        (f"{_LEARN}::test_the_stage_changes_with_the_answer_where_it_would_give_it_away",),
    ),
    Mutation(
        "pages/controls/learn/picture.py",
        "!= recipe or begins:",
        "!= recipe:",
        (f"{_LEARN}::test_a_step_that_speaks_of_the_start_begins_there",),
    ),
    Mutation(
        "pages/controls/learn/picture.py",
        "without = {*NUMBERS, _BEST} - told",
        "without = {_BEST}",
        ("tests/browser/test_lessons.py::test_a_lesson_is_played_through[shadow]",),
    ),
    Mutation(
        "pages/controls/learn/picture.py",
        "step.task is not None and step.task.trains and not done.done",
        "True",
        (f"{_LEARN}::test_train_stands_out_where_a_step_asks_for_it",),
    ),
    Mutation(
        "pages/server/session.py",
        "if of_lessons:",
        "if False:",
        (f"{_LEARN}::test_a_reload_finds_the_ticks_and_the_training_again",),
    ),
    Mutation(
        "pages/controls/learn/own.py",
        "if space.belongings.own_lesson_shown != lesson:",
        "if True:",
        (f"{_OWN_PAGE}::test_a_reload_keeps_what_a_student_changed",),
    ),
    Mutation(
        "pages/controls/learn/make.py",
        "len(link) > LONGEST_LINK",
        "False",
        (f"{_OWN_PAGE}::test_a_link_that_is_too_long_is_refused_and_the_file_is_there",),
    ),
)

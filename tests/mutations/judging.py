"""What is broken on purpose in study: verdicts, splits, permutations, differences, changes of panels."""

from __future__ import annotations

from tests.mutations.mutation import Mutation

_VERDICT = "tests/study/test_verdict.py"

JUDGING = (
    Mutation("study/splits.py", "_SURE = 0.95", "_SURE = 0.80", ("tests/study/test_splits.py",)),
    Mutation(
        "study/verdict.py",
        "counts.argmax()",
        "counts.argmin()",
        (f"{_VERDICT}::test_few_rows_that_are_right_are_not_called_a_failure",),
    ),
    Mutation(
        "study/verdict.py",
        "own * (1 - own) / measured.n_queries",
        "own * (1 - own) / 1_000",
        (f"{_VERDICT}::test_an_accuracy_asked_of_few_own_rows_is_no_proof_of_a_gap",),
    ),
    Mutation(
        "study/verdict.py",
        "if new > guess and not gap and",
        "if new > 1.0 and not gap and",
        (f"{_VERDICT}::test_few_rows_that_are_right_are_not_called_a_failure",),
    ),
    Mutation(
        "study/panel_changes.py",
        "places[panel.frame.panel] > places[panel.key]",
        "places[panel.frame.panel] < 0",
        ("tests/study/test_panel_changes.py::test_moving_keeps_a_branch_behind_what_it_starts_from",),
    ),
    Mutation(
        "study/panel_changes.py",
        "needed.add(panel.frame.panel)",
        "needed.add(panel.key)",
        (
            "tests/study/test_panel_changes.py::test_what_is_taken_over_brings_along_what_it_starts_from",
            "tests/study/test_chance.py::test_a_branch_is_permuted_with_what_it_starts_from",
        ),
    ),
    Mutation(
        "study/measure.py",
        "NEIGHBOURS = 5",
        "NEIGHBOURS = 6",
        ("tests/study/test_measure.py::test_what_needs_a_learnt_scale_is_left_out_where_there_is_none",),
    ),
    Mutation(
        "study/splits.py",
        "(1 / len(values) + n_test / n_train)",
        "(1 / len(values))",
        ("tests/study/test_splits.py",),
    ),
    Mutation(
        "study/splits.py",
        "random_state=recipe.preparation.random_state + split",
        "random_state=recipe.preparation.random_state",
        ("tests/study/test_splits.py::test_each_split_holds_out_other_rows_and_measures_what_the_page_measures",),
    ),
    Mutation(
        "study/chance.py",
        "return (1 + self.as_good) / (1 + self.done)",
        "return self.as_good / max(1, self.done)",
        ("tests/study/test_chance.py::test_the_share_that_does_as_well",),
    ),
    Mutation(
        "study/chance.py",
        "np.count_nonzero(permuted >= real)",
        "np.count_nonzero(permuted > real)",
        ("tests/study/test_chance.py::test_the_share_that_does_as_well",),
    ),
    Mutation(
        "study/recipe.py",
        "        noise=replace(recipe.noise, random_state=seed),\n",
        "",
        ("tests/study/test_recipe.py",),
    ),
    Mutation("study/verdict.py", " or measured.k_mean_entropy < _RUN_DOWN", "", ("tests/study/test_verdict.py",)),
    Mutation(
        "study/differences.py",
        "nearest_others(nearest, None, Y[train], np.arange(len(train)), 1)[:, 0]",
        "nearest.of(Y[train], 1)[:, 0]",
        ("tests/study/test_differences.py",),
    ),
    Mutation(
        "study/differences.py",
        "both[:, 1:] == both[:, :-1]",
        "both[:, 1:] <= both[:, :-1] + 1",
        ("tests/study/test_differences.py::test_neighbours_in_common",),
    ),
    Mutation(
        "study/differences.py",
        "both = (first != NO_PREDICTION) & (second != NO_PREDICTION)",
        "both = first != NO_PREDICTION",
        ("tests/study/test_differences.py",),
    ),
    Mutation("study/verdict.py", "_SEPARATED = 0.999 ", "_SEPARATED = 0.99 ", (_VERDICT,)),
    Mutation("study/verdict.py", "_FEW = 10 ", "_FEW = 14 ", (_VERDICT,)),
)

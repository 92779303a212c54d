"""What is broken on purpose in study: verdicts, splits, permutations, differences, changes of panels."""

from __future__ import annotations

from tests.mutations.mutation import Mutation, mutations

_VERDICT = "tests/study/test_verdict.py"

JUDGING: tuple[Mutation, ...] = (
    *mutations(
        "study/splits.py",
        "tests/study/test_splits.py",
        ("planned=self.wanted,", ""),
        ("share=share_of_plan(self.plan),", ""),
        ("            n_test=self.n_test,\n            shares", "            n_test=1,\n            shares"),
    ),
    *mutations(
        "study/verdict.py",
        f"{_VERDICT}::test_which_sentence_for_which_numbers",
        ("gap.p_value <= ALPHA and", ""),
        ("gap.estimate > _WORTH_NAMING", "gap.estimate > 0.001"),
        ("chance.answer is Conclusion.CANNOT_TELL", "False"),
    ),
    *mutations(
        "study/verdict.py",
        f"{_VERDICT}::test_several_panels_are_one_family",
        ("holm([one.p_value for one in against.values()])", "[one.p_value for one in against.values()]"),
    ),
    *mutations(
        "study/verdict.py",
        f"{_VERDICT}::test_an_accuracy_of_few_own_rows_is_no_proof_of_a_gap",
        ("round(own * measured.n_queries), measured.n_queries, right", "round(own * 1_000), 1_000, right"),
    ),
    *mutations(
        "study/verdict.py",
        f"{_VERDICT}::test_a_large_class_does_not_hide_what_was_learnt",
        ("present.min() == present.max()", "True"),
    ),
    *mutations(
        "datasets/columns/splitting.py",
        "tests/datasets/test_splitting.py",
        ("times >= values[1 + int(", "times <= values[1 + int("),
        ("found = np.isin(codes, groups[order[:k]])", "found = np.arange(len(codes)) < count"),
        ("named and repeats)", "repeats)"),
    ),
    *mutations(
        "datasets/base/dataset.py",
        "tests/datasets/test_poisoned_rows.py",
        ("known = self.X[rows & ~self.gaps[:, column], column]", "known = self.X[~self.gaps[:, column], column]"),
        ("np.bincount(self.codes[fitted_to], ", "np.bincount(self.codes, "),
    ),
    *mutations(
        "study/panel_changes.py",
        "tests/study/test_panel_changes.py::test_moving_keeps_a_branch_behind_what_it_starts_from",
        ("places[panel.frame.panel] > places[panel.key]", "places[panel.frame.panel] < 0"),
    ),
    *mutations(
        "study/panel_changes.py",
        (
            "tests/study/test_panel_changes.py::test_what_is_taken_over_brings_along_what_it_starts_from",
            "tests/study/test_chance.py::test_a_branch_is_permuted_with_what_it_starts_from",
        ),
        ("needed.add(panel.frame.panel)", "needed.add(panel.key)"),
    ),
    *mutations(
        "study/measure.py",
        "tests/study/test_measure.py::test_what_needs_a_learnt_scale_is_left_out_where_there_is_none",
        ("NEIGHBOURS = 5", "NEIGHBOURS = 6"),
    ),
    *mutations(
        "study/splits.py",
        "tests/study/test_splits.py::test_each_split_holds_out_other_rows_and_measures_what_the_page_measures",
        ("random_state=recipe.preparation.random_state + split", "random_state=recipe.preparation.random_state"),
    ),
    *mutations(
        "study/chance.py",
        "tests/study/test_chance.py::test_the_share_that_does_as_well",
        ("np.count_nonzero(permuted >= real)", "np.count_nonzero(permuted > real)"),
    ),
    *mutations(
        "study/chance.py",
        "tests/study/test_chance.py::test_the_answer_holds_whatever_more_permutations_would_give",
        ("self.done >= self.wanted and self", "self"),
        ("        if test.decided:", "        if True:"),
    ),
    *mutations(
        "study/recipe.py",
        "tests/study/test_recipe.py",
        ("        noise=replace(recipe.noise, random_state=seed),\n", ""),
    ),
    *mutations("study/verdict.py", "tests/study/test_verdict.py", (" or measured.k_mean_entropy < _RUN_DOWN", "")),
    *mutations(
        "study/differences.py",
        "tests/study/test_differences.py",
        ("nearest_others(nearest, None, Y[train], np.arange(len(train)), 1)[:, 0]", "nearest.of(Y[train], 1)[:, 0]"),
        ("both = (first != NO_PREDICTION) & (second != NO_PREDICTION)", "both = first != NO_PREDICTION"),
    ),
    *mutations(
        "study/differences.py",
        "tests/study/test_differences.py::test_neighbours_in_common",
        ("both[:, 1:] == both[:, :-1]", "both[:, 1:] <= both[:, :-1] + 1"),
    ),
    *mutations(
        "study/verdict.py", _VERDICT, ("_SEPARATED = 0.999 ", "_SEPARATED = 0.99 "), ("_FEW = 10 ", "_FEW = 14 ")
    ),
)

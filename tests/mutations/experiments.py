"""What is broken on purpose in the experiments, store, runner, verdicts, and in the work on a cluster."""

from __future__ import annotations

from tests.mutations.mutation import Mutation

_CARRY_OUT = "tests/study/experiments/test_carry_out.py"
_RUN = "tests/study/experiments/test_run.py"
_STORE = "tests/study/experiments/test_store.py"
_THERE = "tests/study/cluster/test_trainings.py"
_VERDICT = "tests/study/experiments/test_verdict.py"

EXPERIMENTS = (
    Mutation(
        "study/cluster/trainings.py",
        "if snapshot.iteration >= self.shown:",
        "if True:",
        (f"{_THERE}::test_a_worker_that_goes_costs_time_only",),
    ),
    Mutation(
        "study/cluster/on_worker.py",
        "self._untaken[0] > AHEAD",
        "self._untaken[0] > 1e9",
        (f"{_THERE}::test_pause_step_and_stop_reach_the_worker",),
    ),
    Mutation(
        "study/cluster/pieces.py",
        "while given in early:\n                        yield early.pop(given)",
        "while early:\n                        yield early.popitem()[1]",
        ("tests/study/cluster/test_pieces.py::test_results_come_in_order",),
    ),
    Mutation(
        "study/experiments/base/experiment.py",
        "min(asked, line.splits)",
        "asked",
        ("tests/study/experiments/test_experiments.py",),
    ),
    Mutation("study/experiments/base/store.py", "if checksum != _checksum(text):", "if not checksum:", (_RUN,)),
    Mutation(
        "study/experiments/base/store.py",
        "json.dumps([_names(cell), mark, version or code_version()], sort_keys=True)",
        "json.dumps([_names(cell), mark], sort_keys=True)",
        (f"{_STORE}::test_seed_data_and_code_count_and_the_title_does_not",),
    ),
    Mutation(
        "study/experiments/base/run.py",
        "open_tasks = [task for task in tasks if task.store.get(task.key) is None]",
        "open_tasks = list(tasks)",
        (f"{_RUN}::test_killed_and_started_again_it_repeats_no_cell_and_loses_none",),
    ),
    Mutation(
        "study/experiments/base/run.py",
        "        task.store.put(task.key, outcome)",
        "        pass",
        (f"{_RUN}::test_cells_of_several_lines_are_carried_out_once",),
    ),
    Mutation(
        "study/experiments/base/verdict.py",
        "(away < 0) == mean.line.error",
        "away > 0",
        (f"{_VERDICT}::test_of_errors_less_is_better",),
    ),
    Mutation(
        "study/experiments/base/verdict.py",
        "math.sqrt(1 / mean.n + 1 / published_splits)",
        "math.sqrt(1 / mean.n)",
        (f"{_VERDICT}::test_two_standard_errors_of_the_difference",),
    ),
    Mutation(
        "study/experiments/base/verdict.py",
        "if better.line.error:\n        gain = -gain",
        "if False:\n        gain = -gain",
        (f"{_VERDICT}::test_a_claim_about_errors_is_about_less",),
    ),
    Mutation(
        "study/experiments/base/verdict.py",
        "if mean.n < FEWEST:",
        "if mean.n < 2:",
        (f"{_VERDICT}::test_few_splits_are_a_first_look_and_none_is_not_run",),
    ),
    Mutation(
        "study/experiments/base/verdict.py",
        "worse.values.keys()) < FEWEST",
        "worse.values.keys()) < 2",
        (f"{_VERDICT}::test_claims",),
    ),
    Mutation(
        "study/experiments/base/version.py",
        'if isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":',
        "if False:",
        (f"{_STORE}::test_only_what_the_numbers_come_from_changes_the_version",),
    ),
    Mutation(
        "study/experiments/base/found.py",
        "(0, 1) if independent else",
        "(0, 1) if True else",
        (f"{_VERDICT}::test_a_difference_goes_split_by_split_with_the_corrected_error",),
    ),
    Mutation(
        "study/experiments/base/data.py",
        "{**defaults, **dict(parameters)}",
        "dict(parameters)",
        (f"{_CARRY_OUT}::test_what_a_recipe_leaves_open_is_the_default_of_the_catalogue",),
    ),
    Mutation(
        "study/experiments/base/carry_out.py",
        "truncated(Q, d)[0]",
        "A",
        (f"{_CARRY_OUT}::test_a_metric_is_cut_to_its_leading_axes",),
    ),
)

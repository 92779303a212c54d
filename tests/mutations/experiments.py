"""What is broken on purpose in the experiments, store, runner, verdicts, and in the work on a cluster."""

from __future__ import annotations

from tests.mutations.mutation import Mutation, mutations

_CARRY_OUT = "tests/study/experiments/test_carry_out.py"
_PUBLISHED = "tests/study/experiments/test_published.py"
_RUN = "tests/study/experiments/test_run.py"
_STORE = "tests/study/experiments/test_store.py"
_THERE = "tests/study/cluster/test_trainings.py"
_VERDICT = "tests/study/experiments/test_verdict.py"

EXPERIMENTS: tuple[Mutation, ...] = (
    *mutations("study/experiments/pydml.py", _PUBLISHED, ('"iris": (0.953, 0.967', '"iris": (0.953, 0.976')),
    *mutations("study/experiments/r_report.py", _PUBLISHED, ('"wine": (0.0556,', '"wine": (0.0565,')),
    *mutations("study/experiments/nca_paper.py", _PUBLISHED, ('"iris": (0.949, 0.944)', '"iris": (0.944, 0.949)')),
    *mutations(
        "study/experiments/sklearn_example.py", _PUBLISHED, ('{"method": "lda"}, 0.66', '{"method": "lda"}, 0.67')
    ),
    *mutations(
        "study/cluster/trainings.py",
        f"{_THERE}::test_a_worker_that_goes_costs_time_only",
        ("if snapshot.iteration > shown:", "if True:"),
    ),
    *mutations(
        "study/cluster/on_worker.py",
        f"{_THERE}::test_pause_step_and_stop_reach_the_worker",
        ("self._queue.qsize() >= AHEAD", "False"),
    ),
    *mutations(
        "study/cluster/pieces.py",
        "tests/study/cluster/test_pieces.py::test_results_come_in_order",
        (
            "while given in early:\n                        yield early.pop(given)",
            "while early:\n                        yield early.popitem()[1]",
        ),
    ),
    *mutations(
        "study/experiments/base/experiment.py",
        "tests/study/experiments/test_experiments.py",
        ("return min(most, line.splits) if line.splits else most", "return most"),
    ),
    *mutations(
        "study/experiments/base/store.py",
        f"{_RUN}::test_a_damaged_cell_is_run_again",
        ("(OSError, ValueError, TypeError)", "(OSError, TypeError)"),
    ),
    *mutations(
        "study/experiments/base/store.py",
        f"{_STORE}::test_seed_data_and_version_count_and_the_title_does_not",
        (
            "json.dumps([_names(cell), mark, version], sort_keys=True)",
            "json.dumps([_names(cell), mark], sort_keys=True)",
        ),
    ),
    *mutations(
        "study/experiments/base/run.py",
        f"{_RUN}::test_killed_and_started_again_it_repeats_no_cell_and_loses_none",
        ("open_tasks = [task for task in tasks if task.store.get(task.key) is None]", "open_tasks = list(tasks)"),
    ),
    *mutations(
        "study/experiments/base/run.py",
        f"{_RUN}::test_cells_of_several_lines_are_carried_out_once",
        ("        task.store.put(task.key, outcome)", "        pass"),
    ),
    *mutations(
        "study/experiments/base/results.py",
        _VERDICT,
        ("difference_from_published(1 - values, 1 - nearest", "difference_from_published(values, nearest"),
        ("        first, second = second, first", "        pass"),
        ("    if mean.n < FEWEST_SPLITS:", "    if mean.n < 2:"),
        ('"" if len(shared) >= FEWEST_SPLITS else', '"" if False else'),
        ("independent=drawn_anew", "independent=False"),
        ("tests = iter(judge_claims([(one, claim.equal_will_do)", "tests = iter(judge_claims([(one, False)"),
    ),
    *mutations(
        "study/experiments/base/data.py",
        f"{_CARRY_OUT}::test_what_a_recipe_leaves_open_is_the_default_of_the_catalogue",
        ("{**defaults, **dict(parameters)}", "dict(parameters)"),
    ),
    *mutations(
        "study/experiments/base/carry_out.py",
        f"{_CARRY_OUT}::test_a_metric_is_cut_to_its_leading_axes",
        ("truncated(Q, d)[0]", "A"),
    ),
)

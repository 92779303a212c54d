"""What is broken on purpose in the pages: what is shown, linked, selected, counted and kept."""

from __future__ import annotations

from tests.mutations.mutation import Mutation, mutations

_EXPLORE = "tests/pages/test_explore.py"
_LINKS = "tests/pages/test_explore_links.py"
_PANELS = "tests/pages/test_explore_panels.py"
_BUILD_SCENE = "tests/stage/test_build_scene.py"
_SCENE = "tests/stage/test_scene.py"
_COMPONENT = ("tests/stage/test_streamlit_host.py",)
_LIVE = ("tests/pages/server/test_live.py",)
_WORKSPACE = ("tests/pages/server/test_workspace.py",)
_DOCUMENT = ("tests/pages/server/test_document.py",)
_EMBEDDINGS = ("tests/pages/server/test_embeddings.py",)
_TRAININGS = "tests/pages/server/test_trainings.py"
_TABLE = (f"{_EXPLORE}::test_the_table_holds_what_plain_counting_gives",)

PAGES: tuple[Mutation, ...] = (
    *mutations(
        "pages/server/live.py",
        _LIVE,
        ("in enumerate(reversed(starts), start=1)", "in enumerate(starts, start=1)"),
        ("() if self._sent[held.number] else", "() if False else"),
        ("known = number == held.number and", "known ="),
        ("rows = self._shown.rows if embeds else None", "rows = None"),
    ),
    *mutations(
        "stage/scene.py",
        _BUILD_SCENE,
        ("panels=align_panels(features, tuple(panels), ready.train)", "panels=tuple(panels)"),
        ('labels=compared.y if recipe.labels == "shuffled" else None', "labels=None"),
        ("held_out=ready.held_out", "held_out=~ready.held_out"),
    ),
    *mutations("stage/scene.py", (_BUILD_SCENE, _SCENE), ("elif panel.frame is not None and not panel.live:", "else:")),
    *mutations(
        "stage/streamlit_host.py",
        _COMPONENT,
        ('if selection.get("scene") != space.scene_version:', 'if selection.get("scene") is None:'),
        ("[int(rows[i]) for i in", "[int(i) for i in"),
        (
            "np.isin(space.shown_rows, np.asarray(rows, dtype=int))",
            "np.isin(np.arange(len(space.shown_rows)), np.asarray(rows, dtype=int))",
        ),
    ),
    *mutations(
        "pages/views/tables.py",
        _TABLE,
        (
            'columns["K = rounded K̂"] = [one.k for one in measurements]',
            'columns["K = rounded K̂"] = [one.k + 1 for one in measurements]',
        ),
        (
            'columns["1-NN, held-out rows"] = [one.held_out_1nn for one in measurements]',
            'columns["1-NN, held-out rows"] = [one.accuracy_1nn for one in measurements]',
        ),
        ("[one.accuracy_knn for one in measurements]", "[one.accuracy_1nn for one in measurements]"),
    ),
    *mutations(
        "pages/server/measurements.py",
        _TABLE,
        ("k = shared_k(comparison, snapshots)", "k = shared_k(comparison, snapshots) + 1"),
    ),
    *mutations(
        "pages/server/trainings.py",
        f"{_PANELS}::test_panels_come_and_go_and_trainings_go_on",
        (
            "space.keep_runs([panel.key for panel in comparison.panels if panel.trains])",
            "space.keep_runs(list(space.runs))",
        ),
    ),
    *mutations(
        "pages/server/trainings.py",
        f"{_EXPLORE}::test_changed_settings_are_said",
        ("return bool(own.started) and any(", "return False and any("),
    ),
    *mutations(
        "pages/server/data.py",
        "tests/pages/test_data_choice.py",
        (
            "    if key is None:\n        raise DataError(_why_missing(data))\n",
            "    if key is None:\n        key = next(iter(choices(space)))\n",
        ),
    ),
    *mutations(
        "pages/server/session.py",
        f"{_LINKS}::test_what_a_link_says_that_nobody_understands_is_said_and_the_rest_is_kept",
        ("own.problems = decoded.problems", "pass"),
    ),
    *mutations(
        "pages/server/document.py",
        _DOCUMENT,
        ("next((key for key in own if self.content(key) == data.content), None)", "next(iter(own), None)"),
        ("del self.past[:-MOST_PAST]", "pass"),
    ),
    *mutations(
        "pages/server/workspace.py",
        _WORKSPACE,
        ("if len(runs) >= MOST_LIVE_PANELS:", "if len(runs) > MOST_LIVE_PANELS:"),
        ("if held.number in paused and", "if"),
    ),
    *mutations(
        "nca_core/snapshot.py",
        "tests/stage/test_wire.py",
        ('"held_out_1nn",\n    "held_out_knn",', '"held_out_knn",\n    "held_out_1nn",'),
    ),
    *mutations(
        "pages/controls/training.py",
        f"{_PANELS}::test_panels_keep_their_settings_when_others_come",
        (
            'there.get(key) or (replace(alike[-1], key=key, title="") if alike else PanelRecipe(key))',
            "PanelRecipe(key)",
        ),
    ),
    *mutations(
        "datasets/base/fingerprint.py",
        _DOCUMENT,
        ("for array in (dataset.X, dataset.y, dataset.target):", "for array in (dataset.X, dataset.target):"),
    ),
    *mutations(
        "pages/controls/training.py",
        f"{_PANELS}::test_every_method_of_the_registry_is_a_panel_a_row_and_a_link_and_has_its_settings",
        (
            'panel.method.kind != "trained" and panel.method.settings]',
            'panel.method.kind == "embedding" and panel.method.settings]',
        ),
    ),
    *mutations(
        "pages/controls/comparison.py",
        f"{_EXPLORE}::test_held_out_rows_are_spoken_of_only_where_there_are_some",
        ("bool(comparison.prepared.held_out.any())", "True"),
    ),
    *mutations(
        "pages/server/trainings.py",
        _TRAININGS,
        ("if unnamed_panel(started[key]) != unnamed_panel(own.recipe.panel(key)):", "if started[key] is None:"),
        ("iteration < len(snapshots)", "True"),
        ('("running", "waiting")', '("running",)'),
        ("return recipe.noise, recipe.preparation, recipe.n_components", "return recipe.noise, recipe.n_components"),
    ),
    *mutations(
        "pages/server/measurements.py",
        _TRAININGS,
        ("partial(solved, panel), panel, k)", "partial(solved, panel), panel)"),
        ("make, comparison, at))", "make, comparison))"),
    ),
    *mutations(
        "pages/server/embeddings.py",
        _EMBEDDINGS,
        ("BoundedSemaphore(2)", "BoundedSemaphore(3)"),
        ("panel.X is self.panel.X and ", ""),
    ),
    *mutations(
        "pages/server/workspace.py",
        "tests/pages/server/test_keep.py",
        ("            if held.ours:\n                held.run.stop(timeout=0)", "            held.run.stop(timeout=0)"),
    ),
    *mutations(
        "pages/server/trainings.py",
        "tests/pages/server/test_keep.py::test_one_panel_is_trained_and_taken_back_alone",
        ("panel.trains and (starts is None or panel.key in starts)", "panel.trains"),
    ),
    *mutations(
        "pages/server/trainings.py",
        "tests/pages/test_compare.py::test_a_run_kept_on_explore_stands_on_compare",
        ("None if fresh else there.recipe", "there.recipe"),
    ),
    *mutations(
        "pages/views/comparison_tables.py",
        "tests/pages/views/test_fair_table.py",
        ("best = splits.best(name) if column.ranked else None", "best = splits.best(name)"),
    ),
    *mutations(
        "pages/server/jobs.py",
        "tests/pages/server/test_jobs.py::test_work_that_has_no_result_yet_ends_too",
        ("if self._stop.is_set():\n            raise TrainingStopped", "if False:\n            raise TrainingStopped"),
    ),
)

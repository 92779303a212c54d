"""What is broken on purpose in the pages: what is shown, linked, selected, counted and kept."""

from __future__ import annotations

from tests.mutations.mutation import Mutation

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
    Mutation("pages/server/live.py", "in enumerate(reversed(starts), start=1)", "in enumerate(starts, start=1)", _LIVE),
    Mutation("pages/server/live.py", "() if self._sent[held.number] else", "() if False else", _LIVE),
    Mutation(
        "stage/scene.py",
        "panels=align_panels(features, tuple(panels), ready.train)",
        "panels=tuple(panels)",
        (_BUILD_SCENE,),
    ),
    Mutation(
        "stage/scene.py",
        'labels=compared.y if recipe.labels == "shuffled" else None',
        "labels=None",
        (_BUILD_SCENE,),
    ),
    Mutation("stage/scene.py", "held_out=ready.held_out", "held_out=~ready.held_out", (_BUILD_SCENE,)),
    Mutation("stage/scene.py", "elif panel.frame is not None and not panel.live:", "else:", (_BUILD_SCENE, _SCENE)),
    Mutation(
        "stage/streamlit_host.py",
        'if selection.get("scene") != space.scene_version:',
        'if selection.get("scene") is None:',
        _COMPONENT,
    ),
    Mutation("stage/streamlit_host.py", "[int(rows[i]) for i in", "[int(i) for i in", _COMPONENT),
    Mutation(
        "pages/views/tables.py",
        'columns["K = rounded K̂"] = [one.k for one in measurements]',
        'columns["K = rounded K̂"] = [one.k + 1 for one in measurements]',
        _TABLE,
    ),
    Mutation(
        "pages/views/tables.py",
        'columns["1-NN, held-out rows"] = [one.held_out_1nn for one in measurements]',
        'columns["1-NN, held-out rows"] = [one.accuracy_1nn for one in measurements]',
        _TABLE,
    ),
    Mutation(
        "pages/views/tables.py",
        "[one.accuracy_knn for one in measurements]",
        "[one.accuracy_1nn for one in measurements]",
        _TABLE,
    ),
    Mutation(
        "pages/server/measurements.py",
        "k = shared_k(comparison, snapshots)",
        "k = shared_k(comparison, snapshots) + 1",
        _TABLE,
    ),
    Mutation(
        "pages/server/trainings.py",
        "space.keep_runs([panel.key for panel in comparison.panels if panel.trains])",
        "space.keep_runs(list(space.runs))",
        (f"{_PANELS}::test_panels_come_and_go_and_trainings_go_on",),
    ),
    Mutation(
        "pages/server/trainings.py",
        "return bool(own.started) and any(",
        "return False and any(",
        (f"{_EXPLORE}::test_changed_settings_are_said",),
    ),
    Mutation(
        "pages/server/data.py",
        "    if key is None:\n        raise DataError(_why_missing(data))\n",
        "    if key is None:\n        key = next(iter(choices(space)))\n",
        ("tests/pages/test_data_choice.py",),
    ),
    Mutation(
        "pages/server/session.py",
        "own.problems = decoded.problems",
        "pass",
        (f"{_LINKS}::test_what_a_link_says_that_nobody_understands_is_said_and_the_rest_is_kept",),
    ),
    Mutation(
        "pages/server/document.py",
        "next((key for key in own if self.content(key) == data.content), None)",
        "next(iter(own), None)",
        _DOCUMENT,
    ),
    Mutation("pages/server/document.py", "del self.past[:-MOST_PAST]", "pass", _DOCUMENT),
    Mutation(
        "pages/server/workspace.py", "if len(runs) >= MOST_LIVE_PANELS:", "if len(runs) > MOST_LIVE_PANELS:", _WORKSPACE
    ),
    Mutation("pages/server/workspace.py", "if held.number in paused and", "if", _WORKSPACE),
    Mutation("pages/server/live.py", "known = number == held.number and", "known =", _LIVE),
    Mutation("pages/server/live.py", "rows = self._shown.rows if embeds else None", "rows = None", _LIVE),
    Mutation(
        "nca_core/snapshot.py",
        '"held_out_1nn",\n    "held_out_knn",',
        '"held_out_knn",\n    "held_out_1nn",',
        ("tests/stage/test_wire.py",),
    ),
    Mutation(
        "pages/controls/training.py",
        'there.get(key) or (replace(alike[-1], key=key, title="") if alike else PanelRecipe(key))',
        "PanelRecipe(key)",
        (f"{_PANELS}::test_panels_keep_their_settings_when_others_come",),
    ),
    Mutation(
        "datasets/base/fingerprint.py",
        "for array in (dataset.X, dataset.y, dataset.target):",
        "for array in (dataset.X, dataset.target):",
        _DOCUMENT,
    ),
    Mutation(
        "pages/controls/training.py",
        'panel.method.kind != "trained" and panel.method.settings]',
        'panel.method.kind == "embedding" and panel.method.settings]',
        (f"{_PANELS}::test_every_setting_of_the_registry_has_its_widget",),
    ),
    Mutation(
        "pages/controls/comparison.py",
        "bool(comparison.prepared.held_out.any())",
        "True",
        (f"{_EXPLORE}::test_held_out_rows_are_spoken_of_only_where_there_are_some",),
    ),
    Mutation(
        "pages/server/trainings.py",
        "if unnamed_panel(started[key]) != unnamed_panel(own.recipe.panel(key)):",
        "if started[key] is None:",
        (_TRAININGS,),
    ),
    Mutation("pages/server/trainings.py", "iteration < len(snapshots)", "True", (_TRAININGS,)),
    Mutation("pages/server/trainings.py", '("running", "waiting")', '("running",)', (_TRAININGS,)),
    Mutation(
        "pages/server/measurements.py",
        "partial(solved, panel), panel, k)",
        "partial(solved, panel), panel)",
        (_TRAININGS,),
    ),
    Mutation("pages/server/measurements.py", "make, comparison, at))", "make, comparison))", (_TRAININGS,)),
    Mutation("pages/server/embeddings.py", "BoundedSemaphore(2)", "BoundedSemaphore(3)", _EMBEDDINGS),
    Mutation("pages/server/embeddings.py", "panel.X is self.panel.X and ", "", _EMBEDDINGS),
    Mutation(
        "pages/server/trainings.py",
        "return recipe.noise, recipe.preparation, recipe.n_components",
        "return recipe.noise, recipe.n_components",
        (_TRAININGS,),
    ),
    Mutation(
        "pages/server/workspace.py",
        "            if held.ours:\n                held.run.stop(timeout=0)",
        "            held.run.stop(timeout=0)",
        ("tests/pages/server/test_keep.py",),
    ),
    Mutation(
        "pages/server/trainings.py",
        "panel.trains and (starts is None or panel.key in starts)",
        "panel.trains",
        ("tests/pages/server/test_keep.py::test_one_panel_is_trained_and_taken_back_alone",),
    ),
    Mutation(
        "pages/server/trainings.py",
        "None if fresh else there.recipe",
        "there.recipe",
        ("tests/pages/test_compare.py::test_a_run_kept_on_explore_stands_on_compare",),
    ),
    Mutation(
        "pages/views/comparison_tables.py",
        "best = splits.best(name) if column.ranked else None",
        "best = splits.best(name)",
        ("tests/pages/views/test_fair_table.py",),
    ),
    Mutation(
        "pages/server/jobs.py",
        "if self._stop.is_set():\n            raise TrainingStopped",
        "if False:\n            raise TrainingStopped",
        ("tests/pages/server/test_jobs.py::test_work_that_has_no_result_yet_ends_too",),
    ),
    Mutation(
        "stage/streamlit_host.py",
        "np.isin(space.shown_rows, np.asarray(rows, dtype=int))",
        "np.isin(np.arange(len(space.shown_rows)), np.asarray(rows, dtype=int))",
        _COMPONENT,
    ),
)

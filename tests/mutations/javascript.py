"""What is broken on purpose in the stage's JavaScript; noticed in a real Chromium."""

from __future__ import annotations

from tests.mutations.mutation import Mutation

_RASTER = "tests/browser/test_stage_raster.py"
_MODULE = "tests/browser/test_stage_module.py"
_PANELS = "tests/browser/test_stage_panels.py"
_FEED = "tests/browser/test_stage_feed.py"
_AROUND = "tests/browser/test_stage_neighbourhood.py"
_CLOCK = "tests/browser/test_stage_clock.py"
_CURVES = "tests/browser/test_stage_curves.py"
_INTERACTION = "tests/browser/test_stage_interaction.py"
_SHORT_RUNS = ("tests/browser/test_stage_short_runs.py",)
_STORY = ("tests/browser/test_stage_story.py",)

JAVASCRIPT: tuple[Mutation, ...] = (
    Mutation("pages/stage/module/short_runs.js", "const MOVING = 0.8;", "const MOVING = 0.5;", _SHORT_RUNS),
    Mutation("pages/stage/module/history.js", "if (this.received > 1) this.shortRuns.end();", "", _SHORT_RUNS),
    Mutation(
        "pages/stage/module/stage.js",
        "this.views.recentre(this.panels);\n      this.redraw();",
        "this.views.recentre(this.panels);",
        (f"{_AROUND}::test_reset_fits_the_start_at_once_with_zoom_and_pan_as_at_first",),
    ),
    Mutation("pages/stage/module/curves.js", "BEFORE * width : 0", "0 * width : 0", _SHORT_RUNS),
    Mutation(
        "pages/stage/module/mount.js",
        'classList.toggle("old", Boolean(stage.scene))',
        'classList.toggle("old", false)',
        (f"{_FEED}::test_an_old_picture_is_called_so_until_the_new_one_is_there",),
    ),
    Mutation(
        "pages/stage/module/projection.js",
        "Y0[k] + t * (Y1[k] - Y0[k])",
        "Y1[k]",
        (f"{_MODULE}::test_a_frame_in_between_is_the_projection_by_the_blended_matrix",),
    ),
    Mutation(
        "pages/stage/module/projection.js",
        "Y[i * components + c] = frame[c * samples + i]",
        "Y[i * components + c] = frame[i * components + c]",
        (f"{_PANELS}::test_coordinates_are_drawn_and_blended_as_they_are",),
    ),
    Mutation(
        "pages/stage/module/interaction.js",
        "if (hidden.has(panel.labels[i])) continue;",
        "",
        (f"{_INTERACTION}::test_a_lasso_reports_the_points_inside_and_never_hidden_ones",),
    ),
    Mutation(
        "pages/stage/module/player.js",
        "const at = Math.min(this.position, history.last(this.clock));",
        "const at = history.last(this.clock);",
        (f"{_CLOCK}::test_by_iteration_each_panel_stands_at_the_position_or_at_its_own_last",),
    ),
    Mutation(
        "pages/stage/module/player.js",
        "if (!history || history.run === run) return;",
        "if (!history || history.run) return;",
        (f"{_PANELS}::test_a_run_that_is_replaced_begins_anew_and_the_others_stay",),
    ),
    Mutation(
        "pages/stage/module/status.js",
        '["1-NN: held-out rows", at.held_out_1nn]',
        '["1-NN: held-out rows", at.accuracy_1nn]',
        (f"{_PANELS}::test_each_live_panel_has_its_numbers_at_its_foot",),
    ),
    Mutation(
        "pages/stage/module/panel.js",
        "this.bar.show(this.scale / this.ratio / this.content.unit);",
        "this.bar.show((2 * scale) / this.ratio / this.content.unit);",
        (f"{_MODULE}::test_the_bar_is_as_long_as_it_says",),
    ),
    Mutation(
        "pages/stage/module/dots.js",
        "nearest[c] = Math.max(nearest[c], mark);",
        "nearest[c] = mark;",
        (f"{_RASTER}::test_very_many_points_make_the_same_picture_as_the_sorted_ones",),
    ),
    Mutation(
        "pages/stage/module/dots.js",
        "((depth * layer) | 0) * layers.sprites",
        "0",
        (f"{_RASTER}::test_very_many_points_make_the_same_picture_as_the_sorted_ones",),
    ),
    Mutation(
        "pages/stage/module/neighbourhood.js",
        "const SHARE = 0.9;",
        "const SHARE = 0.5;",
        (f"{_AROUND}::test_the_neighbourhood_equals_brute_force_over_the_training_rows",),
    ),
    Mutation(
        "pages/stage/module/neighbourhood.js",
        "j === i || heldOut[j] || labels[j] < 0",
        "j === i || labels[j] < 0",
        (f"{_AROUND}::test_the_neighbourhood_equals_brute_force_over_the_training_rows",),
    ),
    Mutation(
        "pages/stage/module/spotlight.js",
        "(2 * found.radius * panel.scale) / panel.ratio",
        "(found.radius * panel.scale) / panel.ratio",
        (f"{_AROUND}::test_the_circle_and_its_numbers_follow_the_picture_in_every_panel",),
    ),
    Mutation(
        "pages/stage/module/panel.js",
        "if (this.extent && this.stage.sameScale) return false;",
        "",
        (f"{_AROUND}::test_fitted_the_bar_shrinks_held_the_points_fly_apart",),
    ),
    Mutation(
        "pages/stage/module/panel.js",
        "if (anew) this.extent = 0;",
        "",
        (f"{_AROUND}::test_reset_fits_the_start_at_once_with_zoom_and_pan_as_at_first",),
    ),
    Mutation(
        "pages/stage/module/best.js",
        "snapshot.held_out_1nn > (best?.held_out_1nn ?? -Infinity)",
        "snapshot.held_out_1nn >= (best?.held_out_1nn ?? -Infinity)",
        (f"{_CURVES}::test_the_best_held_out_iteration_is_marked_and_gone_to",),
    ),
    Mutation(
        "pages/stage/module/best.js",
        "if (!scene?.heldOut.includes(1)) return null;",
        "",
        (f"{_CURVES}::test_without_held_out_rows_no_iteration_is_called_best",),
    ),
    Mutation(
        "pages/stage/module/toolbar.js",
        "best.snapshot[player.clock] / (last || 1)",
        "best.snapshot.iteration / (last || 1)",
        (f"{_CURVES}::test_by_seconds_the_mark_stands_at_its_seconds",),
    ),
    Mutation(
        "pages/stage/module/chart_axis.js",
        "const start = from ?? a;",
        "const start = a;",
        (f"{_CURVES}::test_ticks_are_round_and_the_axis_holds_the_values",),
    ),
    Mutation(
        "pages/stage/module/history.js",
        "const omega = 2 / smooth",
        "const omega = 20 / smooth",
        (f"{_MODULE}::test_where_snapshots_are_slow_the_motion_fills_the_time_and_is_eased",),
    ),
    Mutation(
        "pages/stage/module/summary.js",
        "(height / 2 - y / count) / half",
        "(y / count - height / 2) / half",
        ("tests/browser/test_stage_accessible.py::test_a_panel_says_in_words_where_its_classes_lie_and_follows",),
    ),
    Mutation("pages/stage/module/moment.js", "if (labels[i] >= 0 && !heldOut[i])", "if (labels[i] >= 0)", _STORY),
    Mutation("pages/stage/module/moment.js", "unit / growth) : NaN", "unit) : NaN", _STORY),
    Mutation("pages/stage/module/moment.js", "A[k] * A[k] * variance[k % columns]", "A[k] * A[k]", _STORY),
    Mutation("pages/stage/module/story.js", "SAME_K = Math.log(1.1)", "SAME_K = Math.log(1.01)", _STORY),
    Mutation(
        "pages/stage/module/story.js", 'change > 0 ? "farther apart" : "closer together"', '"farther apart"', _STORY
    ),
    Mutation("pages/stage/module/story.js", "< Math.log(1 + TRUSTED)", "< Infinity", _STORY),
    Mutation("pages/stage/module/story.js", "if (byScale <= 1 - MOSTLY)", "if (false)", _STORY),
    Mutation(
        "pages/stage/module/moment.js",
        "MOST_ROWS = 3000",
        "MOST_ROWS = 2000",
        ("tests/browser/test_stage_story.py::test_of_many_rows_every_so_manieth_is_asked",),
    ),
    Mutation(
        "pages/stage/module/moment.js",
        "SAMPLE = 2000",
        "SAMPLE = 1000",
        ("tests/browser/test_stage_story.py::test_of_many_rows_every_so_manieth_is_asked",),
    ),
    Mutation(
        "pages/stage/module/moment.js",
        "MOST_PAIRS = 120_000",
        "MOST_PAIRS = 60_000",
        ("tests/browser/test_stage_story.py::test_of_many_rows_every_so_manieth_is_asked",),
    ),
    Mutation(
        "pages/stage/module/story.js",
        "MOST_PANELS = 3",
        "MOST_PANELS = 9",
        ("tests/browser/test_stage_story.py::test_of_many_live_panels_three_are_told",),
    ),
)

"""What is broken on purpose in the stage's JavaScript."""

from __future__ import annotations

from tests.mutations.mutation import Mutation

_SUMS = "tests/stage/test_neighbourhood.py"
_PLAYER = "tests/stage/test_player.py"
_MODULE = "tests/browser/test_stage_modules.py"
_PANELS = "tests/browser/test_stage_panels.py"
_FEED = "tests/browser/test_stage_feed.py"
_AROUND = "tests/browser/test_stage_spotlight.py"
_SHORT_RUN_PANEL = f"{_PANELS}::test_short_runs_are_shown_before_the_training_goes_on"
_INTERACTION = "tests/browser/test_stage_interaction.py"
_SHORT_RUNS = (_PLAYER,)
_STORY = ("tests/stage/test_story.py",)

JAVASCRIPT: tuple[Mutation, ...] = (
    Mutation("stage/module/history.js", "const MOVING = 0.8;", "const MOVING = 0.5;", _SHORT_RUNS),
    Mutation("stage/module/history.js", "if (this.received > 1) this.shortRuns.end();", "", _SHORT_RUNS),
    Mutation(
        "stage/module/stage.js",
        "this.views.recentre(this.panels);\n      this.redraw();",
        "this.views.recentre(this.panels);",
        (f"{_AROUND}::test_reset_fits_the_start_at_once_with_zoom_and_pan_as_at_first",),
    ),
    Mutation("stage/module/curves.js", "BEFORE * width : 0", "0 * width : 0", (_SHORT_RUN_PANEL,)),
    Mutation(
        "stage/module/mount.js",
        'classList.toggle("old", Boolean(stage.scene))',
        'classList.toggle("old", false)',
        (f"{_FEED}::test_an_old_picture_is_called_so_until_the_new_one_is_there",),
    ),
    Mutation(
        "stage/module/projection.js",
        "Y0[k] + t * (Y1[k] - Y0[k])",
        "Y1[k]",
        (f"{_MODULE}::test_a_frame_in_between_is_the_projection_by_the_blended_matrix",),
    ),
    Mutation(
        "stage/module/projection.js",
        "Y[i * components + c] = frame[c * samples + i]",
        "Y[i * components + c] = frame[i * components + c]",
        (f"{_PANELS}::test_coordinates_are_drawn_and_blended_as_they_are",),
    ),
    Mutation(
        "stage/module/interaction.js",
        "if (hidden.has(panel.labels[i])) continue;",
        "",
        (f"{_INTERACTION}::test_a_lasso_reports_the_points_inside_and_never_hidden_ones",),
    ),
    Mutation(
        "stage/module/player.js",
        "const at = Math.min(this.position, history.last(this.clock));",
        "const at = history.last(this.clock);",
        (_PLAYER,),
    ),
    Mutation(
        "stage/module/player.js",
        "if (!history || history.run === run) return;",
        "if (!history || history.run) return;",
        (_PLAYER,),
    ),
    Mutation(
        "stage/module/toolbar.js",
        '["1-NN: held-out rows", at.held_out_1nn, "%"]',
        '["1-NN: held-out rows", at.accuracy_1nn, "%"]',
        (f"{_PANELS}::test_numbers_clock_and_lines_of_several_live_panels",),
    ),
    Mutation(
        "stage/module/panel.js",
        "this.bar.show(this.scale / this.ratio / this.content.unit);",
        "this.bar.show((2 * this.scale) / this.ratio / this.content.unit);",
        (f"{_MODULE}::test_the_bar_is_as_long_as_it_says",),
    ),
    Mutation(
        "stage/module/raster.js",
        "((buckets[k] * layers.count) >> BITS) * layers.sprites",
        "0",
        ("tests/stage/test_raster.py",),
    ),
    Mutation("stage/module/panel.js", "same(frames, this.blended)) {", "this.blended) {", (f"{_MODULE}",)),
    Mutation(
        "stage/module/neighbourhood.js",
        "const SHARE = 0.9;",
        "const SHARE = 0.5;",
        (_SUMS,),
    ),
    Mutation(
        "stage/module/neighbourhood.js",
        "if (!heldOut[j] && labels[j] >= 0)",
        "if (labels[j] >= 0)",
        (_SUMS,),
    ),
    Mutation(
        "stage/module/spotlight.js",
        "(2 * found.radius * panel.scale) / panel.ratio",
        "(found.radius * panel.scale) / panel.ratio",
        (f"{_AROUND}::test_the_circle_and_its_numbers_follow_the_picture_in_every_panel",),
    ),
    Mutation(
        "stage/module/panel.js",
        "if (this.extent && this.stage.sameScale) return false;",
        "",
        (f"{_AROUND}::test_fitted_the_bar_shrinks_held_the_points_fly_apart",),
    ),
    Mutation(
        "stage/module/panel.js",
        "if (anew) this.extent = 0;",
        "",
        (f"{_AROUND}::test_reset_fits_the_start_at_once_with_zoom_and_pan_as_at_first",),
    ),
    Mutation(
        "stage/module/history.js",
        "snapshot.held_out_1nn > (best?.held_out_1nn ?? -Infinity)",
        "snapshot.held_out_1nn >= (best?.held_out_1nn ?? -Infinity)",
        (_PLAYER,),
    ),
    Mutation(
        "stage/module/history.js",
        "if (!scene?.heldOut.includes(1)) return null;",
        "",
        (_PLAYER,),
    ),
    Mutation(
        "stage/module/toolbar.js",
        "best.snapshot[player.clock] / (last || 1)",
        "best.snapshot.iteration / (last || 1)",
        (f"{_PANELS}::test_the_best_held_out_iteration_is_marked_and_gone_to",),
    ),
    Mutation(
        "stage/module/curves.js",
        "const start = from ?? a;",
        "const start = a;",
        ("tests/stage/test_words_and_axes.py",),
    ),
    Mutation(
        "stage/module/history.js",
        "const omega = 2 / smooth",
        "const omega = 20 / smooth",
        (_PLAYER,),
    ),
    Mutation(
        "stage/module/story.js",
        "(height / 2 - y / count) / half",
        "(y / count - height / 2) / half",
        ("tests/browser/test_stage_accessible.py::test_a_panel_says_in_words_where_its_classes_lie_and_follows",),
    ),
    Mutation("stage/module/story.js", "rows.length / SAMPLE", "rows.length / 1000", _STORY),
    Mutation("stage/module/story.js", "k(unit / growth)", "k(unit)", _STORY),
    Mutation("stage/module/story.js", "A[k] * A[k] * variance[k % columns]", "A[k] * A[k]", _STORY),
    Mutation("stage/module/story.js", "SAME_K = Math.log(1.1)", "SAME_K = Math.log(1.01)", _STORY),
    Mutation("stage/module/story.js", 'change > 0 ? "farther apart" : "closer together"', '"farther apart"', _STORY),
    Mutation("stage/module/story.js", "< Math.log(1 + TRUSTED)", "< Infinity", _STORY),
    Mutation("stage/module/story.js", "if (byScale <= 1 - MOSTLY)", "if (false)", _STORY),
    Mutation(
        "stage/module/story.js",
        "MOST_ROWS = 3000",
        "MOST_ROWS = 2000",
        _STORY,
    ),
    Mutation(
        "stage/module/story.js",
        "SAMPLE = 2000",
        "SAMPLE = 1000",
        _STORY,
    ),
    Mutation(
        "stage/module/story.js",
        "MOST_PAIRS = 120_000",
        "MOST_PAIRS = 60_000",
        _STORY,
    ),
    Mutation(
        "stage/module/story.js",
        "MOST_PANELS = 3",
        "MOST_PANELS = 9",
        (f"{_PANELS}::test_of_many_live_panels_three_are_told_and_the_story_follows_the_scrubber",),
    ),
    Mutation(
        "stage/module/panel.js",
        "+ 2 * heldOut[i] +",
        "+",
        (f"{_INTERACTION}::test_held_out_points_are_hollow_and_named_so_and_no_others",),
    ),
    Mutation(
        "stage/module/rows.js",
        '${scene.heldOut[i] ? ", held out" : ""}`));',
        ", held out`));",
        (f"{_INTERACTION}::test_held_out_points_are_hollow_and_named_so_and_no_others",),
    ),
    Mutation(
        "stage/module/palette.js",
        "`${shape} ${radius} ${reach}`",
        "`${shape} ${radius}`",
        ("tests/stage/test_palette.py",),
    ),
    Mutation(
        "stage/module/palette.js",
        "Math.max(0.6, radius * 0.16)",
        "Math.max(0.6, radius * 0.3)",
        ("tests/stage/test_palette.py",),
    ),
    Mutation(
        "stage/palette.py",
        "0.5 - (distance - rim)",
        "0.5 - distance",
        ("tests/stage/test_palette.py",),
    ),
)

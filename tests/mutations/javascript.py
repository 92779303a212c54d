"""What is broken on purpose in the stage's JavaScript."""

from __future__ import annotations

from tests.mutations.mutation import Mutation, mutations

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
    *mutations(
        "stage/module/history.js",
        _SHORT_RUNS,
        ("const MOVING = 0.8;", "const MOVING = 0.5;"),
        ("if (this.received > 1) this.shortRuns.end();", ""),
    ),
    *mutations(
        "stage/module/stage.js",
        f"{_AROUND}::test_reset_fits_the_start_at_once_with_zoom_and_pan_as_at_first",
        ("this.views.recentre(this.panels);\n      this.redraw();", "this.views.recentre(this.panels);"),
    ),
    *mutations("stage/module/curves.js", _SHORT_RUN_PANEL, ("BEFORE * width : 0", "0 * width : 0")),
    *mutations(
        "stage/module/mount.js",
        f"{_FEED}::test_an_old_picture_is_called_so_until_the_new_one_is_there",
        ('classList.toggle("old", Boolean(stage.scene))', 'classList.toggle("old", false)'),
    ),
    *mutations(
        "stage/module/projection.js",
        f"{_MODULE}::test_a_frame_in_between_is_the_projection_by_the_blended_matrix",
        ("Y0[k] + t * (Y1[k] - Y0[k])", "Y1[k]"),
    ),
    *mutations(
        "stage/module/projection.js",
        f"{_PANELS}::test_coordinates_are_drawn_and_blended_as_they_are",
        ("Y[i * components + c] = frame[c * samples + i]", "Y[i * components + c] = frame[i * components + c]"),
    ),
    *mutations(
        "stage/module/interaction.js",
        f"{_INTERACTION}::test_a_lasso_reports_the_points_inside_and_never_hidden_ones",
        ("if (hidden.has(panel.labels[i])) continue;", ""),
    ),
    *mutations(
        "stage/module/player.js",
        _PLAYER,
        ("const at = Math.min(this.position, history.last(this.clock));", "const at = history.last(this.clock);"),
        ("if (!history || history.run === run) return;", "if (!history || history.run) return;"),
    ),
    *mutations(
        "stage/module/toolbar.js",
        f"{_PANELS}::test_numbers_clock_and_lines_of_several_live_panels",
        ('["1-NN: held-out rows", at.held_out_1nn, "%"]', '["1-NN: held-out rows", at.accuracy_1nn, "%"]'),
    ),
    *mutations(
        "stage/module/panel.js",
        f"{_MODULE}::test_the_bar_is_as_long_as_it_says",
        (
            "this.bar.show(this.scale / this.ratio / this.content.unit);",
            "this.bar.show((2 * this.scale) / this.ratio / this.content.unit);",
        ),
    ),
    *mutations(
        "stage/module/raster.js",
        "tests/stage/test_raster.py",
        ("((buckets[k] * layers.count) >> BITS) * layers.sprites", "0"),
    ),
    *mutations("stage/module/panel.js", f"{_MODULE}", ("same(frames, this.blended)) {", "this.blended) {")),
    *mutations(
        "stage/module/neighbourhood.js",
        _SUMS,
        ("const SHARE = 0.9;", "const SHARE = 0.5;"),
        ("if (!heldOut[j] && labels[j] >= 0)", "if (labels[j] >= 0)"),
    ),
    *mutations(
        "stage/module/spotlight.js",
        f"{_AROUND}::test_the_circle_and_its_numbers_follow_the_picture_in_every_panel",
        ("(2 * found.radius * panel.scale) / panel.ratio", "(found.radius * panel.scale) / panel.ratio"),
    ),
    *mutations(
        "stage/module/panel.js",
        f"{_AROUND}::test_fitted_the_bar_shrinks_held_the_points_fly_apart",
        ("if (this.extent && this.stage.sameScale) return false;", ""),
    ),
    *mutations(
        "stage/module/panel.js",
        f"{_AROUND}::test_reset_fits_the_start_at_once_with_zoom_and_pan_as_at_first",
        ("if (anew) this.extent = 0;", ""),
    ),
    *mutations(
        "stage/module/history.js",
        _PLAYER,
        (
            "snapshot.held_out_1nn > (best?.held_out_1nn ?? -Infinity)",
            "snapshot.held_out_1nn >= (best?.held_out_1nn ?? -Infinity)",
        ),
        ("if (!scene?.heldOut.includes(1)) return null;", ""),
        ("const omega = 2 / smooth", "const omega = 20 / smooth"),
    ),
    *mutations(
        "stage/module/toolbar.js",
        f"{_PANELS}::test_the_best_held_out_iteration_is_marked_and_gone_to",
        ("best.snapshot[player.clock] / (last || 1)", "best.snapshot.iteration / (last || 1)"),
    ),
    *mutations(
        "stage/module/curves.js", "tests/stage/test_words_and_axes.py", ("const start = from ?? a;", "const start = a;")
    ),
    *mutations(
        "stage/module/story.js",
        "tests/browser/test_stage_accessible.py::test_a_panel_says_in_words_where_its_classes_lie_and_follows",
        ("(height / 2 - y / count) / half", "(y / count - height / 2) / half"),
    ),
    *mutations(
        "stage/module/story_numbers.js",
        _STORY,
        ("rows.length / SAMPLE", "rows.length / 1000"),
        ("k(unit / growth)", "k(unit)"),
        ("A[k] * A[k] * variance[k % columns]", "A[k] * A[k]"),
        ("MOST_ROWS = 3000", "MOST_ROWS = 2000"),
        ("SAMPLE = 2000", "SAMPLE = 1000"),
        ("MOST_PAIRS = 120_000", "MOST_PAIRS = 60_000"),
    ),
    *mutations(
        "stage/module/story.js",
        _STORY,
        ("SAME_K = Math.log(1.1)", "SAME_K = Math.log(1.01)"),
        ('change > 0 ? "farther apart" : "closer together"', '"farther apart"'),
        ("< Math.log(1 + TRUSTED)", "< Infinity"),
        ("if (byScale <= 1 - MOSTLY)", "if (false)"),
    ),
    *mutations(
        "stage/module/story.js",
        f"{_PANELS}::test_of_many_live_panels_three_are_told_and_the_story_follows_the_scrubber",
        ("MOST_PANELS = 3", "MOST_PANELS = 9"),
    ),
    *mutations(
        "stage/module/phases.js",
        "tests/stage/test_phases.py",
        ("if (!kind || (current && this.score(current) >= 1)) return;", "if (!kind) return;"),
        ("number: before.number", "number: now.number"),
        ("this.told.every((phase) => phase.kind !== kind)", "true"),
        (">= GOING_ON * change ? change : 0", ">= 0 ? change : 0"),
    ),
    *mutations(
        "stage/module/player.js",
        "tests/stage/test_player.py::test_a_replay_pauses_where_a_phase_begins_if_asked",
        ("at > before && at <= to", "at >= before && at <= to"),
    ),
    *mutations(
        "stage/module/panel.js",
        f"{_INTERACTION}::test_held_out_points_are_hollow_and_named_so_and_no_others",
        ("+ 2 * heldOut[i] +", "+"),
    ),
    *mutations(
        "stage/module/rows.js",
        f"{_INTERACTION}::test_held_out_points_are_hollow_and_named_so_and_no_others",
        ('${scene.heldOut[i] ? ", held out" : ""}`));', ", held out`));"),
    ),
    *mutations(
        "stage/module/palette.js",
        "tests/stage/test_palette.py",
        ("`${shape} ${radius} ${reach}`", "`${shape} ${radius}`"),
        ("Math.max(0.6, radius * 0.16)", "Math.max(0.6, radius * 0.3)"),
    ),
    *mutations("stage/palette.py", "tests/stage/test_palette.py", ("0.5 - (distance - rim)", "0.5 - distance")),
    *mutations(
        "stage/module/rows.js",
        f"{_INTERACTION}::test_selected_points_stand_where_the_story_does_until_they_are_let_go",
        ('const held = scene.heldOut[i] ? ", held out" : "";', 'const held = ", held out";'),
    ),
    *mutations(
        "stage/module/point_view.js",
        "tests/browser/test_stage_questions.py::"
        "test_the_neighbours_of_a_point_are_listed_panel_by_panel_and_follow_the_frames",
        ('${scene.heldOut[i] ? "held out, " : ""}', "held out, "),
    ),
)

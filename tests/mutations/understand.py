"""What is broken on purpose in the answers to questions: why here, which metric, which K, which optimum."""

from __future__ import annotations

from tests.mutations.mutation import Mutation

_LINES = "tests/browser/test_stage_questions.py"
_QUESTIONS = "tests/browser/test_stage_questions.py"
_POINT = ("tests/study/test_one_point.py",)
_K = ("tests/study/test_k_curve.py",)
_OPTIMA = ("tests/study/test_optima.py",)
_COPING = ("tests/study/test_coping.py",)
_PAGE = "tests/pages/test_understand.py"
_STAGE = "stage/module/"
_SUMS = "tests/stage/test_neighbourhood.py"

UNDERSTAND: tuple[Mutation, ...] = (
    Mutation(f"{_STAGE}neighbourhood.js", "p: weights[s] / all", "p: weights[s]", (_SUMS,)),
    Mutation(
        f"{_STAGE}neighbourhood.js", "parts[f] += delta[f] * A[c * columns + f] * along", "parts[f] += along", (_SUMS,)
    ),
    Mutation(
        f"{_STAGE}spotlight.js",
        'same ? "same" : "other"',
        'same ? "other" : "same"',
        (f"{_LINES}::test_lines_lead_to_the_most_probable_neighbours_in_every_panel_at_every_frame",),
    ),
    Mutation(
        f"{_STAGE}panel.js",
        "t, new Float32Array",
        "1, new Float32Array",
        (f"{_QUESTIONS}::test_the_heat_map_is_the_metric_at_every_frame",),
    ),
    Mutation(
        f"{_STAGE}matrix.js",
        "A[c * columns + features[a]] * A[c * columns + features[b]]",
        "Math.abs(A[c * columns + features[a]] * A[c * columns + features[b]])",
        (f"{_QUESTIONS}::test_the_heat_map_is_the_metric_at_every_frame",),
    ),
    Mutation(
        f"{_STAGE}arrows.js",
        "A[c * columns + f]));",
        "A[f * scene.components + c]));",
        (f"{_QUESTIONS}::test_arrows_and_the_ellipse_are_those_of_a_at_every_frame_and_as_many_as_asked_for",),
    ),
    Mutation(
        f"{_STAGE}metric_view.js",
        "this.M[a * n + other], this.M[other * n + other]",
        "this.M[a * n + other], this.M[a * n + a]",
        (f"{_QUESTIONS}::test_arrows_and_the_ellipse_are_those_of_a_at_every_frame_and_as_many_as_asked_for",),
    ),
    Mutation(
        f"{_STAGE}arrows.js",
        ".find(free)",
        "[0]",
        (f"{_QUESTIONS}::test_names_of_arrows_stay_in_the_panel_and_off_one_another",),
    ),
    Mutation(
        f"{_STAGE}matrix.js",
        "((value - now) * mu[f]) / square",
        "(value - now) * mu[f]",
        ("tests/browser/test_stage_questions.py",),
    ),
    Mutation("study/coping.py", "apart <= ALIKE and abs(gain)", "abs(gain)", _COPING),
    Mutation("study/one_point.py", "train = train[train != row]", "train = train.copy()", _POINT),
    Mutation("study/one_point.py", "others = train[train != row]", "others = train", _POINT),
    Mutation("study/one_point.py", "int(np.count_nonzero(p < MOSTLY))", "len(least)", _POINT),
    Mutation(
        "study/k_curve.py",
        "codes = y[train][NearestNeighbours(Y[train]).of(Y[new], largest)]",
        "codes = y[new][NearestNeighbours(Y[new]).of(Y[new], largest)]",
        _K,
    ),
    Mutation("study/k_curve.py", "if most - here <= error:", "if True:", _K),
    Mutation(
        "study/metric_history.py", "values >= FLAT * values[0]", "values > 0", ("tests/study/test_metric_history.py",)
    ),
    Mutation("study/optima.py", "* trial.scale\n", "\n", _OPTIMA),
    Mutation("study/landscape.py", "2.0 - 2.0 * overlap", "2.0 - overlap", _OPTIMA),
    Mutation("study/landscape.py", "np.linalg.qr(X - X.mean(axis=0)", "np.linalg.qr(X", _OPTIMA),
    Mutation("study/landscape.py", "(A @ factor.T) @ (B @ factor.T).T", "A @ B.T", _OPTIMA),
    Mutation("study/landscape.py", ">= lower - AS_GOOD for step", ">= 0 for step", _OPTIMA),
    Mutation("study/landscape.py", "to = turned_onto(A, B, self._factor)", "to = B", _OPTIMA),
    Mutation("study/landscape.py", "<= AS_GOOD]", "<= 1]", _OPTIMA),
    Mutation("study/optima.py", "comparison.prepared.held_out[evaluated].all()", "True", _OPTIMA),
    Mutation("study/optima.py", "one.predicted == best)", "one.predicted == self.right)", _OPTIMA),
    Mutation("study/landscape.py", "to = turned_onto(A, B, spread(comparison, key))", "to = B", _OPTIMA),
    Mutation("study/coping.py", "at.transformation @ centred", "at.transformation", _COPING),
    Mutation(
        "pages/server/trainings.py",
        "initial = None if starts is None else starts[panel.key]",
        "initial = None",
        (f"{_PAGE}::test_many_starts_are_tried_and_one_is_shown_on_the_stage",),
    ),
    Mutation(
        "stage/streamlit_host.py",
        "(space.scene_version, point[0])",
        '(space.scene_version, pinned.get("wish"))',
        ("tests/stage/test_streamlit_host.py",),
    ),
    Mutation(
        "pages/controls/point.py",
        "held.row_number if held.data == space.document.recipe.data else None",
        "held.row_number",
        (f"{_PAGE}::test_what_is_pressed_counts_until_the_page_asks_for_another_row",),
    ),
    Mutation(
        "study/coping.py", "weights = then.back_to_features(at.transformation)", "weights = at.transformation", _COPING
    ),
    Mutation("study/coping.py", "and apart <= _SAME * np.abs(meant).max()", "", _COPING),
    Mutation("study/features.py", "preparation, dataset.y)", "preparation)", _COPING),
    Mutation("study/coping.py", "else ready.as_given", "else space.y", _COPING),
    Mutation("study/coping.py", "* ready.raw.X[ready.train].var(axis=0)", "", _COPING),
    Mutation("study/coping.py", "before.held_out_1nn - _Z * error", "before.held_out_1nn - 9 * error", _COPING),
    Mutation(
        "pages/server/trainings.py",
        "    carried_out(dataset, noise, own.recipe.preparation)\n",
        "",
        ("tests/pages/test_cope.py::test_what_the_noise_lab_refuses_leaves_trainings_and_recipe_as_they_are",),
    ),
    Mutation(
        "pages/controls/point.py",
        "snapshots[min(at, len(snapshots) - 1)]",
        "snapshots[-1]",
        (f"{_PAGE}::test_every_rule_says_what_it_takes_the_row_for",),
    ),
    Mutation(
        "study/optima.py",
        "mean_p = scale_at(comparison, key, end)[0]",
        "mean_p = end.mean_p",
        ("tests/study/test_optima.py::test_f_is_told_of_every_training_also_of_one_that_leaves_it_out_on_its_way",),
    ),
    Mutation(
        "study/measure.py",
        "return Evaluator(panel.X[rows], y, target_similarity=similarity, targets=targets)",
        "return Evaluator(panel.X[rows], y)",
        ("tests/study/test_optima.py::test_of_a_label_of_numbers_the_ends_of_a_line_are_what_was_reached",),
    ),
)

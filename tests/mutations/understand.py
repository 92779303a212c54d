"""What is broken on purpose in the answers to questions: why here, which metric, which K, which optimum."""

from __future__ import annotations

from tests.mutations.mutation import Mutation, mutations

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
    *mutations(
        f"{_STAGE}neighbourhood.js",
        _SUMS,
        ("p: weights[s] / all", "p: weights[s]"),
        ("parts[f] += delta[f] * A[c * columns + f] * along", "parts[f] += along"),
    ),
    *mutations(
        f"{_STAGE}spotlight.js",
        f"{_LINES}::test_lines_lead_to_the_most_probable_neighbours_in_every_panel_at_every_frame",
        ('same ? "same" : "other"', 'same ? "other" : "same"'),
    ),
    *mutations(
        f"{_STAGE}panel.js",
        f"{_QUESTIONS}::test_the_heat_map_is_the_metric_at_every_frame",
        ("t, new Float32Array", "1, new Float32Array"),
    ),
    *mutations(
        f"{_STAGE}matrix.js",
        f"{_QUESTIONS}::test_the_heat_map_is_the_metric_at_every_frame",
        (
            "A[c * columns + features[a]] * A[c * columns + features[b]]",
            "Math.abs(A[c * columns + features[a]] * A[c * columns + features[b]])",
        ),
    ),
    *mutations(
        f"{_STAGE}arrows.js",
        f"{_QUESTIONS}::test_arrows_and_the_ellipse_are_those_of_a_at_every_frame_and_as_many_as_asked_for",
        ("A[c * columns + f]));", "A[f * scene.components + c]));"),
    ),
    *mutations(
        f"{_STAGE}metric_view.js",
        f"{_QUESTIONS}::test_arrows_and_the_ellipse_are_those_of_a_at_every_frame_and_as_many_as_asked_for",
        ("this.M[a * n + other], this.M[other * n + other]", "this.M[a * n + other], this.M[a * n + a]"),
    ),
    *mutations(
        f"{_STAGE}arrows.js",
        f"{_QUESTIONS}::test_names_of_arrows_stay_in_the_panel_and_off_one_another",
        (".find(free)", "[0]"),
    ),
    *mutations(
        f"{_STAGE}matrix.js",
        "tests/browser/test_stage_questions.py",
        ("((value - now) * mu[f]) / square", "(value - now) * mu[f]"),
    ),
    *mutations(
        "study/coping.py",
        _COPING,
        ("apart <= ALIKE and abs(gain)", "abs(gain)"),
        ("at.transformation @ centred", "at.transformation"),
        ("weights = then.back_to_features(at.transformation)", "weights = at.transformation"),
        ("and apart <= _SAME * np.abs(meant).max()", ""),
        ("else ready.as_given", "else space.y"),
        ("* ready.raw.X[ready.train].var(axis=0)", ""),
        ("for one in (now, anew)]", "for one in (now, now)]"),
    ),
    *mutations(
        "study/one_point.py",
        _POINT,
        ("train = train[train != row]", "train = train.copy()"),
        ("others = train[train != row]", "others = train"),
        ("int(np.count_nonzero(p < MOSTLY))", "len(least)"),
    ),
    *mutations(
        "study/k_curve.py",
        _K,
        ("(new, nearest.of(Y[new], largest)) if len(new)", "(train, None) if len(new)"),
        ("if test.answer is Conclusion.BETTER:", "if False:"),
        ("if test.answer is Conclusion.WITHIN_MARGIN:", "if False:"),
    ),
    *mutations(
        "study/metric_history.py", "tests/study/test_metric_history.py", ("values >= FLAT * values[0]", "values > 0")
    ),
    *mutations(
        "study/optima.py",
        _OPTIMA,
        ("* trial.scale\n", "\n"),
        ("comparison.prepared.held_out[evaluated].all()", "True"),
        ("one.predicted == best)", "one.predicted == self.right)"),
    ),
    *mutations(
        "study/landscape.py",
        _OPTIMA,
        ("2.0 - 2.0 * overlap", "2.0 - overlap"),
        ("np.linalg.qr(X - X.mean(axis=0)", "np.linalg.qr(X"),
        ("(A @ factor.T) @ (B @ factor.T).T", "A @ B.T"),
        (">= lower - AS_GOOD for step", ">= 0 for step"),
        ("to = turned_onto(A, B, self._factor)", "to = B"),
        ("<= AS_GOOD]", "<= 1]"),
        ("to = turned_onto(A, B, factor_of_rows(comparison, key))", "to = B"),
    ),
    *mutations(
        "pages/server/trainings.py",
        f"{_PAGE}::test_many_starts_are_tried_and_one_is_shown_on_the_stage",
        ("initial = None if starts is None else starts[panel.key]", "initial = None"),
    ),
    *mutations(
        "stage/streamlit_host.py",
        "tests/stage/test_streamlit_host.py",
        ("(space.scene_version, point[0])", '(space.scene_version, pinned.get("wish"))'),
    ),
    *mutations(
        "pages/controls/point.py",
        f"{_PAGE}::test_what_is_pressed_counts_until_the_page_asks_for_another_row",
        ("held.row_number if held.data == space.document.recipe.data else None", "held.row_number"),
    ),
    *mutations("study/features.py", _COPING, ("preparation, dataset.y)", "preparation)")),
    *mutations(
        "pages/server/trainings.py",
        "tests/pages/test_cope.py::test_what_the_noise_lab_refuses_leaves_trainings_and_recipe_as_they_are",
        ("    carried_out(dataset, noise, own.recipe.preparation)\n", ""),
    ),
    *mutations(
        "pages/controls/point.py",
        f"{_PAGE}::test_every_rule_says_what_it_takes_the_row_for",
        ("snapshots[min(at, len(snapshots) - 1)]", "snapshots[-1]"),
    ),
    *mutations(
        "study/optima.py",
        "tests/study/test_optima.py::test_f_is_told_of_every_training_also_of_one_that_leaves_it_out_on_its_way",
        ("mean_p = scale_at(comparison, key, end)[0]", "mean_p = end.mean_p"),
    ),
    *mutations(
        "study/measure.py",
        "tests/study/test_optima.py::test_of_a_label_of_numbers_the_ends_of_a_line_are_what_was_reached",
        (
            "return Evaluator(panel.X[rows], y, target_similarity=similarity, targets=targets)",
            "return Evaluator(panel.X[rows], y)",
        ),
    ),
)

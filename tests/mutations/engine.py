"""What is broken on purpose in nca_core, but for the sums over neighbours."""

from __future__ import annotations

from tests.mutations.mutation import Mutation, mutations

_METHODS = "tests/nca_core/methods"
_SOLVED = f"{_METHODS}/test_solved.py"
_KERNELS = "tests/nca_core/test_kernel_features.py"
_MEASURE = "tests/study/test_measure.py"
_TRAINED_ITERATIONS = f"{_MEASURE}::test_several_iterations_of_a_trained_panel"

_MANY = "tests/nca_core/neighbours/pairs/test_many_dimensions.py"
_SPARSE = "tests/nca_core/test_sparse.py"

_BEST_START = "tests/nca_core/test_best_start.py"
_SHORT_RUNS = f"{_BEST_START}::test_a_training_reports_what_was_tried_and_goes_on_from_the_best"

ENGINE: tuple[Mutation, ...] = (
    *mutations(
        "nca_core/training/warm_up.py",
        "tests/nca_core/test_first_call.py",
        ('in_one, summation="spectral"', 'in_one, summation="dense"'),
    ),
    *mutations(
        "nca_core/features/validation.py",
        "tests/nca_core/test_estimator.py::test_negative_labels_are_classes_in_every_door",
        ("codes[(codes < 0) & (codes != UNLABELLED)] += 2 * _BEYOND_CODES", "pass"),
    ),
    *mutations(
        "nca_core/estimators/checks.py",
        "tests/nca_core/test_estimator.py::test_a_point_without_a_label_is_a_neighbour_in_every_door",
        ("alone = y == UNLABELLED if", "alone = y == 1.5 if"),
    ),
    *mutations(
        "study/fitting.py",
        "tests/study/test_compare.py::test_rows_without_a_label_are_neighbours_to_all",
        ("np.where(y == BLANK, UNLABELLED, y)", "y"),
    ),
    *mutations("nca_core/training/starts.py", _SHORT_RUNS, ("(*smooth, *sharp)", "tuple(sharp)")),
    *mutations("nca_core/training/nca.py", _SHORT_RUNS, ("frozen(at.transformation / spread)", "at.transformation")),
    *mutations(
        "nca_core/training/run.py",
        f"{_BEST_START}::test_a_run_waits_at_its_start_until_the_short_runs_were_shown",
        ("interval += SECONDS_A_START * len(snapshot.starts)", "pass"),
    ),
    *mutations(
        "nca_core/features/rows.py",
        f"{_SPARSE}::test_deviations_and_axes_are_the_dense_ones",
        ("+ (n - stored) * self.mean**2", "+ 0 * stored"),
        ("X @ v.ravel() - mean @ v.ravel()", "X @ v.ravel()"),
    ),
    *mutations(
        "nca_core/features/rows.py",
        f"{_SPARSE}::test_an_evaluation_is_the_dense_one",
        ("self._X[order].astype(dtype, copy=False)", "self._X.astype(dtype, copy=False)"),
    ),
    *mutations(
        "nca_core/features/rows.py",
        f"{_MANY}::test_a_gradient_with_many_rows_is_cut_by_its_rows",
        (
            "np.matmul(d_Y[start:stop].astype(X.dtype, copy=False), X, out=result[start:stop])",
            "np.matmul(d_Y[: stop - start].astype(X.dtype, copy=False), X, out=result[start:stop])",
        ),
    ),
    *mutations(
        "nca_core/objectives/evaluator.py",
        "tests/nca_core/test_never_below.py::test_where_an_objective_rises_with_size_for_certain_it_does",
        ("p * (partners + 1.0) >= partners", "p >= 0.5"),
    ),
    *mutations(
        "nca_core/estimators/start.py",
        "tests/nca_core/test_estimator.py::test_an_lda_start_of_more_axes_than_the_classes_span_is_completed",
        ("n_components >= len(np.unique(codes))", "n_components > len(np.unique(codes)) + 9"),
    ),
    *mutations(
        "nca_core/features/covariance.py",
        "tests/nca_core/test_covariance.py",
        ("deviations.T @ deviations / len(X))", "deviations.T @ deviations / (len(X) - 1))"),
    ),
    *mutations(
        "nca_core/features/covariance.py",
        f"{_SOLVED}::test_whitening_makes_the_covariance_the_identity",
        ("roots, vectors = np.sqrt(values[alive])", "roots, vectors = values[alive]"),
    ),
    *mutations(
        "nca_core/features/covariance.py",
        "tests/nca_core/methods/test_units.py",
        (
            "eigh(covariance * np.outer(size > 0, size > 0) / np.outer(unit, unit))",
            "eigh(covariance); unit = unit * 0 + 1",
        ),
        (
            "correlation = classes.within * np.outer(inside, inside) / np.outer(unit, unit)",
            "correlation = classes.within",
        ),
        ("correlation[constant, constant] = 1.0", "pass"),
        ("<= _ALONG * np.linalg.norm(means)", "< 0.0"),
    ),
    *mutations(
        "nca_core/training/mcml.py",
        "tests/nca_core/mcml/test_mcml.py",
        ("self._dual = max(self._dual, found.dual)", "self._dual = found.dual"),
    ),
    *mutations(
        "nca_core/methods/without_labels.py",
        "tests/nca_core/methods/test_units.py",
        ("np.divide(1.0, spread, out=np.zeros_like(spread), where=spread > 0)", "1.0"),
    ),
    *mutations(
        "nca_core/methods/without_labels.py",
        f"{_SOLVED}::test_whitening_makes_the_covariance_the_identity",
        (
            "centred.T @ centred / len(X), n_components, spreads(X))\n    return",
            "X.T @ X / len(X), n_components, spreads(X))\n    return",
        ),
    ),
    *mutations(
        "nca_core/methods/without_labels.py",
        f"{_SOLVED}::test_pca_equals_scikit_learns_up_to_sign",
        ("principal_axes(X - X.mean(axis=0), n_components)", "principal_axes(X, n_components)"),
    ),
    *mutations(
        "nca_core/methods/with_labels.py",
        f"{_SOLVED}::test_lda_and_rca_against_the_formula",
        ("Fitted(root @ A, note=note)", "Fitted(A, note=note)"),
    ),
    *mutations(
        "nca_core/methods/with_labels.py",
        f"{_SOLVED}::test_lda_and_rca_keeps_apart_what_has_no_spread_within_classes",
        ("np.where(spread, values, 1.0)", "np.where(spread, values, np.inf)"),
    ),
    *mutations(
        "nca_core/features/covariance.py",
        "tests/nca_core/test_discriminant.py",
        (
            "centred = centred - centred @ basis @ basis.T",
            "centred = centred @ (basis @ basis.T * 0 + np.eye(len(basis)))",
        ),
    ),
    *mutations(
        "nca_core/methods/without_labels.py",
        f"{_SOLVED}::test_a_random_projection_is_scikit_learns",
        (
            "GaussianRandomProjection(n_components, random_state=random_state)",
            "GaussianRandomProjection(n_components, random_state=0)",
        ),
    ),
    *mutations(
        "nca_core/methods/embeddings.py",
        f"{_METHODS}/test_methods.py::test_finite_numbers_of_the_right_shape_or_a_sentence",
        ('init = "pca" if X.shape[1] >= n_components and np.ptp(X, axis=0).any() else "random"', 'init = "pca"'),
    ),
    *mutations(
        "nca_core/methods/method.py",
        f"{_METHODS}/test_methods.py::test_methods_that_need_labels_say_so_and_the_others_go_without",
        ("facts.n_classes < 2", "facts.n_classes < 1"),
    ),
    *mutations(
        "nca_core/methods/setting.py", f"{_METHODS}/test_setting.py", ("_REAL.fullmatch(text)", "_REAL.match(text)")
    ),
    *mutations(
        "nca_core/methods/method.py",
        f"{_METHODS}/test_methods.py::test_a_trained_method_has_valid_configs_from_every_start_with_every_setting",
        ("random_state=random_state, **fields", "**fields"),
    ),
    *mutations(
        "nca_core/features/kernels.py",
        f"{_KERNELS}::test_inner_products_of_the_features_are_the_kernel",
        ('"sqeuclidean") / (2.0 * width**2)', '"sqeuclidean") / width**2'),
        ("centre = X.mean(axis=0)", "centre = np.zeros(X.shape[1])"),
    ),
    *mutations(
        "nca_core/features/kernels.py",
        f"{_KERNELS}::test_landmarks_are_some_rows_and_the_draw_is_repeatable",
        ("np.random.default_rng(random_state)", "np.random.default_rng()"),
    ),
    *mutations(
        "nca_core/training/problem.py",
        _TRAINED_ITERATIONS,
        ("k = rounded_k(k_mean_entropy(at.entropy))", "k = rounded_k(k_mean_entropy(at.entropy)) + 1"),
        (
            "k_mean_perplexity=unknown if at is None else k_mean_perplexity(at.entropy)",
            "k_mean_perplexity=unknown if at is None else k_mean_entropy(at.entropy)",
        ),
        ("(project(self._held_out[0]), self._held_out[1])", "(project(self._X), self._y)"),
    ),
    *mutations(
        "nca_core/accuracy/votes.py",
        f"{_MEASURE}::test_a_solved_panel",
        (
            "self._accuracies(self._Y[asked], self._y[asked], asked, ks",
            "self._accuracies(self._Y[asked], self._y[asked], None, ks",
        ),
        (
            "return neighbour_codes[np.arange(n_queries), nearest_of_tied]",
            "return neighbour_codes[np.arange(n_queries), 0 * nearest_of_tied]",
        ),
    ),
    *mutations(
        "nca_core/accuracy/accuracies.py",
        f"{_MEASURE}::test_a_solved_panel",
        ("ks = (1, k) if k else (1,)", "ks = (1, k + 1) if k else (1,)"),
    ),
    *mutations(
        "nca_core/training/run.py",
        "tests/study/test_compare.py::test_a_frame_that_is_there_already_is_not_trained_for_again",
        ("initial=self._initial(self._slot) if callable(self._initial) else self._initial", "initial=None"),
    ),
    *mutations(
        "nca_core/accuracy/votes.py",
        "tests/nca_core/test_k_by_leave_one_out.py",
        ("best[(len(best) - 1) // 2]", "best[0]"),
        ("round(2 * len(rows)", "round(4 * len(rows)"),
    ),
    *mutations(
        "nca_core/training/run.py",
        (
            "tests/nca_core/test_run.py::test_a_run_that_is_held_gives_its_place_to_the_next_and_queues_to_go_on",
            "tests/nca_core/test_run.py::test_what_waits_for_its_pace_lets_others_make_their_iterations",
        ),
        ("            self._give_place_back()\n            with self._changed:", "            with self._changed:"),
    ),
    *mutations(
        "nca_core/training/run.py",
        "tests/nca_core/test_run.py::test_a_run_that_is_held_gives_its_place_to_the_next_and_queues_to_go_on",
        ("while not self._stop and (self._allowed <= 0 or", "if not self._stop and (self._allowed <= 0 or"),
    ),
    *mutations(
        "nca_core/estimators/start.py",
        "tests/nca_core/test_never_below.py::test_from_a_start_with_one_neighbour_each_a_smaller_one_is_climbed",
        ("_ONE_NEIGHBOUR = 1.1", "_ONE_NEIGHBOUR = 1.0"),
    ),
    *mutations(
        "nca_core/estimators/start.py",
        "tests/nca_core/test_never_below.py::test_the_better_of_both_climbs_is_kept",
        ("gained > least_gain", "True"),
    ),
    *mutations(
        "nca_core/estimators/base.py",
        "tests/nca_core/test_never_below.py::test_from_a_start_with_one_neighbour_each_a_smaller_one_is_climbed",
        ("snapshot.iteration + made", "snapshot.iteration"),
    ),
    *mutations(
        "nca_core/estimators/nca.py",
        "tests/nca_core/test_never_below.py",
        ("float(len(X) if sample_weight is None else sample_weight.sum())", "float(len(X))"),
    ),
    *mutations(
        "nca_core/training/matrix.py", "tests/nca_core/test_never_below.py", (" and not result.at_the_most", "")
    ),
    *mutations(
        "nca_core/estimators/base.py",
        "tests/nca_core/test_contract.py",
        ("snapshot.objective >= self._best.objective", "snapshot.objective < self._best.objective"),
        ("if saved != nca_core.__version__", "if False"),
    ),
    *mutations(
        "nca_core/compat.py", "tests/nca_core/test_contract.py", ("isinstance(value, bool) and not", "False and not")
    ),
    *mutations(
        "nca_core/estimators/mcml.py",
        "tests/nca_core/test_contract.py",
        ("initial=self._root if warm else None", "initial=None"),
    ),
    *mutations(
        "nca_core/estimators/variable_kernel.py",
        "tests/nca_core/test_contract.py",
        ("codes[rows], config, weights)", "codes[rows], config, None)"),
    ),
    *mutations(
        "nca_core/estimators/projection.py",
        "tests/nca_core/test_contract.py",
        ('settings.pop("target_similarity", None)', "pass"),
    ),
)

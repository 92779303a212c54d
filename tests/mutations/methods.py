"""What is broken on purpose in the methods beyond a matrix, and in the rules that panels are compared by."""

from __future__ import annotations

from tests.mutations.mutation import Mutation

_NETWORK = "tests/nca_core/neural/test_network.py"
_RULES = "tests/nca_core/classifiers/test_classifiers.py"

METHODS = (
    Mutation(
        "nca_core/network.py",
        "lambda h: h * (1.0 - h)",
        "lambda h: h * (1.0 - h) ** 2",
        (f"{_NETWORK}::test_backpropagation_against_finite_differences",),
    ),
    Mutation(
        "nca_core/training/network.py",
        "sample_weight=given.sample_weight,\n            target_similarity",
        "target_similarity",
        (f"{_NETWORK}::test_weights_of_points_count",),
    ),
    Mutation(
        "nca_core/training/nca.py",
        "if not OBJECTIVES[config.objective].grows:",
        "if True:",
        (f"{_NETWORK}::test_the_size_of_all_weights_together_changes_nothing",),
    ),
    Mutation(
        "nca_core/training/network.py",
        "2.0 * network.V",
        "0.5 * network.V",
        (f"{_NETWORK}::test_where_the_scale_runs_away_k_is_not_determined",),
    ),
    Mutation(
        "nca_core/training/network.py",
        "weights.start(initial, y, config.random_state)",
        "weights.start(initial, y, 0)",
        (f"{_NETWORK}::test_the_start_shows_what_the_matrix_shows",),
    ),
    Mutation(
        "nca_core/training/network.py",
        "delta.sum(axis=0)",
        "delta.mean(axis=0)",
        (f"{_NETWORK}::test_backpropagation_against_finite_differences",),
    ),
    Mutation(
        "study/compare.py",
        "return partial(trains, placed=panel.X)",
        "return partial(trains, placed=panel.X[::-1])",
        ("tests/study/test_compare.py::test_a_training_that_is_not_linear_says_where_all_rows_are",),
    ),
    Mutation(
        "nca_core/objectives/__init__.py",
        "-whole / total * share)",
        "-share)",
        ("tests/nca_core/test_evaluator.py::test_gradient_against_finite_differences",),
    ),
    Mutation(
        "nca_core/training/kernel_regression.py",
        'h -= np.einsum("ij,ij->i", off, told)[:, None]',
        "h -= 0.0",
        ("tests/nca_core/test_kernel_regression.py",),
    ),
    Mutation(
        "nca_core/training/nca.py",
        "principal_axes(self._centred * a, self._n_shown) * a",
        "principal_axes(self._centred * a, self._n_shown)",
        ("tests/nca_core/test_diagonal.py",),
    ),
    Mutation(
        "nca_core/training/kernel_regression.py",
        "given.sample_weight[rows]",
        "np.ones(len(rows))",
        ("tests/nca_core/test_kernel_regression.py::test_weights_of_points_count",),
    ),
    Mutation(
        "nca_core/training/nca.py",
        "shown = turned_towards(shown, self.recorder.snapshots[-1].transformation, self._centred)",
        "pass",
        ("tests/nca_core/test_diagonal.py",),
    ),
    Mutation("nca_core/classifiers/rules.py", "_FULL_RANK = 1e-8", "_FULL_RANK = 1e-20", (_RULES,)),
    Mutation("nca_core/classifiers/rules.py", "_FULL_RANK = 1e-8", "_FULL_RANK = 1e-2", (_RULES,)),
    Mutation(
        "nca_core/classifiers/rules.py",
        "QuadraticDiscriminantAnalysis(tol=0.0)",
        "QuadraticDiscriminantAnalysis()",
        (_RULES,),
    ),
    Mutation(
        "nca_core/classifiers/rules.py",
        "k = min(rounded_k(k_mean_entropy(entropy)), len(Y))",
        "k = min(rounded_k(k_mean_entropy(entropy)) + 1, len(Y))",
        (_RULES,),
    ),
    Mutation(
        "nca_core/classifiers/rules.py",
        "shrinkage=shrinkage, tol",
        "shrinkage=0.9, tol",
        (f"{_RULES}::test_a_singular_covariance_is_shrunk_and_said",),
    ),
    Mutation(
        "study/measure.py",
        "if not rule.by_scale or at.learnt:",
        "if True:",
        ("tests/study/test_measure.py",),
    ),
    Mutation(
        "study/measure.py",
        "train, queries = at.labelled()",
        "train = queries = at.labelled()[0]",
        ("tests/study/test_measure.py",),
    ),
    Mutation(
        "study/embed.py",
        "recipe.method_key, panel.X,",
        "recipe.method_key, panel.X[::-1],",
        ("tests/pages/server/test_embeddings.py::test_the_page_shows_at_once_and_the_embedding_when_it_is_there",),
    ),
    Mutation(
        "pages/views/figures.py",
        "spectrum[:n_shown].sum()",
        "spectrum[: n_shown + 1].sum()",
        ("tests/pages/views/test_spectrum.py",),
    ),
    Mutation(
        "nca_core/training/network.py",
        '"logistic": 2.0',
        '"logistic": 8.0',
        (
            "tests/nca_core/neural/test_network.py::test_the_start_follows_its_matrix_on_new_rows_with_units_that_bend_and_do_not_saturate",
        ),
    ),
    Mutation(
        "nca_core/training/network.py",
        '"logistic": 2.0',
        '"logistic": 0.5',
        (
            "tests/nca_core/neural/test_network.py::test_the_start_follows_its_matrix_on_new_rows_with_units_that_bend_and_do_not_saturate",
        ),
    ),
    Mutation(
        "nca_core/training/network.py",
        '"logistic": 1e-3',
        '"logistic": 1e-9',
        (
            "tests/nca_core/neural/test_network.py::test_the_start_follows_its_matrix_on_new_rows_with_units_that_bend_and_do_not_saturate",
        ),
    ),
    Mutation(
        "nca_core/training/network.py",
        '"logistic": 1e-3',
        '"logistic": 1e-1',
        (
            "tests/nca_core/neural/test_network.py::test_the_start_follows_its_matrix_on_new_rows_with_units_that_bend_and_do_not_saturate",
        ),
    ),
)

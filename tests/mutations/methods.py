"""What is broken on purpose in the methods beyond a matrix, and in the rules that panels are compared by."""

from __future__ import annotations

from tests.mutations.mutation import Mutation, mutations

_NETWORK = "tests/nca_core/neural/test_network.py"
_RULES = "tests/nca_core/classifiers/test_classifiers.py"

METHODS: tuple[Mutation, ...] = (
    *mutations(
        "nca_core/network.py",
        f"{_NETWORK}::test_backpropagation_against_finite_differences",
        ("lambda h: h * (1.0 - h)", "lambda h: h * (1.0 - h) ** 2"),
    ),
    *mutations(
        "nca_core/training/network.py",
        f"{_NETWORK}::test_weights_of_points_count",
        ("sample_weight=given.sample_weight,\n            target_similarity", "target_similarity"),
    ),
    *mutations(
        "nca_core/training/nca.py",
        f"{_NETWORK}::test_the_size_of_all_weights_together_changes_nothing",
        ("if not OBJECTIVES[config.objective].grows:", "if True:"),
    ),
    *mutations(
        "nca_core/training/network.py",
        f"{_NETWORK}::test_where_the_scale_runs_away_k_is_not_determined",
        ("2.0 * network.V", "0.5 * network.V"),
    ),
    *mutations(
        "nca_core/training/network.py",
        f"{_NETWORK}::test_the_start_shows_what_the_matrix_shows",
        ("weights.start(initial, y, config.random_state)", "weights.start(initial, y, 0)"),
    ),
    *mutations(
        "nca_core/training/network.py",
        f"{_NETWORK}::test_backpropagation_against_finite_differences",
        ("delta.sum(axis=0)", "delta.mean(axis=0)"),
    ),
    *mutations(
        "study/compare.py",
        "tests/study/test_compare.py::test_a_training_that_is_not_linear_says_where_all_rows_are",
        ("return partial(trains, placed=panel.X)", "return partial(trains, placed=panel.X[::-1])"),
    ),
    *mutations(
        "nca_core/objectives/__init__.py",
        "tests/nca_core/test_evaluator.py::test_gradient_against_finite_differences",
        ("-whole / total * share)", "-share)"),
    ),
    *mutations(
        "nca_core/training/kernel_regression.py",
        "tests/nca_core/test_kernel_regression.py",
        ('h -= np.einsum("ij,ij->i", off, told)[:, None]', "h -= 0.0"),
    ),
    *mutations(
        "nca_core/training/nca.py",
        "tests/nca_core/test_diagonal.py",
        ("principal_axes(self._centred * a, self._n_shown) * a", "principal_axes(self._centred * a, self._n_shown)"),
        ("shown = turned_towards(shown, self.recorder.snapshots[-1].transformation, self._centred)", "pass"),
    ),
    *mutations(
        "nca_core/training/kernel_regression.py",
        "tests/nca_core/test_kernel_regression.py::test_weights_of_points_count",
        ("given.sample_weight[rows]", "np.ones(len(rows))"),
    ),
    *mutations(
        "nca_core/classifiers/rules.py",
        _RULES,
        ("_FULL_RANK = 1e-8", "_FULL_RANK = 1e-20"),
        ("_FULL_RANK = 1e-8", "_FULL_RANK = 1e-2"),
        ("QuadraticDiscriminantAnalysis(tol=0.0)", "QuadraticDiscriminantAnalysis()"),
        (
            "k = min(rounded_k(k_mean_entropy(entropy)), len(Y))",
            "k = min(rounded_k(k_mean_entropy(entropy)) + 1, len(Y))",
        ),
    ),
    *mutations(
        "nca_core/classifiers/rules.py",
        f"{_RULES}::test_a_singular_covariance_is_shrunk_and_said",
        ("shrinkage=shrinkage, tol", "shrinkage=0.9, tol"),
    ),
    *mutations(
        "study/measure.py",
        "tests/study/test_measure.py",
        ("if not rule.by_scale or at.learnt:", "if True:"),
        ("train, queries = at.labelled()", "train = queries = at.labelled()[0]"),
    ),
    *mutations(
        "study/embed.py",
        "tests/pages/server/test_embeddings.py::test_the_page_shows_at_once_and_the_embedding_when_it_is_there",
        ("recipe.method_key, panel.X,", "recipe.method_key, panel.X[::-1],"),
    ),
    *mutations(
        "pages/views/figures.py",
        "tests/pages/views/test_spectrum.py",
        ("spectrum[:n_shown].sum()", "spectrum[: n_shown + 1].sum()"),
    ),
    *mutations(
        "nca_core/training/network.py",
        "tests/nca_core/neural/test_network.py::test_the_start_follows_its_matrix_on_new_rows_with_units_that_bend_and_do_not_saturate",
        ('"logistic": 2.0', '"logistic": 8.0'),
        ('"logistic": 2.0', '"logistic": 0.5'),
        ('"logistic": 1e-3', '"logistic": 1e-9'),
        ('"logistic": 1e-3', '"logistic": 1e-1'),
    ),
)

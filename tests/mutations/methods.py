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
        "nca_core/neural/weights.py",
        "delta.sum(axis=0)",
        "delta.mean(axis=0)",
        (f"{_NETWORK}::test_backpropagation_against_finite_differences",),
    ),
    Mutation(
        "nca_core/neural/train.py",
        "tested = None if given.held_out is None else (network.apply(given.held_out[0]), given.held_out[1])",
        "tested = None if given.held_out is None else (network.apply(X), labels.codes)",
        (f"{_NETWORK}::test_a_curve_parts_rings_that_no_matrix_parts_and_holds_for_new_rows",),
    ),
    Mutation(
        "study/compare.py",
        "trains = partial(trains, placed=panel.X)",
        "trains = partial(trains, placed=panel.X[::-1])",
        ("tests/study/test_compare.py::test_a_training_that_is_not_linear_says_where_all_rows_are",),
    ),
    Mutation(
        "nca_core/objectives/__init__.py",
        "-whole / total * share)",
        "-share)",
        ("tests/nca_core/test_evaluator.py::test_gradient_against_finite_differences",),
    ),
    Mutation(
        "nca_core/kernel_regression.py",
        'h -= np.einsum("ij,ij->i", off, told)[:, None]',
        "h -= 0.0",
        ("tests/nca_core/test_kernel_regression.py",),
    ),
    Mutation(
        "nca_core/diagonal.py",
        "principal_axes(centred * a, config.n_components) * a",
        "principal_axes(centred * a, config.n_components)",
        ("tests/nca_core/test_diagonal.py",),
    ),
    Mutation(
        "nca_core/classifiers/learnt_scale.py",
        "k = min(rounded_k(k_mean_entropy(entropy)), len(Y))",
        "k = min(rounded_k(k_mean_entropy(entropy)) + 1, len(Y))",
        (_RULES,),
    ),
    Mutation(
        "nca_core/classifiers/gaussian.py",
        "shrinkage=shrinkage)",
        "shrinkage=0.9)",
        (f"{_RULES}::test_a_singular_covariance_is_shrunk_and_said",),
    ),
    Mutation(
        "study/measure.py",
        "if not rule.by_scale or learnt:",
        "if True:",
        ("tests/study/test_rules.py",),
    ),
    Mutation(
        "study/measure.py",
        "asked = np.flatnonzero(prepared.held_out & (y >= 0))",
        "asked = np.flatnonzero(prepared.train & (y >= 0))",
        ("tests/study/test_rules.py",),
    ),
    Mutation(
        "study/embed.py",
        "np.savez(question, X=panel.X,",
        "np.savez(question, X=panel.X[::-1],",
        ("tests/pages/server/test_embeddings.py::test_the_page_shows_at_once_and_the_embedding_when_it_is_there",),
    ),
    Mutation(
        "pages/views/spectrum.py",
        "spectrum[:n_shown].sum()",
        "spectrum[: n_shown + 1].sum()",
        ("tests/pages/views/test_spectrum.py",),
    ),
)

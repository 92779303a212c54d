"""What is broken on purpose in the optimisers, and in what a training keeps."""

from __future__ import annotations

from tests.mutations.mutation import Mutation

OPTIMISERS = (
    Mutation(
        "nca_core/optimisers/climb.py",
        "slow = slow + 1 if",
        "slow = _IN_A_ROW if",
        ("tests/nca_core/test_never_below.py::test_a_climb_ends_after_three_small_gains_in_a_row",),
    ),
    Mutation(
        "nca_core/optimisers/climb.py",
        "(left <= tol and gained <= tol * (1.0 - left))",
        "(left <= 0.1 * tol and gained <= tol * (1.0 - left))",
        ("tests/nca_core/test_optimisers.py::test_a_climb_ends_where_nothing_is_left_to_gain",),
    ),
    Mutation(
        "nca_core/optimisers/climb.py",
        "-n * unit * gradient.ravel()",
        "-n * gradient.ravel()",
        ("tests/nca_core/test_optimisers.py",),
    ),
    Mutation(
        "nca_core/optimisers/climb.py",
        "if value <= best:",
        "if False:",
        ("tests/nca_core/test_optimisers.py",),
    ),
    Mutation("nca_core/snapshot.py", "del path[1:]", "del path[:]", ("tests/nca_core/test_training.py",)),
    Mutation("nca_core/estimators/nca.py", "keep_path=False", "keep_path=True", ("tests/nca_core/test_memory.py",)),
    Mutation(
        "nca_core/neighbours/pairs/plain_dense.py",
        "minus -= norms\n",
        "minus -= 1.01 * norms\n",
        ("tests/nca_core/neighbours/pairs/test_many_dimensions.py",),
    ),
    Mutation(
        "nca_core/neighbours/pairs/products.py",
        "np.matmul(points.T[first:last], forces",
        "np.matmul(points.T[: last - first], forces",
        ("tests/nca_core/neighbours/pairs/test_many_dimensions.py",),
    ),
    Mutation("nca_core/estimators/mcml.py", "keep_path=False", "keep_path=True", ("tests/nca_core/test_memory.py",)),
)

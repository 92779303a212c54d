"""What is broken on purpose in the optimisers, and in what a training keeps."""

from __future__ import annotations

from tests.mutations.mutation import Mutation, mutations

OPTIMISERS: tuple[Mutation, ...] = (
    *mutations(
        "nca_core/optimisers/climb.py",
        "tests/nca_core/test_never_below.py::test_a_climb_ends_after_three_small_gains_in_a_row",
        ("slow = slow + 1 if", "slow = _IN_A_ROW if"),
    ),
    *mutations(
        "nca_core/optimisers/climb.py",
        "tests/nca_core/test_optimisers.py::test_a_climb_ends_where_nothing_is_left_to_gain",
        ("(left <= tol and gained <= tol * (1.0 - left))", "(left <= 0.1 * tol and gained <= tol * (1.0 - left))"),
    ),
    *mutations(
        "nca_core/optimisers/climb.py",
        "tests/nca_core/test_optimisers.py",
        ("-n * unit * gradient.ravel()", "-n * gradient.ravel()"),
        ("if value <= best:", "if False:"),
    ),
    *mutations("nca_core/snapshot.py", "tests/nca_core/test_training.py", ("del path[1:]", "del path[:]")),
    *mutations("nca_core/estimators/nca.py", "tests/nca_core/test_memory.py", ("keep_path=False", "keep_path=True")),
    *mutations(
        "nca_core/neighbours/pairs/plain_dense.py",
        "tests/nca_core/neighbours/pairs/test_many_dimensions.py",
        ("minus -= norms\n", "minus -= 1.01 * norms\n"),
    ),
    *mutations(
        "nca_core/neighbours/pairs/products.py",
        "tests/nca_core/neighbours/pairs/test_many_dimensions.py",
        ("np.matmul(points.T[first:last], forces", "np.matmul(points.T[: last - first], forces"),
    ),
    *mutations("nca_core/estimators/mcml.py", "tests/nca_core/test_memory.py", ("keep_path=False", "keep_path=True")),
)

"""What is broken on purpose in the optimisers, and in what a training keeps."""

from __future__ import annotations

from tests.mutations.mutation import Mutation

_L_BFGS = "tests/nca_core/test_l_bfgs.py"

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
        "nca_core/optimisers/l_bfgs.py",
        "by_s = np.linalg.solve(R.T, R.diagonal() * by_y + gamma * (y_y @ by_y - y_g))",
        "by_s = np.linalg.solve(R.T, R.diagonal() * by_y - gamma * y_g)",
        (_L_BFGS,),
    ),
    Mutation("nca_core/optimisers/l_bfgs.py", "if self._added and k > 1:", "if k > 1:", (_L_BFGS,)),
    Mutation("nca_core/optimisers/l_bfgs.py", "self._places.pop(0)", "self._places.pop()", (_L_BFGS,)),
    Mutation(
        "nca_core/optimisers/l_bfgs.py",
        "CurvaturePairs(start.size, n * unit**2)",
        "CurvaturePairs(start.size, n)",
        (_L_BFGS,),
    ),
    Mutation("nca_core/optimisers/l_bfgs.py", "steepness = n * unit * float", "steepness = n * float", (_L_BFGS,)),
    Mutation(
        "nca_core/optimisers/line_search.py",
        "lift = promised if enough < at.value <= best.value else 0.0",
        "lift = 0.0",
        (_L_BFGS,),
    ),
    Mutation("nca_core/optimisers/line_search.py", ">= 0.66 * width_before", ">= 66.0 * width_before", (_L_BFGS,)),
    Mutation(
        "nca_core/optimisers/line_search.py", "at.step + 0.66 * (other.step", "at.step + 0.99 * (other.step", (_L_BFGS,)
    ),
    Mutation(
        "nca_core/optimisers/line_search.py",
        "if abs(cubic - at.step) > abs(secant - at.step) else secant",
        "if True else secant",
        (_L_BFGS,),
    ),
    Mutation(
        "nca_core/optimisers/line_search.py", "cubic if nearer else cubic + (square - cubic) / 2.0", "cubic", (_L_BFGS,)
    ),
    Mutation(
        "nca_core/optimisers/line_search.py", "step = best.step + 0.1 * (step - best.step)", "return None", (_L_BFGS,)
    ),
    Mutation(
        "nca_core/optimisers/line_search.py",
        "_to_lowest(at, other)[0] * (other.step - at.step)",
        "0.5 * (other.step - at.step)",
        (_L_BFGS,),
    ),
    Mutation(
        "nca_core/optimisers/line_search.py", "_NEARER, _FARTHER = 1.1, 4.0", "_NEARER, _FARTHER = 1.5, 4.0", (_L_BFGS,)
    ),
    Mutation("nca_core/optimisers/line_search.py", "_FLAT = 0.9", "_FLAT = 0.8", (_L_BFGS,)),
    Mutation("nca_core/optimisers/line_search.py", "_ENOUGH = 1e-3", "_ENOUGH = 1e-2", (_L_BFGS,)),
    Mutation("nca_core/optimisers/line_search.py", "ratio < 0.0 and bends", "ratio < 0.0", (_L_BFGS,)),
    Mutation("nca_core/snapshot.py", "del path[1:]", "del path[:]", ("tests/nca_core/test_training.py",)),
    Mutation("nca_core/estimator.py", "keep_path=False", "keep_path=True", ("tests/nca_core/test_memory.py",)),
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
    Mutation("nca_core/mcml/estimator.py", "keep_path=False", "keep_path=True", ("tests/nca_core/test_memory.py",)),
)

"""What is broken on purpose in the sums over neighbours; those over a grid have a room of their own."""

from __future__ import annotations

from tests.mutations.mutation import Mutation

_ALONE = "tests/nca_core/test_evaluator.py::test_the_objective_alone"
_NEVER_BELOW = "tests/nca_core/test_never_below.py"
_MANY = "tests/nca_core/neighbours/pairs/test_many_dimensions.py"
_LEAVES = "tests/nca_core/neighbours/pairs/test_leaves.py"
_METHODS_AGREE = "tests/nca_core/neighbours/test_summation_methods.py::test_a_few_thousand_points"
_CHOICE = "tests/nca_core/neighbours/test_summation_methods.py::test_starts_and_large_grids_have_their_price"

SUMS = (
    Mutation(
        "nca_core/neighbours/pairs/row_kernels.py",
        "least = min(least, values[j])",
        "least = values[j]",
        ("tests/nca_core/neighbours/pairs/test_single_rows.py",),
    ),
    Mutation(
        "nca_core/neighbours/pairs/tree.py",
        "rows, start, stop, self.margin, out",
        "rows[start:stop], 0, stop - start, self.margin, out[:, start:stop]",
        ("tests/nca_core/neighbours/pairs/test_single_rows.py",),
    ),
    Mutation(
        "nca_core/neighbours/pairs/leaf_kernels.py",
        "s += e if codes[j] == code else 0.0",
        "s += e if codes[j] != code else 0.0",
        (_METHODS_AGREE,),
    ),
    Mutation(
        "nca_core/neighbours/pairs/leaf_kernels.py",
        "_pull(buffer, m, nearby[axis], Y[axis, i])",
        "_pull(buffer, m, nearby[0], Y[axis, i])",
        (_METHODS_AGREE,),
    ),
    Mutation(
        "nca_core/neighbours/pairs/leaf_kernels.py",
        "leaf, cuts, True, stack",
        "leaf, cuts, False, stack",
        (f"{_LEAVES}::test_a_dense_point_feels_the_sparse_ones_that_need_it",),
    ),
    Mutation(
        "nca_core/neighbours/pairs/leaf_kernels.py",
        "cuts[node] = max(cuts[2 * node], cuts[2 * node + 1])",
        "cuts[node] = min(cuts[2 * node], cuts[2 * node + 1])",
        (f"{_LEAVES}::test_a_dense_point_feels_the_sparse_ones_that_need_it",),
    ),
    Mutation(
        "nca_core/neighbours/pairs/leaf_kernels.py",
        "cuts[leaves + leaf] = min(cut + longest, most)",
        "cuts[leaves + leaf] = cut",
        (f"{_LEAVES}::test_points_of_low_density_are_not_done_one_by_one",),
    ),
    Mutation(
        "nca_core/neighbours/pairs/leaf_kernels.py",
        "missed[0] += np.exp(-gap) *",
        "missed[0] += 0.0 *",
        (_METHODS_AGREE,),
    ),
    Mutation("nca_core/neighbours/pairs/plain_dense.py", "minus, nearest[:, None]", "minus, nearest", (_MANY,)),
    Mutation("nca_core/neighbours/pairs/plain_dense.py", "_TINY = 1e-150", "_TINY = 0.0", (_MANY,)),
    Mutation("nca_core/neighbours/pairs/plain_dense.py", "_LEAST = -400.0", "_LEAST = -40.0", (_MANY,)),
    Mutation("nca_core/neighbours/pairs/plain_dense.py", "near = 4.0 * largest <= -_LEAST", "near = True", (_MANY,)),
    Mutation("nca_core/neighbours/pairs/plain_dense.py", "if self._far.size:", "if False:", (_MANY,)),
    Mutation(
        "nca_core/objectives/evaluator.py",
        "return value - float(np.sum(self._penalty * A * A))",
        "return value",
        (_ALONE,),
    ),
    Mutation("nca_core/training/matrix.py", "objective_at(2.0 * A)", "objective_at(0.5 * A)", (_NEVER_BELOW,)),
    Mutation(
        "nca_core/neighbours/pairs/product_kernels.py",
        "its[axis] += weight * mine[axis]",
        "its[axis] += weight * other[axis]",
        ("tests/nca_core/neighbours/pairs/test_many_dimensions.py",),
    ),
    Mutation(
        "nca_core/neighbours/pairs/product_kernels.py",
        "i, j = first + r, start + k\n",
        "i, j = first + r, first + k\n",
        ("tests/nca_core/neighbours/pairs/test_many_dimensions.py",),
    ),
    Mutation(
        "nca_core/neighbours/pairs/product_kernels.py",
        "left -= _count(row, least)",
        "left -= 0.0",
        ("tests/nca_core/neighbours/pairs/test_many_dimensions.py",),
    ),
    Mutation(
        "nca_core/training/problem.py", "variables.copy()", "variables", ("tests/nca_core/training/test_problem.py",)
    ),
    Mutation(
        "nca_core/neighbours/pairs/products.py",
        "if first not in singly:",
        "if True:",
        ("tests/nca_core/neighbours/pairs/test_many_dimensions.py",),
    ),
    Mutation(
        "nca_core/neighbours/pairs/products.py",
        "singly[first] = in_doubt if doubtful else np.zeros((n, d))",
        "singly[first] = np.zeros((n, d))",
        ("tests/nca_core/neighbours/pairs/test_many_dimensions.py",),
    ),
    Mutation(
        "nca_core/neighbours/pairs/products.py",
        "forces.flat[:: n + 1] -= total",
        "forces.flat[:: n + 1] -= 0.0",
        ("tests/nca_core/neighbours/pairs/test_many_dimensions.py",),
    ),
    Mutation(
        "nca_core/neighbours/pairs/products.py",
        "forces[left:right, start:stop] = 0.0",
        "pass",
        ("tests/nca_core/neighbours/pairs/test_many_dimensions.py",),
    ),
    Mutation(
        "nca_core/neighbours/pairs/products.py",
        "block = block + block.T",
        "pass",
        ("tests/nca_core/neighbours/pairs/test_many_dimensions.py",),
    ),
    Mutation(
        "nca_core/neighbours/pairs/products.py",
        "with shared_with(None):",
        "if True:",
        ("tests/nca_core/neighbours/pairs/test_many_dimensions.py",),
    ),
    Mutation(
        "nca_core/neighbours/pairs/products.py",
        "_FEW_FORCES * float(net.max())",
        "_FEW_FORCES",
        ("tests/nca_core/neighbours/pairs/test_many_dimensions.py",),
    ),
    Mutation(
        "nca_core/neighbours/choose.py",
        "_START_DENSE = 2.5e5",
        "_START_DENSE = 0.0",
        (_CHOICE,),
    ),
    Mutation(
        "nca_core/neighbours/grid/field_groups.py",
        "2: 14.0, 3: 20.0",
        "2: 7.0, 3: 20.0",
        (_CHOICE,),
    ),
)

"""What is broken on purpose in the sums over neighbours; those over a grid have a room of their own."""

from __future__ import annotations

from tests.mutations.mutation import Mutation, mutations

_ALONE = "tests/nca_core/test_evaluator.py::test_the_objective_alone"
_NEVER_BELOW = "tests/nca_core/test_never_below.py"
_MANY = "tests/nca_core/neighbours/pairs/test_many_dimensions.py"
_LEAVES = "tests/nca_core/neighbours/pairs/test_leaves.py"
_METHODS_AGREE = "tests/nca_core/neighbours/test_summation_methods.py::test_a_few_thousand_points"
_CHOICE = "tests/nca_core/neighbours/test_summation_methods.py::test_starts_and_large_grids_have_their_price"

SUMS: tuple[Mutation, ...] = (
    *mutations(
        "nca_core/neighbours/pairs/row_kernels.py",
        "tests/nca_core/neighbours/pairs/test_single_rows.py",
        ("least = min(least, values[j])", "least = values[j]"),
    ),
    *mutations(
        "nca_core/neighbours/pairs/tree.py",
        "tests/nca_core/neighbours/pairs/test_single_rows.py",
        ("rows, start, stop, self.margin, out", "rows[start:stop], 0, stop - start, self.margin, out[:, start:stop]"),
    ),
    *mutations(
        "nca_core/neighbours/pairs/leaf_kernels.py",
        _METHODS_AGREE,
        ("s += e if codes[j] == code else 0.0", "s += e if codes[j] != code else 0.0"),
        ("_pull(buffer, m, nearby[axis], Y[axis, i])", "_pull(buffer, m, nearby[0], Y[axis, i])"),
        ("missed[0] += np.exp(-gap) *", "missed[0] += 0.0 *"),
    ),
    *mutations(
        "nca_core/neighbours/pairs/leaf_kernels.py",
        f"{_LEAVES}::test_a_dense_point_feels_the_sparse_ones_that_need_it",
        ("leaf, cuts, True, stack", "leaf, cuts, False, stack"),
        (
            "cuts[node] = max(cuts[2 * node], cuts[2 * node + 1])",
            "cuts[node] = min(cuts[2 * node], cuts[2 * node + 1])",
        ),
    ),
    *mutations(
        "nca_core/neighbours/pairs/leaf_kernels.py",
        f"{_LEAVES}::test_points_of_low_density_are_not_done_one_by_one",
        ("cuts[leaves + leaf] = min(cut + longest, most)", "cuts[leaves + leaf] = cut"),
    ),
    *mutations(
        "nca_core/neighbours/pairs/plain_dense.py",
        _MANY,
        ("minus, nearest[:, None]", "minus, nearest"),
        ("_TINY = 1e-150", "_TINY = 0.0"),
        ("_LEAST = -400.0", "_LEAST = -40.0"),
        ("near = 4.0 * largest <= -_LEAST", "near = True"),
        ("if self._far.size:", "if False:"),
    ),
    *mutations(
        "nca_core/objectives/evaluator.py",
        _ALONE,
        ("return value - float(np.sum(self._penalty * A * A))", "return value"),
    ),
    *mutations("nca_core/training/matrix.py", _NEVER_BELOW, ("objective_at(2.0 * A)", "objective_at(0.5 * A)")),
    *mutations(
        "nca_core/neighbours/pairs/product_kernels.py",
        "tests/nca_core/neighbours/pairs/test_many_dimensions.py",
        ("its[axis] += weight * mine[axis]", "its[axis] += weight * other[axis]"),
        ("i, j = first + r, start + k\n", "i, j = first + r, first + k\n"),
        ("left -= _count(row, least)", "left -= 0.0"),
    ),
    *mutations(
        "nca_core/training/problem.py", "tests/nca_core/training/test_problem.py", ("variables.copy()", "variables")
    ),
    *mutations(
        "nca_core/neighbours/pairs/products.py",
        "tests/nca_core/neighbours/pairs/test_many_dimensions.py",
        ("if first not in singly:", "if True:"),
        ("forces.flat[:: n + 1] -= total", "forces.flat[:: n + 1] -= 0.0"),
        ("forces[left:right, start:stop] = 0.0", "pass"),
        ("block = block + block.T", "pass"),
        ("summed(self._parts, weigh, (0,))", "summed(self._parts, weigh, (n, d))"),
        ("| ~trusted(self._norms)", ""),
        ("_FEW_FORCES * float(net.max())", "_FEW_FORCES"),
    ),
    *mutations("nca_core/neighbours/choose.py", _CHOICE, ("_START_DENSE = 2.5e5", "_START_DENSE = 0.0")),
    *mutations("nca_core/neighbours/grid/field_groups.py", _CHOICE, ("2: 14.0, 3: 20.0", "2: 7.0, 3: 20.0")),
)

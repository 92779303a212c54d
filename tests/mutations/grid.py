"""What is broken on purpose in the sums over a grid."""

from __future__ import annotations

from tests.mutations.mutation import Mutation, mutations

_GRID = "tests/nca_core/neighbours/grid/test_grid_field.py"
_METHODS_AGREE = "tests/nca_core/neighbours/test_summation_methods.py::test_a_few_thousand_points"

GRID: tuple[Mutation, ...] = (
    *mutations(
        "nca_core/neighbours/grid/spectral.py",
        "tests/nca_core/neighbours/grid/test_spectral.py",
        (" | (Z_error > _EACH * Z)", ""),
    ),
    *mutations(
        "nca_core/neighbours/grid/grid_field.py",
        _GRID,
        ("found[d + 1] += 2.0 * d * found[0]", "found[d + 1] += 2.0 * found[0]"),
        (
            "before = planes[:, max(some.stop - REACH, 0) : some.stop].copy()",
            "before = planes[:, max(some.stop - REACH, 0) : some.stop]",
        ),
        ("maximum_filter(largest, size=3,", "maximum_filter(largest, size=1,"),
    ),
    *mutations(
        "nca_core/neighbours/grid/window.py",
        _GRID,
        ("REACH = 13", "REACH = 10"),
        ("_SHAPE = 2.3 * WIDTH", "_SHAPE = 2.5 * WIDTH"),
    ),
    *mutations(
        "nca_core/neighbours/grid/grid_kernels.py",
        _GRID,
        (
            "add_row(totals, total + 2 * WIDTH, windows[at + 2 * WIDTH + a], here, 0)",
            "add_row(totals, total + 2 * WIDTH, windows[at + WIDTH + a], here, 0)",
        ),
    ),
    *mutations(
        "nca_core/neighbours/grid/field_groups.py",
        _METHODS_AGREE,
        ("total = total - 1.0", "total = total - 0.0"),
        ("axis += weights * pull", "axis += pull"),
    ),
    *mutations(
        "nca_core/neighbours/grid/field_groups.py",
        "tests/nca_core/neighbours/test_summation_methods.py::test_strays_around_very_many_points_leave_these_to_the_grid",
        ("min(_PLACES_A_POINT * n_points, _MOST_PLACES)", "_PLACES_A_POINT * n_points"),
    ),
    *mutations("nca_core/neighbours/grid/grid_kernels.py", _METHODS_AGREE, ("out[final - 1, j]", "out[final, j]")),
    *mutations(
        "nca_core/neighbours/grid/field_groups.py",
        "tests/nca_core/neighbours/test_summation_methods.py::test_heavy_tails_are_cut_into_tiles",
        ("outside, sparse = np.zeros(n, dtype=bool), sparse | outside", "pass"),
    ),
    *mutations(
        "nca_core/neighbours/grid/field_groups.py",
        "tests/nca_core/neighbours/test_summation_methods.py::test_crowded_tiles_feel_their_neighbours_in_other_tiles",
        ("of_tile[chosen] == number", "of_tile[chosen] >= 0"),
        ("there[tile[there] == around]", "there[around == tile[number]]"),
    ),
)

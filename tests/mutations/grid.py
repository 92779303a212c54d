"""What is broken on purpose in the sums over a grid."""

from __future__ import annotations

from tests.mutations.mutation import Mutation

_GRID = "tests/nca_core/neighbours/grid/test_grid_field.py"
_METHODS_AGREE = "tests/nca_core/neighbours/test_summation_methods.py::test_a_few_thousand_points"

GRID = (
    Mutation(
        "nca_core/neighbours/grid/spectral.py",
        " | (Z_error > _EACH * Z)",
        "",
        ("tests/nca_core/neighbours/grid/test_spectral.py",),
    ),
    Mutation(
        "nca_core/neighbours/grid/grid_field.py",
        "found[d + 1] += 2.0 * d * found[0]",
        "found[d + 1] += 2.0 * found[0]",
        (_GRID,),
    ),
    Mutation(
        "nca_core/neighbours/grid/grid_field.py",
        "before = planes[:, max(some.stop - REACH, 0) : some.stop].copy()",
        "before = planes[:, max(some.stop - REACH, 0) : some.stop]",
        (_GRID,),
    ),
    Mutation(
        "nca_core/neighbours/grid/grid_field.py",
        "maximum_filter(largest, size=3,",
        "maximum_filter(largest, size=1,",
        (_GRID,),
    ),
    Mutation(
        "nca_core/neighbours/grid/window.py",
        "REACH = 13",
        "REACH = 10",
        (_GRID,),
    ),
    Mutation(
        "nca_core/neighbours/grid/window.py",
        "_SHAPE = 2.3 * WIDTH",
        "_SHAPE = 2.5 * WIDTH",
        (_GRID,),
    ),
    Mutation(
        "nca_core/neighbours/grid/grid_kernels.py",
        "add_row(totals, total + 2 * WIDTH, windows[at + 2 * WIDTH + a], here, 0)",
        "add_row(totals, total + 2 * WIDTH, windows[at + WIDTH + a], here, 0)",
        (_GRID,),
    ),
    Mutation(
        "nca_core/neighbours/grid/field_groups.py",
        "total = total - 1.0",
        "total = total - 0.0",
        (_METHODS_AGREE,),
    ),
    Mutation(
        "nca_core/neighbours/grid/field_groups.py",
        "axis += weights * pull",
        "axis += pull",
        (_METHODS_AGREE,),
    ),
    Mutation(
        "nca_core/neighbours/grid/field_groups.py",
        "min(_PLACES_A_POINT * n, _MOST_PLACES)",
        "_PLACES_A_POINT * n",
        (
            "tests/nca_core/neighbours/test_summation_methods.py::test_strays_around_very_many_points_leave_these_to_the_grid",
        ),
    ),
    Mutation(
        "nca_core/neighbours/grid/grid_kernels.py",
        "out[final - 1, j]",
        "out[final, j]",
        (_METHODS_AGREE,),
    ),
)

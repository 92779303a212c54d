"""What is broken on purpose where X is in parts."""

from __future__ import annotations

from tests.mutations.mutation import Mutation

_PARTS = "tests/nca_core/test_features_in_parts.py"
_EVALUATION = f"{_PARTS}::test_an_evaluation_is_that_of_one_machine"
_STATISTICS = f"{_PARTS}::test_statistics_are_those_of_one_place"
_FOLDER = "tests/nca_core/parts/test_folder.py"
_DASK = "tests/nca_core/parts/test_dask_chunks.py"
_FEATURES = "nca_core/parts/features_in_parts.py"
_PASSES = "nca_core/parts/passes.py"
_CHUNKS = "nca_core/parts/dask_chunks.py"

PARTS = (
    Mutation(_FEATURES, "Y[:, self._place[rows]] = found[part]", "Y[:, rows] = found[part]", (_EVALUATION,)),
    Mutation(_FEATURES, "d_Y[:, self._place[ranges[part]]]", "d_Y[:, ranges[part]]", (_EVALUATION,)),
    Mutation("nca_core/parts/sources.py", "np.add(total, found, out=total)", "total", (_EVALUATION,)),
    Mutation(
        _FEATURES,
        "return self._units * source.summed(",
        "return source.summed(",
        (f"{_PARTS}::test_single_precision",),
    ),
    Mutation(_FEATURES, "[self._order[rows]]\n", "[rows]\n", (_EVALUATION,)),
    Mutation(
        _FEATURES, "self._units * by_features)", "by_features)", (f"{_PARTS}::test_statistics_are_those_of_one_place",)
    ),
    # The mean of each part in place of the whole's.
    Mutation(_PASSES, "apart**2 * (self.count", "0 * apart**2 * (self.count", (_STATISTICS,)),
    Mutation(_PASSES, "self.mean + apart * (other.count / n)", "self.mean + apart / 2", (_STATISTICS,)),
    Mutation(
        _PASSES,
        "block[rows[first:last] - done]",
        "block[rows[first:last] - done - 1]",
        (_STATISTICS,),
    ),
    Mutation(
        _PASSES,
        "row + (found.count if found else 0)",
        "row",
        (f"{_FOLDER}::test_a_cell_that_cannot_be_used",),
    ),
    Mutation(_PASSES, "means[code])[code >= 0]", "means[code])", (_STATISTICS,)),
    Mutation(
        "nca_core/parts/sources.py",
        "        self.check_unchanged()\n        if seen",
        "        if seen",
        (f"{_FOLDER}::test_a_file_that_is_changed_while_it_is_read",),
    ),
    Mutation(
        "nca_core/parts/sources.py",
        '(int(piece), "") if piece.isdecimal()',
        "(0, piece) if piece.isdecimal()",
        (f"{_FOLDER}::test_the_rows_of_npy_files",),
    ),
    Mutation("nca_core/parts/sources.py", "!= label)", ")", (f"{_FOLDER}::test_the_rows_and_labels_of_parquet_files",)),
    Mutation(
        _CHUNKS,
        "for number, count in enumerate(X.chunks[0]) if count",
        "for number, count in enumerate(X.chunks[0])",
        (f"{_DASK}::test_empty_chunks_are_passed_over",),
    ),
    Mutation(
        _CHUNKS,
        "total[first:last] += values[done : done + last - first]",
        "total[first:last] = values[done : done + last - first]",
        (f"{_DASK}::test_shared_sums_are_the_same_to_the_last_bit",),
    ),
    Mutation(
        _CHUNKS,
        "self.elsewhere = sum_on_workers",
        "pass",
        (f"{_DASK}::test_shared_sums_are_the_same_to_the_last_bit",),
    ),
    Mutation(
        "nca_core/estimators/start.py",
        "_THEIR_TOLERANCE * strength[0]",
        "-1.0",
        (f"{_PARTS}::test_means_on_a_line_start_like_those_of_one_place",),
    ),
    Mutation(
        "nca_core/estimators/start.py",
        "np.sqrt(classes.counts / max(1, n_classes - 1))",
        "np.sqrt(np.ones(n_classes))",
        (f"{_PARTS}::test_the_estimators_start_is_scikit_learns",),
    ),
    Mutation(
        "nca_core/features/covariance.py",
        "classes.means - classes.counts @ classes.means / classes.counts.sum()",
        "classes.means",
        (_STATISTICS,),
    ),
    Mutation(
        "nca_core/features/covariance.py",
        "covariance = left @ covariance @ left",
        "pass",
        (_STATISTICS,),
    ),
)

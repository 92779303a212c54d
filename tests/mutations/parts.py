"""What is broken on purpose where X is in parts."""

from __future__ import annotations

from tests.mutations.mutation import Mutation, mutations

_PARTS = "tests/nca_core/test_features_in_parts.py"
_EVALUATION = f"{_PARTS}::test_an_evaluation_is_that_of_one_machine"
_STATISTICS = f"{_PARTS}::test_statistics_are_those_of_one_place"
_FOLDER = "tests/nca_core/parts/test_folder.py"
_DASK = "tests/nca_core/parts/test_dask_chunks.py"
_FEATURES = "nca_core/parts/features_in_parts.py"
_PASSES = "nca_core/parts/passes.py"
_CHUNKS = "nca_core/parts/dask_chunks.py"

PARTS: tuple[Mutation, ...] = (
    *mutations(
        _FEATURES,
        _EVALUATION,
        ("Y[:, self._place[rows]] = found[part]", "Y[:, rows] = found[part]"),
        ("d_Y[:, self._place[ranges[part]]]", "d_Y[:, ranges[part]]"),
        ("[self._order[rows]]\n", "[rows]\n"),
    ),
    *mutations("nca_core/parts/sources.py", _EVALUATION, ("np.add(total, found, out=total)", "total")),
    *mutations(
        _FEATURES, f"{_PARTS}::test_single_precision", ("return self._units * source.summed(", "return source.summed(")
    ),
    *mutations(
        _FEATURES, f"{_PARTS}::test_statistics_are_those_of_one_place", ("self._units * by_features)", "by_features)")
    ),
    *mutations(
        _PASSES,
        _STATISTICS,
        # The mean of each part in place of the whole's.
        ("apart**2 * (self.count", "0 * apart**2 * (self.count"),
        ("self.mean + apart * (other.count / n)", "self.mean + apart / 2"),
        ("block[rows[first:last] - done]", "block[rows[first:last] - done - 1]"),
        ("means[code])[code >= 0]", "means[code])"),
    ),
    *mutations(_PASSES, f"{_FOLDER}::test_a_cell_that_cannot_be_used", ("row + (found.count if found else 0)", "row")),
    *mutations(
        "nca_core/parts/sources.py",
        f"{_FOLDER}::test_a_file_that_is_changed_while_it_is_read",
        ("        self.check_unchanged()\n        if seen", "        if seen"),
    ),
    *mutations(
        "nca_core/parts/sources.py",
        f"{_FOLDER}::test_the_rows_of_npy_files",
        ('(int(piece), "") if piece.isdecimal()', "(0, piece) if piece.isdecimal()"),
    ),
    *mutations(
        "nca_core/parts/sources.py", f"{_FOLDER}::test_the_rows_and_labels_of_parquet_files", ("!= label)", ")")
    ),
    *mutations(
        _CHUNKS,
        f"{_DASK}::test_empty_chunks_are_passed_over",
        ("for number, count in enumerate(X.chunks[0]) if count", "for number, count in enumerate(X.chunks[0])"),
    ),
    *mutations(
        _CHUNKS,
        f"{_DASK}::test_shared_sums_are_the_same_to_the_last_bit",
        (
            "total[first:last] += values[done : done + last - first]",
            "total[first:last] = values[done : done + last - first]",
        ),
        ("self.elsewhere = sum_on_workers", "pass"),
    ),
    *mutations(
        "nca_core/estimators/start.py",
        f"{_PARTS}::test_means_on_a_line_start_like_those_of_one_place",
        ("_THEIR_TOLERANCE * strength[0]", "-1.0"),
    ),
    *mutations(
        "nca_core/estimators/start.py",
        f"{_PARTS}::test_the_estimators_start_is_scikit_learns",
        ("np.sqrt(classes.counts / max(1, n_classes - 1))", "np.sqrt(np.ones(n_classes))"),
    ),
    *mutations(
        "nca_core/features/covariance.py",
        _STATISTICS,
        ("classes.means - classes.counts @ classes.means / classes.counts.sum()", "classes.means"),
        ("covariance = left @ covariance @ left", "pass"),
    ),
)

"""Files of a folder as parts: the same rows in the order of the names, and a sentence that names the file at fault."""

import os

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from nca_core import NeighborhoodComponentsAnalysis, parts_of_arrays, parts_of_folder
from nca_core.parts import sources as source

RNG = np.random.default_rng(0)
X = RNG.normal(size=(130, 3)) + 10.0
Y = np.where(X[:, 0] > 10, "high", "low")
CUTS = [17, 18, 100]


@pytest.fixture(autouse=True)
def small_pieces(monkeypatch):
    monkeypatch.setattr(source, "_BLOCK_CELLS", 3 * 20)
    monkeypatch.setattr(source, "_PART_CELLS", 3 * 40)


def npy_folder(folder, dtype="float64"):
    for number, rows in enumerate(np.split(X, CUTS), 9):  # part-9, then part-10: by number, not by letter
        np.save(folder / f"part-{number}.npy", rows.astype(dtype))
    (folder / "readme.txt").write_text("passed over")
    np.save(folder / "_left_out.npy", X[:, :1])
    return folder


def table(rows, labels, **more):
    columns = {"length": rows[:, 0], "class": labels, "width": rows[:, 1], "age": rows[:, 2], **more}
    return pa.table(
        {name: values if isinstance(values, pa.Array) else pa.array(values) for name, values in columns.items()}
    )


def parquet_folder(folder):
    for number, (rows, labels) in enumerate(zip(np.split(X, CUTS), np.split(Y, CUTS), strict=True), 9):
        pq.write_table(table(rows, labels), folder / f"{number}.parquet", row_group_size=50)
    return folder


def all_rows(parts):
    return parts[np.arange(len(parts))]


def test_the_rows_of_npy_files(tmp_path):
    parts, y = parts_of_folder(npy_folder(tmp_path))
    assert y is None
    assert parts.shape == (130, 3)
    assert max(parts.source.counts) <= 40
    np.testing.assert_array_equal(all_rows(parts), X)
    np.testing.assert_array_equal(
        all_rows(parts_of_folder(str(npy_folder(tmp_path, "float32")))[0]), X.astype("float32")
    )


@pytest.mark.filterwarnings("error")
def test_the_rows_and_labels_of_parquet_files(tmp_path):
    parts, y = parts_of_folder(parquet_folder(tmp_path), label="class")
    np.testing.assert_array_equal(all_rows(parts), X)
    np.testing.assert_array_equal(y, Y)
    assert parts.source.columns == ("length", "width", "age")
    assert max(parts.source.counts) == 50
    model, whole = (
        NeighborhoodComponentsAnalysis(2, init="pca", max_iter=5).fit(*data) for data in ((parts, y), (X, Y))
    )
    np.testing.assert_allclose(model.components_, whole.components_, rtol=1e-8)
    assert list(model.feature_names_in_) == ["length", "width", "age"]
    assert model.score(parts, y) == pytest.approx(whole.score(X, Y), rel=1e-8)
    other = tmp_path / "other"
    other.mkdir()
    pq.write_table(pa.table({"width": X[:, 0], "length": X[:, 1], "age": X[:, 2]}), other / "a.parquet")
    with pytest.raises(ValueError, match="feature names should match those that were passed during fit"):
        model.transform(parts_of_folder(other)[0])
    model.fit(parts_of_arrays([X]), Y)
    assert not hasattr(model, "feature_names_in_")


def test_a_memory_map_is_a_part(tmp_path):
    np.save(tmp_path / "a.npy", X)
    parts = parts_of_arrays([np.load(tmp_path / "a.npy", mmap_mode="r"), X[:5].astype(int)])
    np.testing.assert_array_equal(all_rows(parts), np.vstack([X, X[:5].astype(int)]))


@pytest.fixture
def memory():
    """A file system of fsspec that is no folder of this machine."""
    files = pytest.importorskip("fsspec", reason="comes with Dask").filesystem("memory")
    yield files
    files.rm("/", recursive=True)


@pytest.mark.parametrize("folder", [npy_folder, parquet_folder])
def test_files_of_an_address(tmp_path, memory, folder):
    label = "class" if folder is parquet_folder else None
    memory.put(f"{folder(tmp_path)}/", "/remote/", recursive=True)
    parts, labels = parts_of_folder("memory://remote", label)
    np.testing.assert_array_equal(all_rows(parts), X)
    assert labels is None or labels.tolist() == Y.tolist()
    name = f"/remote/{'11.parquet' if label else 'part-11.npy'}"
    memory.pipe(name, memory.cat(name)[:-8])
    with pytest.raises(ValueError, match=rf"^{name.split('/')[-1]} was changed after it was opened; open the folder"):
        all_rows(parts)
    refused(rf"^{name.split('/')[-1]} cannot be read: ", "memory://remote", label)


def refused(words, source, label=None):
    """Not opened, and why."""
    with pytest.raises(ValueError, match=words):
        parts_of_folder(source, label)


def test_addresses_that_cannot_be_read(tmp_path, memory):
    refused(r"^memory://nowhere is no folder\.$", "memory://nowhere")
    refused("Protocol not known: nosuch", "nosuch://there")
    np.save(tmp_path / "a.npy", np.asfortranarray(X))
    refused(r"^a\.npy cannot be read: It is stored column by column", tmp_path.as_uri())


@pytest.mark.parametrize("folder", [npy_folder, parquet_folder])
def test_a_file_that_is_changed_while_it_is_read(tmp_path, folder):
    parts = parts_of_folder(folder(tmp_path), "class" if folder is parquet_folder else None)[0]
    part = int(np.argmax(parts.source.counts))
    blocks = parts.source.parts[part].blocks()
    next(blocks)
    path = next(path for path in tmp_path.iterdir() if "11." in path.name)
    os.utime(path, ns=(1, 1))
    with pytest.raises(ValueError, match=r"11\.\w+ was changed after it was opened; open the folder again\.$"):
        list(blocks)


def test_a_file_that_is_gone(tmp_path):
    parts, _ = parts_of_folder(npy_folder(tmp_path))
    (tmp_path / "part-11.npy").unlink()
    with pytest.raises(ValueError, match=r"^part-11\.npy cannot be read: No such file or directory\.$"):
        NeighborhoodComponentsAnalysis(2).fit(parts, Y)


@pytest.mark.parametrize(
    ("number", "rows", "words"),
    [
        (11, np.ones((82, 4)), r"^part-11\.npy has 4 columns and the first part has 3; all must have the same\.$"),
        (10, np.ones((0, 3)), r"^part-10\.npy has no rows; leave it out\.$"),
        (10, np.ones((1, 3), dtype=complex), r"^part-10\.npy holds complex128 values"),
        (10, np.array([["a", "b", "c"]]), r"^part-10\.npy holds <U1 values"),
        (10, np.array([[None, 1, 2]]), r"^part-10\.npy cannot be read: Array can't be memory-mapped"),
    ],
)
def test_a_file_that_does_not_fit(tmp_path, number, rows, words):
    np.save(npy_folder(tmp_path) / f"part-{number}.npy", rows)
    refused(words, tmp_path)


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (np.nan, r"^Row 77, column 2 of part-11\.npy is nan; every value must be finite\.$"),
        (1e80, r"^Row 77, column 2 of part-11\.npy is 1e\+80; a gradient with values beyond 1e\+70"),
    ],
)
def test_a_cell_that_cannot_be_used(tmp_path, value, words):
    rows = np.split(X, CUTS)[2].copy()
    rows[77, 2] = value
    rows[79, 0] = np.nan  # is not the first
    np.save(npy_folder(tmp_path) / "part-11.npy", rows)
    with pytest.raises(ValueError, match=words):
        NeighborhoodComponentsAnalysis(2).fit(parts_of_folder(tmp_path)[0], Y)


def test_cells_of_arrays_are_named_too():
    rows = X.copy()
    rows[57, 2] = np.nan
    with pytest.raises(ValueError, match=r"^parts\[1\]\[57, 2\] is nan"):
        NeighborhoodComponentsAnalysis(2).fit(parts_of_arrays([X, rows]), np.tile(Y, 2))
    with pytest.raises(ValueError, match=r"inconsistent numbers of samples: \[130, 129\]"):
        NeighborhoodComponentsAnalysis(2).fit(parts_of_arrays([X]), Y[1:])
    model = NeighborhoodComponentsAnalysis(2, max_iter=1).fit(X, Y)
    with pytest.raises(
        ValueError, match="X has 2 features, but NeighborhoodComponentsAnalysis is expecting 3 features"
    ):
        model.transform(parts_of_arrays([X[:, :2]]))


@pytest.mark.parametrize(
    ("arrays", "words"),
    [
        ([], "parts must be a list of arrays"),
        ([X, X[:, :2]], r"^parts\[1\] has 2 columns and the first part has 3"),
        ([X, X[:0]], r"^parts\[1\] has no rows"),
        ([np.ma.masked_less(X, 10)], r"^parts\[0\] has masked cells"),
        ([np.array(["a"])], r"^parts\[0\] has 1 dimension"),
    ],
)
def test_arrays_that_are_no_parts(arrays, words):
    with pytest.raises(ValueError, match=words):
        parts_of_arrays(arrays)


def test_broken_files_and_folders(tmp_path):
    refused(r"holds no \.npy or \.parquet file", tmp_path)
    refused("nowhere is no folder", tmp_path / "nowhere")
    whole = npy_folder(tmp_path) / "part-11.npy"
    whole.write_bytes(whole.read_bytes()[:-8])
    refused(r"^part-11\.npy cannot be read: mmap length is greater than file size\.$", tmp_path)
    whole.write_bytes(b"")
    refused(r"^part-11\.npy cannot be read: ", tmp_path)
    refused(r"holds \.npy files, which have no column 'class'", npy_folder(tmp_path), label="class")
    (tmp_path / "a.parquet").write_bytes(b"PAR1")
    refused(r"holds both \.npy and \.parquet files; keep one kind", tmp_path)


def test_broken_parquet_files(tmp_path):
    parquet_folder(tmp_path)
    bad = tmp_path / "11.parquet"
    whole = bad.read_bytes()
    rows, labels = X[:30], Y[:30]

    def not_fitted(words, label="class"):
        with pytest.raises(ValueError, match=words):
            NeighborhoodComponentsAnalysis(2).fit(*parts_of_folder(tmp_path, label))

    not_fitted(r"^9\.parquet has no column 'kind'", "kind")
    not_fitted(r"^Column 'class' of 9\.parquet holds string; every column must hold numbers, but the label's\.$", None)
    bad.write_bytes(whole[:-100])
    not_fitted(r"^11\.parquet cannot be read: ")
    pq.write_table(table(rows, labels, extra=rows[:, 0]), bad)
    not_fitted(r"^11\.parquet has the columns length, width, age, extra; the first has length, width, age\.$")
    missing = pa.array([None if k == 7 else float(v) for k, v in enumerate(rows[:, 1])])
    pq.write_table(table(rows, labels).set_column(2, "width", missing), bad, row_group_size=5)
    not_fitted(r"^Row 7, column 'width' of 11\.parquet is nan; every value must be finite\.$")
    pq.write_table(table(rows, pa.array([None, *labels[1:]])), bad)
    not_fitted(r"^Row 0 of 11\.parquet has no label in column 'class'; fill it or leave out the row\.$")
    pq.write_table(table(rows[:0], pa.array([], pa.string())), bad)
    not_fitted(r"^11\.parquet has no rows; leave it out\.$")
    pq.write_table(table(rows, labels), bad)
    broken = bytearray(bad.read_bytes())
    broken[8:400] = bytes(392)  # within the first column, which opening does not read
    bad.write_bytes(broken)
    not_fitted(r"^11\.parquet cannot be read: ")

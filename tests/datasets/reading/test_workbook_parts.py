"""Parts of workbooks that are missing, merged, or of another kind than the table."""

import io
import zipfile

import pytest

from datasets.base.errors import DataError
from datasets.reading import read_table
from tests.datasets.files import workbook

ROWS = [["a", "b", "label"], *([k, k * k % 7, "xy"[k % 2]] for k in range(12))]


def with_parts(data, change):
    """The workbook with each part as `change(name, content)` gives it, None for none."""
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(stream, "w") as new:
        for name in old.namelist():
            if (content := change(name, old.read(name))) is not None:
                new.writestr(name, content)
    return stream.getvalue()


@pytest.mark.parametrize("lost", [b'r:id=""', b'r:id="rId77"', b'state="veryHidden" r:id=""'])
def test_a_sheet_without_a_part_of_its_own_is_no_damage(lost):
    data = workbook(one=ROWS, two=ROWS[:5])

    def with_lost(name, content):
        sheet = b'<sheet name="macros" sheetId="9" ' + lost + b" /></sheets>"
        return content.replace(b"</sheets>", sheet)

    table = read_table(with_parts(data, with_lost), "t.xlsx")
    assert (table.sheets, table.n_rows) == (("one", "two"), 12)


def test_only_a_workbook_that_could_have_a_password_is_said_to():
    damaged = with_parts(workbook(one=ROWS), lambda name, content: None if "_rels/w" in name else content)
    with pytest.raises(DataError, match=r"^t.xlsx is a damaged workbook; save it as .xlsx, or as CSV\.$"):
        read_table(damaged, "t.xlsx")
    compound = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(3000)
    with pytest.raises(DataError, match="is a damaged workbook or a workbook with a password"):
        read_table(compound, "t.xls")
    with pytest.raises(DataError, match=r"^t.xlsx is a workbook with a password; save it without one\.$"):
        read_table(compound + "EncryptedPackage".encode("utf-16-le"), "t.xlsx")

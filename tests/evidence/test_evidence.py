"""A comparison of two records sees each kind of difference."""

import json

from tests.evidence.__main__ import compare


def test_each_kind_of_difference_is_seen_beyond_the_tolerance(tmp_path, capsys):
    before = {"same": [1, "a"], "number": 1.0, "text": "a", "gone": 1, "list": [1, 2], "nan": float("nan"), "int": 1}
    after = {"same": [1, "a"], "number": 1.0 + 1e-12, "text": "b", "new": 1, "list": [1], "nan": float("nan"), "int": 1}
    files = tmp_path / "a.json", tmp_path / "b.json"
    for file, values in zip(files, (before, after), strict=True):
        file.write_text(json.dumps({"numbers": values}))
    assert compare(files[0], files[0], 0.0, None) == 0
    assert "numbers: 0 differences" in capsys.readouterr().out
    for tolerance, differ in ((1e-9, ["text", "gone", "list / 1", "new"]), (0.0, ["number", "text"])):
        assert compare(*files, tolerance, None) == 1
        said = capsys.readouterr().out
        assert all(f" / {path}\n" in said for path in differ)
        assert f"numbers: {4 if tolerance else 5} differences" in said

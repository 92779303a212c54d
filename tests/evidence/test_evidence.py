"""The record of what is quick holds what it should, and a comparison sees each kind of difference."""

import json

from tests.evidence.__main__ import compare, differences
from tests.evidence.record import SECTIONS


def test_each_kind_of_difference_is_seen():
    before = {"same": [1, "a"], "number": 1.0, "text": "a", "gone": 1, "list": [1, 2], "nan": float("nan")}
    after = {"same": [1, "a"], "number": 1.0 + 1e-12, "text": "b", "new": 1, "list": [1], "nan": float("nan")}
    found = {difference.path[0]: difference.relative for difference in differences(before, after)}
    assert sorted(found) == ["gone", "list", "new", "number", "text"]
    assert found["number"] < 1e-11


def test_a_comparison_fails_beyond_its_tolerance(tmp_path, capsys):
    files = [tmp_path / name for name in ("a.json", "b.json", "c.json")]
    for file, f in zip(files, (1.0, 1.0 + 1e-12, 1.1), strict=True):
        file.write_text(json.dumps({"numbers": {"wine": {"f": f}}}))
    assert compare(files[0], files[1], 1e-9, show_all=False) == 0
    assert compare(files[0], files[2], 1e-9, show_all=False) == 1
    assert "wine / f" in capsys.readouterr().out


def test_links_survive_their_round_trip():
    for name, entry in SECTIONS["links"]().items():
        assert entry["again"], name
        assert not entry["problems"], name

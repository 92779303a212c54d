"""The fuzzing command works and, on a few files, finds nothing; thousands are for the command itself."""

import random

from tests.datasets.files import SOUND
from tests.fuzz import files
from tests.fuzz.files import fuzz_files
from tests.fuzz.mutate import mutated


def test_a_few_files_of_each_format(capsys):
    assert fuzz_files(8, 0) == []
    said = capsys.readouterr().out
    assert all(kind in said for kind in SOUND)


def test_what_is_no_sentence_is_found(monkeypatch):
    monkeypatch.setattr(files, "read_table", lambda *_: 1 / 0)
    found = fuzz_files(1, 0)
    assert len(found) == 2 * len(SOUND)  # the fault, and that the sound file is no table
    assert "ZeroDivisionError" in found[0]


def test_mutations_differ_and_can_be_had_again():
    data = bytes(range(100))
    first = [mutated(data, random.Random(seed)) for seed in range(50)]
    assert first == [mutated(data, random.Random(seed)) for seed in range(50)]
    assert len(set(first)) > 40
    assert sum(each == data for each in first) < 5

"""Every mutation still fits the code, and names tests that are there; whether they notice, the command tells."""

from __future__ import annotations

import ast

import pytest

from tests.mutations import MUTATIONS
from tests.mutations.__main__ import mutated, run_tests
from tests.mutations.mutation import Mutation
from tests.tracked_files import ROOT


@pytest.mark.parametrize("mutation", MUTATIONS, ids=str)
def test_a_mutation_fits(mutation):
    text = (ROOT / mutation.file).read_text(encoding="utf-8")
    changed = mutated(text, mutation)
    assert changed != text
    if mutation.file.endswith(".py"):
        ast.parse(changed)
    assert mutation.tests
    for test in mutation.tests:
        file, _, name = test.partition("::")
        names = {
            node.name
            for node in ast.walk(ast.parse((ROOT / file).read_text(encoding="utf-8")))
            if hasattr(node, "name")
        }
        assert not name or name.partition("[")[0] in names


def test_no_mutation_is_there_twice():
    assert len({(mutation.file, mutation.old, mutation.new) for mutation in MUTATIONS}) == len(MUTATIONS)


@pytest.mark.parametrize("old", ["two", "gone"])
def test_an_old_text_that_is_not_there_once_is_refused(old):
    with pytest.raises(ValueError, match="it must be there once"):
        mutated("one two two", Mutation("some/file.py", old, "three", ("tests",)))


def test_what_pytest_prints_of_names_that_are_no_text_is_no_end_of_the_run(tmp_path):
    (tmp_path / "test_it.py").write_text("import os\n\ndef test():\n    os.write(2, b'\\xff')\n    assert False\n")
    assert run_tests(tmp_path, ["test_it.py", "-s"])[0] == 1

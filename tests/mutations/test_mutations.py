"""The runner of mutations itself; `python -m tests.mutations fit` checks that each mutation fits the code."""

from dataclasses import replace

import pytest

from tests.mutations import MUTATIONS
from tests.mutations.__main__ import misfit, mutated, run_tests
from tests.mutations.mutation import Mutation, mutations

HERE = "tests/mutations/test_mutations.py"
TABLE = """# What a table says.
a.py
  tests/test_a.py
  tests/test_b.py::test_it
- "\\n" # -
-
-     + "old"
+
  tests/test_c.py
- x = 1
+ x = 2
- y
+ - z
"""
SOUND = Mutation("tests/mutations/mutation.py", "class Mutation:", "class Mutations:", (HERE,))


def test_no_mutation_is_there_twice():
    assert len({(mutation.file, mutation.old, mutation.new) for mutation in MUTATIONS}) == len(MUTATIONS)


def test_a_table_is_read_as_it_is_written():
    assert mutations(TABLE) == [
        Mutation("a.py", '"\\n" # -\n\n    + "old"', "", ("tests/test_a.py", "tests/test_b.py::test_it")),
        Mutation("a.py", "x = 1", "x = 2", ("tests/test_c.py",)),
        Mutation("a.py", "y", "- z", ("tests/test_c.py",)),
    ]


@pytest.mark.parametrize("line", ["- y", "b.py\n+ y", "- x \n+ y", "- x\nb.py\n+ y", "- x\n+y"])
def test_a_table_with_half_a_mutation_or_a_blank_at_a_line_s_end_is_refused(line):
    with pytest.raises(ValueError, match="lines"):
        mutations(f"{TABLE}{line}\n")


@pytest.mark.parametrize("old", ["two", "gone"])
def test_an_old_text_that_is_not_there_once_is_refused(old):
    with pytest.raises(ValueError, match="it must be there once"):
        mutated("one two two", Mutation("some/file.py", old, "three", ("tests",)))


@pytest.mark.parametrize(
    "change",
    [
        {"file": "tests/mutations/nowhere.py"},
        {"old": "no such text"},
        {"new": "class :"},
        {"tests": ()},
        {"tests": (f"{HERE}::test_nowhere",)},
    ],
)
def test_a_mutation_that_does_not_fit_is_named(change):
    assert misfit(SOUND) == ""
    assert misfit(replace(SOUND, **change))


def test_what_pytest_prints_of_names_that_are_no_text_is_no_end_of_the_run(tmp_path):
    (tmp_path / "test_it.py").write_text("import os\n\ndef test():\n    os.write(2, b'\\xff')\n    assert False\n")
    assert run_tests(tmp_path, ["test_it.py", "-s"])[0] == 1

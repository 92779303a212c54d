"""The runner of mutations itself; `python -m tests.mutations fit` checks that each mutation fits the code."""

from dataclasses import replace

import pytest

from tests.mutations import MUTATIONS
from tests.mutations.__main__ import misfit, mutated, run_tests
from tests.mutations.mutation import Mutation

HERE = "tests/mutations/test_mutations.py"
SOUND = Mutation("tests/mutations/mutation.py", "class Mutation:", "class Mutations:", (HERE,))


def test_no_mutation_is_there_twice():
    assert len({(mutation.file, mutation.old, mutation.new) for mutation in MUTATIONS}) == len(MUTATIONS)


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

"""Every public name of `nca_core` is in the reference and has an Example, which gives what it says."""

import doctest
from pathlib import Path

import pytest

import nca_core


@pytest.mark.parametrize("name", nca_core.__all__)
@pytest.mark.filterwarnings("error")
def test_example(name):
    public = getattr(nca_core, name)
    documented = public if callable(public) else nca_core  # a number has no docstring; the module's shows it
    (example,) = doctest.DocTestFinder(recurse=False).find(documented, name)
    assert any(name in each.source for each in example.examples), f"{name} has no Example"
    said: list[str] = []
    result = doctest.DocTestRunner().run(example, out=said.append)
    assert not result.failed, "".join(said)


def test_reference_lists_every_public_name():
    page = (Path(__file__).resolve().parents[2] / "docs" / "reference.md").read_text(encoding="utf-8")
    listed = [line.split()[-1] for line in page.splitlines() if line.startswith(("   ", ".. data:: ")) and line.split()]
    assert set(nca_core.__all__) <= set(listed)

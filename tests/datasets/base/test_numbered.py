"""Names that count from 1."""

from datasets.base.numbered import numbered


def test_names_count_from_one_and_none_are_none():
    assert numbered("noise", 3) == ("noise 1", "noise 2", "noise 3")
    assert numbered("noise", 0) == ()

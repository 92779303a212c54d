"""Domains: what belongs to them, and the texts that they read."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nca_core.methods.method import Choice, Real, Whole

WHOLE, OPTIONAL, REAL = Whole(-5, 2_000), Whole(1, 9, optional=True), Real(-1e6, 1e6)
NO_NUMBER = ["", " ", "NaN", "nan", "inf", "-inf", "Infinity", "1e999", "1_0", "١٢", "²", "0x1", "--1", "1,5", "1 2"]


@pytest.mark.parametrize(
    ("domain", "more"), [(WHOLE, ["1.5", "1e2", "-", "2001"]), (REAL, ["1e7", "-1000001"])], ids=["whole", "real"]
)
def test_texts_that_are_no_number_of_the_domain(domain, more):
    for text in [*NO_NUMBER, *more, "9" * 5_000]:
        with pytest.raises(ValueError):
            domain.read(text)


@pytest.mark.parametrize(
    ("text", "value"), [("7", 7.0), ("-0.5", -0.5), ("1e-3", 0.001), (".5", 0.5), ("2.", 2.0), ("1E+2", 100.0)]
)
def test_numbers_as_people_and_programs_write_them(text, value):
    assert REAL.read(text) == value


def test_an_empty_text_is_none_only_where_that_is_allowed():
    assert OPTIONAL.read("") is None
    assert OPTIONAL.write(None) == ""
    assert OPTIONAL.accepts(None)
    assert not WHOLE.accepts(None)
    assert "or empty" in OPTIONAL.allowed


def test_what_is_no_number():
    nonsense = [True, False, "1", None, [1], {}, math.nan]
    assert not any(WHOLE.accepts(value) for value in [*nonsense, 1.0])
    assert not any(REAL.accepts(value) for value in [*nonsense, math.inf, 1e6 + 1])


@given(st.floats(-1e6, 1e6), st.integers(-5, 2_000))
def test_a_number_survives_its_text_to_the_last_bit(real, whole):
    assert REAL.read(REAL.write(real)) == real
    assert WHOLE.read(WHOLE.write(whole)) == whole


@given(st.text())
def test_any_text_is_read_or_refused(text):
    for domain in (WHOLE, OPTIONAL, REAL, Choice(("a", "b"))):
        try:
            value = domain.read(text)
        except ValueError:
            continue
        assert domain.accepts(value)


@pytest.mark.parametrize("value", ["c", "A", "", None, 1, ["a"]])
def test_what_is_no_choice(value):
    choice = Choice(("a", "b"), ("the first",))
    assert not choice.accepts(value)
    assert choice.title("a") == "the first"
    assert choice.title("b") == "b"
    assert choice.allowed == "one of a, b"

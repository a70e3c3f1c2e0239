"""The rule for equal outputs: trailing blanks and final newlines do not count, and numbers may have a tolerance."""

from __future__ import annotations

import math

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from ocaml_env.engine.output import same_output

BLANKS = st.text(alphabet=" \t\r", max_size=3)
words = st.text(alphabet="abc123.-", min_size=1, max_size=5)
lines = st.lists(st.lists(words, max_size=4).map(" ".join), max_size=5)
numbers = st.floats(allow_nan=False, allow_infinity=False, min_value=-1e12, max_value=1e12)


@given(lines, st.data())
def test_trailing_blanks_and_final_newlines_never_count(text: list[str], data: st.DataObject) -> None:
    actual = "\n".join(line + data.draw(BLANKS) for line in text) + "\n" * data.draw(st.integers(0, 3))
    assert same_output(actual.encode(), "\n".join(text))
    assert same_output("\n".join(text).encode(), actual)


@given(lines, lines)
def test_comparison_is_symmetric_and_finds_differences(left: list[str], right: list[str]) -> None:
    a, b = "\n".join(left), "\n".join(right)
    assert same_output(a.encode(), b) == same_output(b.encode(), a)
    assert same_output(a.encode(), b) == (
        [line.rstrip() for line in a.rstrip().split("\n")] == [line.rstrip() for line in b.rstrip().split("\n")]
    )


@given(st.lists(words, min_size=1, max_size=5), st.integers(0, 4))
def test_blanks_inside_and_in_front_count(text: list[str], at: int) -> None:
    joined = " ".join(text)
    assert not same_output(f" {joined}".encode(), joined)
    assert not same_output(joined.encode(), joined + " x")


@given(st.binary())
def test_invalid_utf8_matches_nothing(data: bytes) -> None:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        assert not same_output(data, data.decode("utf-8", "replace"))
        assert not same_output(data, data.decode("latin-1"))


@given(st.lists(numbers, min_size=1, max_size=4), st.floats(1e-9, 1e-2))
def test_numbers_within_the_tolerance_match(values: list[float], tolerance: float) -> None:
    near = [value + 0.5 * tolerance * max(1.0, abs(value)) for value in values]
    left, right = (" ".join(map(repr, side)) for side in (values, near))
    assert same_output(left.encode(), right, tolerance=tolerance)
    assert same_output(right.encode(), left, tolerance=tolerance)


@given(numbers, st.floats(1e-9, 1e-2))
def test_numbers_beyond_the_tolerance_do_not_match(value: float, tolerance: float) -> None:
    far = value + 3 * tolerance * max(1.0, abs(value))
    assume(not math.isclose(value, far, rel_tol=tolerance, abs_tol=tolerance))
    assert not same_output(repr(value).encode(), repr(far), tolerance=tolerance)


@pytest.mark.parametrize(
    ("actual", "expected", "same"),
    [
        ("1.0", "1", True),
        ("1e0", "1", True),
        ("x 1.00001", "x 1", True),
        ("1.1", "1", False),
        ("1 ", "1", True),
        ("1  2", "1 2", True),
        ("1\n2", "1 2", False),
        ("1 2", "1 2 3", False),
        ("nan", "nan", True),
        ("nan", "1", False),
        ("inf", "inf", True),
        ("inf", "1e308", False),
        ("-inf", "inf", False),
        ("abc", "abd", False),
        ("", "0", False),
        ("1,5", "1.5", False),
        ("0x10", "16", False),
    ],
)
def test_with_a_tolerance_words_are_compared_one_by_one(actual: str, expected: str, same: bool) -> None:
    assert same_output(actual.encode(), expected, tolerance=1e-3) == same


def test_a_tolerance_of_zero_compares_values_not_digits() -> None:
    assert same_output(b"1.50", "1.5", tolerance=0)
    assert not same_output(b"1.50", "1.5")
    assert not same_output(b"1.5000001", "1.5", tolerance=0)


def test_number_formats_of_python_alone_do_not_count() -> None:
    """A program that prints ``1_000`` has not printed 1000."""
    assert not same_output(b"1_000", "1000", tolerance=1e-6)
    assert not same_output("\u0661".encode(), "1", tolerance=1e-6)
    assert not same_output(b"infinity", "inf", tolerance=1e-6)

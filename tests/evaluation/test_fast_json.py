"""JSON survives encoding and decoding, whatever text a model writes."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocaml_env.evaluation.fast_json import decode, encode

TEXTS = st.text(st.characters(exclude_categories=()))
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
    lambda inner: st.lists(inner) | st.dictionaries(TEXTS, inner),
    max_leaves=10,
)


@given(VALUES)
def test_an_encoded_value_is_one_line_that_any_reader_decodes(value: Any) -> None:
    line = encode(value)
    assert b"\n" not in line
    assert json.loads(line) == value
    if _within_64_bits(value):
        assert decode(line) == value


@given(VALUES)
def test_json_of_the_standard_library_is_decoded(value: Any) -> None:
    if _within_64_bits(value):
        assert decode(json.dumps(value).encode("ascii")) == value


@pytest.mark.parametrize("text", [b"", b"{", b'{"a": }', b"\xff", b"[" * 100_000])
def test_invalid_json_is_an_error(text: bytes) -> None:
    with pytest.raises((ValueError, RecursionError)):
        decode(text)


def _within_64_bits(value: Any) -> bool:
    if isinstance(value, int):
        return -(2**63) <= value < 2**63
    if isinstance(value, dict):
        return all(map(_within_64_bits, value.values()))
    return not isinstance(value, list) or all(map(_within_64_bits, value))

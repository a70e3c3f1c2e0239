"""Text for a terminal: colours take no width, carets point at the error, control characters are escaped."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocaml_env.display.terminal import Colour, Paint, code_frame, columns, printable


def test_columns_are_aligned_and_colours_take_no_width() -> None:
    red = Paint(True)("no", Colour.RED)
    assert columns([("a", red, "x"), ("long", "yes", "10")], right=(2,)) == [f"a     {red}    x", "long  yes  10"]


def test_rows_may_be_shorter_than_others() -> None:
    assert columns([("a",), ("bb", "c")], indent="  ") == ["  a", "  bb  c"]
    assert columns([]) == []


def test_the_caret_stands_under_the_column_that_ocaml_counts_in_bytes() -> None:
    code = 'let s = "\u00e9\u00e9" ^ 1'
    column = code.encode().index(b"1")
    assert code_frame(code, 1, column) == [f"   1 | {code}", "     | " + " " * code.index("1") + "^"]


def test_a_long_line_is_cut_around_the_place() -> None:
    code = "x" * 100_000 + "!" + "y" * 100_000
    source, caret = code_frame(code, 1, 100_000)
    assert len(source) < 120
    assert source[caret.index("^")] == "!"


@pytest.mark.parametrize("line", [0, -1, 3])
def test_a_line_number_out_of_range_shows_nothing(line: int) -> None:
    assert code_frame("a\nb", line, 0) == []


@given(st.text(), st.integers(-2, 5), st.integers(-2, 300))
def test_any_place_in_any_text_can_be_shown(code: str, line: int, column: int) -> None:
    for shown in code_frame(code, line, column):
        assert shown == printable(shown)


def test_control_characters_are_spelled_out() -> None:
    assert printable("\x1b[2J\x07\x9b\u202eok\ud800\ttab\nline") == "\\x1b[2J\\x07\\x9b\\u202eok\\ud800\ttab\nline"


def test_invisible_characters_are_spelled_out() -> None:
    hidden = "a\u200bb\u2028c\u00add\ufeffe\U000e0041f"
    assert printable(hidden) == "a\\u200bb\\u2028c\\xadd\\ufeffe\\U000e0041f"
    assert printable("\u00e9 \u4e2d \U0001f42b") == "\u00e9 \u4e2d \U0001f42b"


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("stream", "environ", "enabled"),
    [
        (_Terminal(), {}, True),
        (_Terminal(), {"NO_COLOR": "1"}, False),
        (_Terminal(), {"NO_COLOR": ""}, True),
        (_Terminal(), {"TERM": "dumb"}, False),
        (io.StringIO(), {}, False),
    ],
)
def test_colours_need_a_terminal_that_welcomes_them(
    stream: io.StringIO, environ: dict[str, str], enabled: bool
) -> None:
    assert Paint.choose(stream, environ).enabled is enabled
    assert (Paint(enabled)("text", Colour.RED) == "text") is not enabled


def test_lines_that_are_too_long_are_cut_and_their_colour_ends() -> None:
    red = Paint(True)("a long word", Colour.RED)
    assert columns([("name", red)], width=12) == ["name  \x1b[31ma l\x1b[0m..."]
    assert columns([("name", red)], width=17) == [f"name  {red}"]


def test_a_line_that_fits_is_shown_whole() -> None:
    code = "let f = " + "x" * 80 + " + 1"
    assert code_frame(code, 1, 89, width=100)[0] == f"   1 | {code}"


def test_the_caret_counts_the_cells_of_wide_characters() -> None:
    code = 'let s = "\u65e5\u672c" ^ 1'
    column = code.encode().index(b"1")
    assert code_frame(code, 1, column)[1] == "     | " + " " * (code.index("1") + 2) + "^"

"""Lines of standard input: OCaml for reading them, and for recognising numbers."""

from __future__ import annotations

__all__ = ["EACH", "NO_NUMBERS", "NUMBER", "READ", "WORDS", "read_number"]

READ = """\
let rec read_lines lines =
  match input_line stdin with
  | line -> read_lines (line :: lines)
  | exception End_of_file -> List.rev lines"""


EACH = """\
let rec each_line f =
  match input_line stdin with
  | line ->
    f line;
    each_line f
  | exception End_of_file -> ()"""
"""For tasks in which the order of reading does not matter, or is kept otherwise."""


WORDS = "let words line = List.filter (fun w -> w <> \"\") (String.split_on_char ' ' line)"


NUMBER = """\
let number w =
  let digits = if w.[0] = '-' then String.sub w 1 (String.length w - 1) else w in
  let fine = digits <> "" && String.length digits <= 6 && String.for_all (fun c -> c >= '0' && c <= '9') digits in
  if fine then Some (int_of_string w) else None"""
"""For words that are not empty."""


NO_NUMBERS = (
    "-",
    "1000000",
    "-4x",
    "7x",
    "/4",
    "4:",
    "x7",
    "1_0",
    "0x8",
    "--2",
    "+5",
    "2-",
    "1.5",
    "-1000000",
    "1234567",
    "-1234567",
)
"""Words that are nearly numbers."""


def read_number(word: str) -> int | None:
    digits = word.removeprefix("-")
    return int(word) if digits.isascii() and digits.isdigit() and len(digits) <= 6 else None

"""Lines of standard input: how OCaml reads them, and what counts as a number."""

from __future__ import annotations

__all__ = ["NO_NUMBERS", "NUMBER", "READ", "WORDS", "read_number"]

READ = """\
let rec read_lines lines =
  match input_line stdin with
  | line -> read_lines (line :: lines)
  | exception End_of_file -> List.rev lines"""


WORDS = "let words line = List.filter (fun w -> w <> \"\") (String.split_on_char ' ' line)"


NUMBER = """\
let number w =
  let minus = w <> "" && w.[0] = '-' in
  let digits = if minus then String.sub w 1 (String.length w - 1) else w in
  let fine = digits <> "" && String.length digits <= 6 && String.for_all (fun c -> c >= '0' && c <= '9') digits in
  if fine then Some (int_of_string w) else None"""


NO_NUMBERS = ("-", "x", "7x", "x7", "/4", "4:", "--2", "1000000", "2-")
"""Words that are nearly numbers."""


def read_number(word: str) -> int | None:
    digits = word.removeprefix("-")
    return int(word) if digits.isascii() and digits.isdigit() and len(digits) <= 6 else None

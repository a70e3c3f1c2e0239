"""Endless sequences: OCaml for making them in tests, and a limit on reading them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ocaml_env.problems.generators.chance import Unfit

__all__ = ["PATIENCE", "PRELUDE", "patient"]

PATIENCE = 80  # elements that may be read for one answer


PRELUDE = """\
let rec take n s =
  if n = 0 then []
  else match s () with Seq.Nil -> [] | Seq.Cons (x, rest) -> x :: take (n - 1) rest

let rec from n () = Seq.Cons (n, from (n + 1))

let around l =
  let rec go = function
    | [] -> fun () -> go l ()
    | x :: rest -> fun () -> Seq.Cons (x, go rest)
  in
  go l

let of_list = List.to_seq"""


def patient(values: Iterable[int]) -> Iterator[int]:
    """The values. Raises ``Unfit`` after too many of them, since a search may never end."""
    for number, value in enumerate(values):
        if number > PATIENCE:
            raise Unfit
        yield value

"""Unchecked library functions behave for candidates as their checked twins do, exceptions included."""

from __future__ import annotations

import pytest

from ocaml_env.verdict import Outcome
from ocaml_env.verifiers.local import Verifier
from tests.engine.cases import function

NUMBERS = ("0", "1", "3", "4", "(-1)", "max_int", "min_int")
RANGES = [f"{start} {length}" for start in NUMBERS for length in NUMBERS]
BLITS = [
    f"{source} target {at} {length}" for source in ("0", "2", "(-1)", "max_int") for at in NUMBERS for length in NUMBERS
]
CODES = (
    "0",
    "65",
    "255",
    "256",
    "(-1)",
    "0xD7FF",
    "0xD800",
    "0xDFFF",
    "0xE000",
    "0x10FFFF",
    "0x110000",
    "max_int",
    "min_int",
)


def in_bytes(call: str) -> str:
    return f'let target = Bytes.of_string "abcd" in {call}; Bytes.to_string target'


@pytest.mark.parametrize(
    ("unchecked", "checked", "arguments"),
    [
        ("Char.escaped (Char.unsafe_chr ARGUMENTS)", "Char.escaped (Char.chr ARGUMENTS)", CODES),
        ("Uchar.to_int (Uchar.unsafe_of_int ARGUMENTS)", "Uchar.to_int (Uchar.of_int ARGUMENTS)", CODES),
        (
            in_bytes("Bytes.unsafe_fill target ARGUMENTS 'x'"),
            in_bytes("Bytes.fill target ARGUMENTS 'x'"),
            RANGES,
        ),
        (
            in_bytes("Bytes.unsafe_blit target ARGUMENTS"),
            in_bytes("Bytes.blit target ARGUMENTS"),
            BLITS,
        ),
        (
            in_bytes('Bytes.unsafe_blit (Bytes.of_string "xyz") ARGUMENTS'),
            in_bytes('Bytes.blit (Bytes.of_string "xyz") ARGUMENTS'),
            BLITS,
        ),
        (
            in_bytes('Bytes.unsafe_blit_string "xyz" ARGUMENTS'),
            in_bytes('Bytes.blit_string "xyz" ARGUMENTS'),
            BLITS,
        ),
        (in_bytes('String.unsafe_blit "xyz" ARGUMENTS'), in_bytes('String.blit "xyz" ARGUMENTS'), BLITS),
    ],
)
def test_a_stand_in_behaves_as_the_checked_function(
    unchecked: str, checked: str, arguments: list[str] | tuple[str, ...], verifier: Verifier
) -> None:
    def tried(call: str) -> str:
        calls = "; ".join(f"try_ (fun () -> {call.replace('ARGUMENTS', given)})" for given in arguments)
        return f"[{calls}]"

    code = (
        "let try_ f = match f () with x -> Ok x | exception e -> Error (Printexc.to_string e)\n"
        f"let differ () = List.length (List.filter Fun.id (List.map2 ( <> ) {tried(unchecked)} {tried(checked)}))\n"
        f"let raise_ () = List.length (List.filter Result.is_error {tried(unchecked)})"
    )
    problem = function(
        "val differ : unit -> int\nval raise_ : unit -> int",
        "differ () = 0",
        f"(let n = raise_ () in n > 0 && n < {len(arguments)})",
    )
    assert verifier.verify(problem, code).passed


def test_a_character_above_255_raises(verifier: Verifier) -> None:
    code = "let f n = match Char.unsafe_chr n with 'a' -> 1 | 'b' -> 2 | 'c' -> 3 | 'd' -> 4 | '\\255' -> 5 | _ -> 6"
    verdict = verifier.verify(function("val f : int -> int", "f 98 = 2", "f 1_000_000 = 6", public=True), code)
    assert [test.outcome for test in verdict.tests] == [Outcome.PASSED, Outcome.RUNTIME_ERROR]
    assert verdict.tests[1].detail == '`f 1_000_000` raised `Invalid_argument "Char.chr"`'


def test_functions_without_a_checked_twin_stay_withheld(verifier: Verifier) -> None:
    for name in ("Uchar.unsafe_to_char", "Bytes.unsafe_escape", "Obj.magic"):
        assert verifier.verify(function("val f : int", "f = 1"), f"let f = {name}").outcome in {
            Outcome.FORBIDDEN,
            Outcome.TYPE_ERROR,  # if this version lacks it
        }

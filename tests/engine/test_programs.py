"""Programs that read standard input and print: right output, crashes, and limits."""

from __future__ import annotations

import pytest

from ocaml_env.problem import Limits
from ocaml_env.verdict import Outcome
from ocaml_env.verifiers.local import Verifier
from tests.engine.cases import outcomes, printed, prints, program


@pytest.mark.parametrize(
    ("expected", "literal", "same"),
    [
        ("1 2\n", "1 2\\n", True),
        ("1 2", "1 2\\n\\n\\n", True),
        ("1 2\n\n", "1 2", True),
        ("1 2", "1 2  \\t\\n", True),
        ("1\n2", "1 \\r\\n2\\r\\n", True),
        ("", "", True),
        ("", "\\n\\n", True),
        ("1 2", " 1 2", False),
        ("1 2", "1  2", False),
        ("1 2", "1\\n2", False),
        ("1\n2", "1\\n\\n2", False),
        ("1", "1.0", False),
        ("yes", "Yes", False),
        ("1", "1 2", False),
        ("1 2", "1", False),
        ("caf\u00e9 \u03bb", "caf\\195\\169 \\206\\187", True),
    ],
)
def test_only_trailing_blanks_and_final_newlines_do_not_count(
    verifier: Verifier, expected: str, literal: str, same: bool
) -> None:
    assert verifier.verify(prints(expected), f'let () = print_string "{literal}"').passed == same


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("3.14159", True),
        ("3.1416", True),
        ("3.15", False),
        ("3.14159 1", False),
        ("pi", False),
        ("nan", False),
    ],
)
def test_with_a_tolerance_numbers_may_differ_a_little(verifier: Verifier, text: str, same: bool) -> None:
    problem = program(("", "3.14159"), float_tolerance=1e-4)
    assert verifier.verify(problem, f'let () = print_endline "{text}"').passed == same


def test_each_run_is_a_fresh_process_with_its_own_input(verifier: Verifier) -> None:
    problem = program(("1\n", "1 1"), ("2\n", "2 1"), ("3\n", "3 1"))
    code = 'let n = ref 0\nlet () = incr n; Printf.printf "%d %d" (read_int ()) !n'
    assert verifier.verify(problem, code).passed


def test_output_is_seen_whether_the_program_flushes_or_not(verifier: Verifier) -> None:
    for ending in ("", "; flush stdout", '; print_string ""', "; exit 0", "; Format.print_flush ()"):
        assert verifier.verify(prints("x y"), f'let () = print_string "x y"{ending}').passed, ending


def test_every_way_of_printing_reaches_the_output_in_order(verifier: Verifier) -> None:
    code = (
        'let () = print_char \'a\'; print_int 1; print_float 2.; print_newline (); Printf.printf "%s" "b"; '
        'output_string stdout "c"; output_char stdout \'d\'; flush stdout; Format.printf "e@."; '
        'print_bytes (Bytes.of_string "f")'
    )
    assert verifier.verify(prints("a12.\nbcde\nf"), code).passed


def test_standard_error_does_not_count(verifier: Verifier) -> None:
    code = 'let () = prerr_endline "noise"; print_string "x"; Printf.eprintf "more"; Format.eprintf "%s@." "noise"'
    assert verifier.verify(prints("x"), code).passed


def test_output_of_exit_handlers_counts(verifier: Verifier) -> None:
    code = 'let () = at_exit (fun () -> print_string "1"); at_exit (fun () -> print_string "2"); print_string "3"'
    assert verifier.verify(prints("321"), code).passed


# --- input ---


SUM = "let rec go n = match next () with k -> go (n + k) | exception End_of_file -> n\nlet () = print_int (go 0)"
NEXT = "let lines = ref (String.split_on_char '\\n' (String.trim text))\nlet next () = match !lines with " + (
    "[] -> raise End_of_file | line :: rest -> lines := rest; int_of_string line"
)

READERS = {
    "input_line": "let next () = int_of_string (input_line stdin)",
    "read_line": "let next () = int_of_string (read_line ())",
    "read_int": "let next = read_int",
    "scanf": 'let next () = Scanf.scanf " %d" Fun.id',
    "input_char": "let b = Buffer.create 9\nlet () = try while true do Buffer.add_char b (input_char stdin) done "
    f"with End_of_file -> ()\nlet text = Buffer.contents b\n{NEXT}",
    "really_input_string": f"let text = really_input_string stdin (in_channel_length stdin)\n{NEXT}",
}


@pytest.mark.parametrize("reader", READERS.values(), ids=READERS)
@pytest.mark.parametrize("ending", ["\n", ""])
def test_input_is_read_to_its_end_in_any_way(verifier: Verifier, reader: str, ending: str) -> None:
    problem = prints("60\n", stdin="10\n20\n30" + ending)
    assert verifier.verify(problem, f"{reader}\n{SUM}").passed


def test_reading_past_the_end_of_input_is_a_runtime_error(verifier: Verifier) -> None:
    verdict = verifier.verify(prints("3", stdin="1\n"), "let () = print_int 3; ignore (read_int () + read_int ())")
    assert verdict.outcome is Outcome.RUNTIME_ERROR
    assert "End_of_file" in verdict.tests[0].detail


def test_an_input_of_two_megabytes_is_read_whole(verifier: Verifier) -> None:
    numbers = range(310_000)
    problem = program(
        ("\n".join(map(str, numbers)), str(sum(numbers))), limits=Limits(test_cpu_seconds=2, total_cpu_seconds=4)
    )
    assert sum(len(test.stdin or "") for test in problem.tests) > 2_000_000
    code = "let rec go n = match input_line stdin with s -> go (n + int_of_string s) | exception End_of_file -> n\n"
    assert verifier.verify(problem, f"{code}let () = print_int (go 0)").passed


def test_input_keeps_every_byte(verifier: Verifier) -> None:
    problem = prints("98 233 0 13 10", stdin="b\u00e9\x00\r\n")
    code = (
        "let s = really_input_string stdin 6\nlet code i = Char.code s.[i]\n"
        "let accented = ((code 1 land 31) lsl 6) lor (code 2 land 63)\n"
        'let () = Printf.printf "%d %d %d %d %d" (code 0) accented (code 3) (code 4) (code 5)'
    )
    assert verifier.verify(problem, code).passed


# --- ends ---


@pytest.mark.parametrize("code", ["exit 0", "()", "raise_notrace Exit"])
def test_only_a_good_end_passes(verifier: Verifier, code: str) -> None:
    verdict = verifier.verify(prints("right"), f'let () = print_string "right"; {code}')
    assert verdict.passed == (code != "raise_notrace Exit")


@pytest.mark.parametrize("code", [1, 2, 3, 42, 255, 256 + 7])
def test_a_nonzero_exit_code_after_right_output_is_a_runtime_error(verifier: Verifier, code: int) -> None:
    verdict = verifier.verify(prints("right"), f'let () = print_string "right"; exit {code}')
    assert verdict.outcome is Outcome.RUNTIME_ERROR
    assert str(code % 256) in verdict.tests[0].detail


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ('failwith "late"', 'Failure("late")'),
        ("raise Not_found", "Not_found"),
        ("ignore (List.hd [])", 'Failure("hd")'),
        ("ignore [| 1 |].(2)", "index out of bounds"),
        ('ignore (1 / (String.length ""))', "Division_by_zero"),
        ("at_exit (fun () -> raise Exit)", "Exit"),
        ("let rec deep n = 1 + deep n in ignore (deep 0)", "Stack"),
    ],
)
def test_an_uncaught_exception_after_right_output_is_a_runtime_error(
    verifier: Verifier, code: str, message: str
) -> None:
    verdict = verifier.verify(prints("right"), f'let () = print_string "right"; flush stdout; {code}')
    assert verdict.outcome is Outcome.RUNTIME_ERROR
    assert message in verdict.tests[0].detail


def test_an_exit_handler_cannot_undo_an_uncaught_exception(verifier: Verifier) -> None:
    code = 'let () = at_exit (fun () -> exit 0); print_string "right"; raise Not_found'
    assert verifier.verify(prints("right"), code).outcome is Outcome.RUNTIME_ERROR


def test_an_exception_that_cannot_be_printed_is_still_a_runtime_error(verifier: Verifier) -> None:
    hostile = (
        "exception Mine of int\nlet () = Printexc.register_printer (fun _ -> raise Exit)\n"
        "let () = Printexc.register_printer (fun _ -> while true do () done; None)\nlet () = raise (Mine 3)"
    )
    assert verifier.verify(prints(""), hostile).outcome is Outcome.RUNTIME_ERROR


def test_partial_output_before_an_endless_loop_is_a_timeout(verifier: Verifier) -> None:
    verdict = verifier.verify(prints("right"), 'let () = print_string "right"; flush stdout; while true do () done')
    assert verdict.outcome is Outcome.TIMEOUT
    assert not verdict.tests[0].returned


def test_an_endless_exit_handler_is_a_timeout(verifier: Verifier) -> None:
    code = 'let () = at_exit (fun () -> while true do () done); print_string "right"'
    assert verifier.verify(prints("right"), code).outcome is Outcome.TIMEOUT


# --- output ---


def test_output_at_the_limit_is_allowed_and_beyond_it_is_not(verifier: Verifier) -> None:
    problem = prints("x" * 8192, limits=Limits(output_kb=8))
    print_x = "let () = print_string (String.make {} 'x')".format
    assert verifier.verify(problem, print_x(8192)).passed
    assert verifier.verify(problem, print_x(8193)).outcome is Outcome.OUTPUT_LIMIT
    assert verifier.verify(problem, print_x(8191)).outcome is Outcome.TEST_FAILURE


def test_two_megabytes_of_output_are_compared_within_the_limit(verifier: Verifier) -> None:
    lines = "".join(f"{n}\n" for n in range(300_000))
    problem = prints(lines, limits=Limits(test_cpu_seconds=2, total_cpu_seconds=4, output_kb=4096))
    assert verifier.verify(problem, "let () = for n = 0 to 299_999 do print_int n; print_newline () done").passed
    assert not verifier.verify(problem, "let () = for n = 0 to 299_998 do print_int n; print_newline () done").passed


@pytest.mark.parametrize(
    "code",
    [
        'while true do print_string "x" done',
        'while true do print_endline "x" done',
        'let rec go () = (try print_endline "xxxxxxxx" with _ -> ()); go () in go ()',
        "print_string (String.make 100_000_000 'x')",
        'at_exit (fun () -> while true do print_endline "x" done)',
    ],
)
def test_too_much_output_is_an_output_limit_whatever_is_caught(verifier: Verifier, code: str) -> None:
    assert verifier.verify(prints("x"), f"let () = {code}").outcome is Outcome.OUTPUT_LIMIT


def test_endless_errors_do_not_count_as_output(verifier: Verifier) -> None:
    code = 'let () = while true do prerr_string "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx" done'
    assert verifier.verify(prints("x"), code).outcome is Outcome.TIMEOUT


@pytest.mark.parametrize("code", ["close_out stdout", "close_in stdin", "close_out stderr"])
def test_a_program_may_close_its_channels(verifier: Verifier, code: str) -> None:
    assert verifier.verify(prints("right"), f'let () = print_string "right"; {code}').passed


def test_output_after_closing_standard_output_is_lost(verifier: Verifier) -> None:
    verdict = verifier.verify(prints("right"), 'let () = close_out_noerr stdout; print_string "right"')
    assert not verdict.passed


def test_binary_output_matches_no_text(verifier: Verifier) -> None:
    code = "let () = print_string (String.init 256 Char.chr)"
    verdict = verifier.verify(prints("x"), code)
    assert verdict.outcome is Outcome.TEST_FAILURE
    assert verifier.verify(prints("\ufffd"), 'let () = print_string "\\255"').outcome is Outcome.TEST_FAILURE
    assert verifier.verify(prints("a\x00b"), 'let () = print_string "a\\000b"').passed


def test_the_detail_of_a_wrong_answer_shows_the_start_of_its_output(verifier: Verifier) -> None:
    assert printed(verifier.verify(prints("x"), 'let () = print_string "hello"')) == "hello"
    assert len(printed(verifier.verify(prints("x"), "let () = print_string (String.make 9999 'y')"))) < 400


def test_a_caught_refusal_of_memory_is_the_memory_limit(verifier: Verifier) -> None:
    hoard = "try ignore (Array.make 100_000_000 0) with Out_of_memory -> ()"
    for ending in ("", "; exit 0"):
        verdict = verifier.verify(prints("x"), f'let () = ({hoard}); print_string "x"{ending}')
        assert verdict.outcome is Outcome.MEMORY_LIMIT


def test_out_of_memory_raised_by_the_program_itself_is_a_runtime_error(verifier: Verifier) -> None:
    assert verifier.verify(prints("x"), "let () = raise Out_of_memory").outcome is Outcome.RUNTIME_ERROR
    assert verifier.verify(prints("x"), 'let () = try raise Out_of_memory with _ -> print_string "x"').passed


def test_runs_are_evaluated_in_order(verifier: Verifier) -> None:
    problem = program(("1", "1"), ("2", "2"), ("3", "3"))
    verdict = verifier.verify(
        problem, "let () = match read_int () with 2 -> exit 1 | 3 -> print_int 4 | n -> print_int n"
    )
    assert outcomes(verdict) == [Outcome.PASSED, Outcome.RUNTIME_ERROR, Outcome.TEST_FAILURE]
    assert verdict.outcome is Outcome.RUNTIME_ERROR

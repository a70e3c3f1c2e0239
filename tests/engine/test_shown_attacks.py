"""The details and feedback on examples show nothing of hidden tests, whatever a candidate does.

Each attack fails the examples and puts all its knowledge into its answer. As a control the hidden tests are made
examples: then the answer shows them, so the attack would work. `Verifier(_filter=False)` stands for a candidate that
controls its process.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from ocaml_env.feedback import feedback
from ocaml_env.problem import Problem, Test
from ocaml_env.verdict import Outcome, Verdict
from ocaml_env.verifiers.local import Verifier
from tests.engine.cases import function, outcomes, program
from tests.engine.processes import children, descendants
from tests.engine.test_sandbox import SCAN_GLOBALS
from tests.engine.test_values import string

SECRET = "secret_71"
NUMBER = 71
EXAMPLES = (Test("f 1 = 0", public=True), Test("f 2 = 0", public=True))
HIDDEN = (Test(f"f {NUMBER} = 0", name=f"{SECRET} a"), Test(f"f ({NUMBER} + 0) = 0", name=f"{SECRET} b"))


def told(problem: Problem, verdict: Verdict) -> str:
    """Returns all text about an answer that leaves the verifier, except names and counts."""
    return "\n".join([*(test.detail for test in verdict.tests), feedback(problem, verdict)])


def with_tests(problem: Problem, *tests: Test) -> Problem:
    return replace(problem, tests=tests)


def asked(signature: str, *, opened: bool, prelude: str = "") -> Problem:
    """Makes a problem of examples and hidden tests. With ``opened`` the hidden tests come first, as examples."""
    tests = (*(replace(test, public=True) for test in HIDDEN), *EXAMPLES) if opened else (*HIDDEN, *EXAMPLES)
    return with_tests(function(signature, "f 0 = 0", prelude=prelude), *tests)


REMEMBERS = 'let seen = ref []\nlet note x = seen := x :: !seen; String.concat "," (List.map string_of_int !seen)\n'
INT = "val f : int -> int"
ATTACKS = {
    "it returns its arguments": (INT, "let f x = ignore (note x); List.nth !seen (List.length !seen - 1)"),
    "it raises its arguments": (INT, "let f x = failwith (note x)"),
    "it raises an exception of its own": (
        INT,
        "exception Told of int * string\nlet f x = let s = note x in raise (Told (List.length !seen, s))",
    ),
    "it raises an exception of the signature": (
        f"exception Told of string list\n{INT}",
        "exception Told of string list\nlet f x = raise (Told [note x])",
    ),
    "it raises by another name": (
        INT,
        f"exception Input_{NUMBER}\nexception Other\n"
        f"let f x = ignore (note x); raise (if List.mem {NUMBER} !seen then Input_{NUMBER} else Other)",
    ),
    "it prints its arguments": (INT, "let f x = print_endline (note x); prerr_endline (note x); failwith (note x)"),
    "it asserts": (
        INT,
        f'let f x = ignore (note x); if List.mem {NUMBER} !seen then invalid_arg "{NUMBER}" else assert false',
    ),
    "it draws at random from what it was asked": (INT, "let f x = Random.init x; failwith (note x)"),
    "it fails when it is first asked": (
        INT,
        "let first = ref true\nlet f x = ignore (note x); if !first then (first := false; 5) else failwith (note 0)",
    ),
    "it overflows the stack": (
        INT,
        "let rec deep n = 1 + deep (n + 1)\n"
        "let f x = match deep (String.length (note x)) with n -> n | exception Stack_overflow -> failwith (note 0)",
    ),
}


@pytest.mark.parametrize("attack", ATTACKS)
def test_an_attack_shows_examples_and_nothing_hidden(verifier: Verifier, attack: str) -> None:
    signature, code = ATTACKS[attack][0], REMEMBERS + ATTACKS[attack][1]
    hidden = asked(signature, opened=False)
    verdict = verifier.verify(hidden, code)
    assert verdict.tests, verdict.diagnostics
    assert str(NUMBER) not in told(hidden, verdict)
    assert all(test.detail for test in verdict.tests if test.public)
    open_ = asked(signature, opened=True)
    assert str(NUMBER) in told(open_, verifier.verify(open_, code)).replace(SECRET, "")


@pytest.mark.parametrize(
    "code",
    [
        "let () = at_exit (fun () -> failwith (note 0))\nlet f x = failwith (note x)",
        "let f x = Gc.finalise (fun _ -> failwith (note 0)) (ref x); failwith (note x)",
    ],
)
def test_functions_that_run_code_later_are_withheld(verifier: Verifier, code: str) -> None:
    assert verifier.verify(asked(INT, opened=False), REMEMBERS + code).outcome is Outcome.FORBIDDEN


def test_a_registered_printer_of_exceptions_is_not_used(verifier: Verifier) -> None:
    code = (
        "exception E\nlet () = Printexc.register_printer (fun _ -> Some (note 0))\nlet f x = ignore (note x); raise E"
    )
    verdict = verifier.verify(asked(INT, opened=True), REMEMBERS + code)
    assert [test.detail for test in verdict.tests if test.public][-1] == "`f 2` raised `E`"


@pytest.mark.parametrize("measure", ["(Gc.quick_stat ()).Gc.heap_words", "int_of_float (Gc.minor_words ())"])
def test_the_size_of_a_process_does_not_reveal_hidden_tests(verifier: Verifier, measure: str) -> None:
    """The candidate's constants come after those of all tests."""
    code = f"let f _ = -1 - {measure}"
    few, many = (
        function(INT, *EXAMPLES, *(Test(f'f (int_of_string "{n}") = 0') for n in range(count))) for count in (1, 50)
    )
    details = [[test.detail for test in verifier.verify(problem, code).tests][:2] for problem in (few, many)]
    assert details[0] == details[1]
    assert all(details[0])


def test_mutable_values_are_shown_as_they_were_at_the_time(verifier: Verifier) -> None:
    """Every call returns the same reference, array and bytes."""
    signature = "val f : int -> int list ref * int array * bytes"
    code = (
        "let r = ref [] and a = Array.make 3 0 and b = Bytes.make 3 'a'\n"
        "let f x = r := x :: !r; a.(List.length !r mod 3) <- x; Bytes.set b 0 (Char.chr (x + 40)); (r, a, b)"
    )
    tests = [Test(f"f {n} = (ref [], [||], Bytes.empty)", public=n < 10) for n in (1, 2, NUMBER, NUMBER)]
    problem = function(signature, *tests)
    details = [test.detail for test in verifier.verify(problem, code).tests]
    assert '({contents = [1]}, [|0; 1; 0|], Bytes.of_string ")aa")' in details[0]
    assert '({contents = [2; 1]}, [|0; 1; 2|], Bytes.of_string "*aa")' in details[1]
    assert details[2:] == ["", ""]


def test_lazy_values_and_functions_are_not_inspected(verifier: Verifier) -> None:
    signature = "val f : int -> (int lazy_t * (unit -> int)) option"
    code = "let seen = ref 0\nlet f x = seen := !seen + x; Some (lazy !seen, fun () -> !seen)"
    problem = function(signature, *(Test(f"f {n} = None", public=n < 10) for n in (1, 71)))
    assert verifier.verify(problem, code).tests[0].detail == "`f 1` gave `Some (<lazy>, <fun>)`, expected `None`"


def test_a_call_counter_counts_only_the_examples(verifier: Verifier) -> None:
    problem = asked(INT, opened=False)
    verdict = verifier.verify(problem, "let asked = ref 0\nlet f _ = incr asked; !asked")
    assert [test.detail for test in verdict.tests if test.public] == [
        "`f 1` gave `1`, expected `0`",
        "`f 2` gave `2`, expected `0`",
    ]


def test_feedback_on_a_raising_hidden_test_gives_only_its_kind(verifier: Verifier) -> None:
    code = f"let f n = if n = {NUMBER} then failwith (string_of_int n) else n"
    problem = asked(INT, opened=False)
    text = told(problem, verifier.verify(problem, code))
    assert "ended with an error" in text
    assert str(NUMBER) not in text


def test_names_of_hidden_tests_are_not_shown(verifier: Verifier) -> None:
    problem = asked(INT, opened=False)
    assert SECRET not in told(problem, verifier.verify(problem, "let f n = n"))


def test_a_partly_right_answer_shows_nothing_hidden(verifier: Verifier) -> None:
    problem = asked(f"{INT}\nval g : int -> int", opened=False)
    verdict = verifier.verify(problem, REMEMBERS + "let f x = failwith (note x)\nlet g n = n ^ 1")
    assert verdict.partial == ("f",)
    assert [test.detail for test in verdict.tests if test.public] == [
        '`f 1` raised `Failure "1"`',
        '`f 2` raised `Failure "2,1"`',
    ]
    assert str(NUMBER) not in told(problem, verdict)


def test_a_test_inside_shows_nothing_hidden(verifier: Verifier) -> None:
    tests = [Test(f"(let a = f {n} in a == {n} + 1 && sorted a)", public=n < 10) for n in (1, 2, NUMBER)]
    problem = function(INT, *tests, prelude="let sorted _ = true")
    assert len(verifier.inside(problem)) == 3
    verdict = verifier.verify(problem, REMEMBERS + "let f x = int_of_string (note x)")
    assert outcomes(verdict)[0] is Outcome.TEST_FAILURE
    assert str(NUMBER) not in told(problem, verdict)


# --- values of a false type -------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def unfiltered() -> Iterator[Verifier]:
    with Verifier(workers=1, _filter=False, cache_size=0) as verifier:
        yield verifier


TYPES = """
type flat = { x : float; y : float }
type 'a tree = Leaf | Node of 'a tree * 'a * 'a tree
type t = A | B of int | C of { a : int; b : string } | D of t * t
type loop = Loop of loop [@@unboxed]
"""
CLAIMED = [
    "int", "char", "bool", "unit", "float", "string", "bytes", "int32", "int64", "nativeint", "int list", "float array",
    "string array", "int * string", "flat", "flat array", "int tree", "t", "t list", "[ `A | `B of int ]", "exn",
    "int ref", "(int, string) result", "int option list", "int lazy_t", "int -> int", "< m : int >",
    "(int, int) Hashtbl.t", "loop", "loop array",
]  # fmt: skip
LIES = {
    "a small number": "magic 0",
    "a large number": "magic max_int",
    "a negative number": "magic (-7)",
    "text": 'magic "text"',
    "a number with a point": "magic 1.5",
    "many of them": "magic (Array.make 300 1.5)",
    "a long text": "magic (String.make 100_000 'x')",
    "a list": "magic [1; 2; 3]",
    "a tuple": 'magic ("a", 2, 3.5)',
    "a cycle": "magic (let rec c = 1 :: c in c)",
    "a cycle of pairs": "magic (let rec c = `Left (d, d) and d = `Right (c, c) in c)",
    "a function": "magic (fun x -> x)",
    "an object": "magic (object method m = 1 end)",
    "an exception": "magic (Failure (String.make 1000 'y'))",
    "a table": "magic (Hashtbl.create 100)",
    "a boxed number": "magic 3L",
    "a long list": "magic (List.init 100_000 Fun.id)",
    "a deep tree": "magic (List.fold_left (fun t n -> Node (t, n, Leaf)) Leaf (List.init 100_000 Fun.id))",
    "a block of another tag": "magic (Error 3)",
    "a block of many": "magic (Array.init 1000 string_of_int)",
    "raw bytes": 'magic "\\255\\000\\200"',
    "a lazy value": "magic (lazy (String.length \"\"))",
}  # fmt: skip


@pytest.mark.parametrize("lie", LIES)
def test_a_value_of_a_false_type_has_a_short_text(unfiltered: Verifier, lie: str) -> None:
    names = [f"f{i}" for i in range(len(CLAIMED))]
    signature = TYPES + "".join(f"val {name} : int -> {kind}\n" for name, kind in zip(names, CLAIMED, strict=True))
    tests = [Test(f"match {name} {i} with _ -> false", public=True) for i, name in enumerate(names)]
    problem = with_tests(function(signature, "f0 0 = f0 0"), *tests)
    code = TYPES + "external magic : 'a -> 'b = \"%identity\"\n"
    code += "".join(f"let {name} _ = {LIES[lie]}\n" for name in names)
    verdict = unfiltered.verify(problem, code)
    assert len(verdict.tests) == len(tests), verdict.diagnostics
    for test in verdict.tests:
        assert test.outcome is not Outcome.PASSED
        assert " gave `" in test.detail, test
        assert len(test.detail) < 400
    assert verdict == unfiltered.verify(problem, code)


FORGE = """external text : char -> string -> unit = "ocaml_env_report_text"
external leave : int -> 'a = "ocaml_env_leave"
let number n = String.init 8 (fun i -> Char.chr (if i = 0 then n else 0))
let f _ =
  for part = 0 to 1 do text 'L' (KIND ^ number part ^ BYTES) done;
  text 'L' ("w" ^ number 2 ^ "i" ^ number 0);
  text 'V' ("i" ^ number 0);
  leave 3
"""
heads = st.tuples(
    st.sampled_from("ibstdDlLNE?x"),
    st.one_of(st.integers(0, 3), st.sampled_from([256, 512, 513, 768, 1792, 2**40, 2**62, 2**63 - 1, -1])),
).map(lambda head: head[0].encode() + head[1].to_bytes(8, "little", signed=True))
forged_bytes = st.lists(st.one_of(heads, st.binary(max_size=9)), max_size=30).map(b"".join)


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from("wy"), forged_bytes)
@example("y", b"b" + (2**62).to_bytes(8, "little") + b"E" + (1).to_bytes(8, "little") + b"x")
def test_any_forged_bytes_have_a_short_text(unfiltered: Verifier, kind: str, forged: bytes) -> None:
    signature = TYPES + "val f : int -> (exn * t * int tree * float array * string * [ `A of int ] * flat) list"
    code = FORGE.replace("KIND", f'"{kind}"').replace("BYTES", string(forged))
    problem = function(signature, Test("f 1 = []", public=True), Test("f 2 = []", public=True))
    verdict = unfiltered.verify(problem, TYPES + code)
    assert not verdict.passed
    assert verdict.tests[0].detail.startswith("`f 1` ")
    assert len(verdict.tests[0].detail) < 400


def test_no_number_of_reports_is_a_fault(unfiltered: Verifier) -> None:
    show = """external show : int -> 'a -> 'a = "ocaml_env_show"
let f n = for i = -3 to 2000 do ignore (show i (List.init 10 (fun _ -> String.make 100 'x'))) done; n"""
    verdict = unfiltered.verify(asked(INT, opened=False), show)
    assert all(len(test.detail) < 700 for test in verdict.tests)


# --- memory of a controlled process -----------------------------------------------------------------------------------

SCAN = SCAN_GLOBALS.replace("the-right-", SECRET)
SCANS = SCAN + "let look () = found := false; Hashtbl.reset seen; Array.iter (scan 0) (globals ()); !found\n"


def texts(*, opened: bool) -> Problem:
    hidden = Test(f'f "{SECRET} is hidden" = "x"', public=opened)
    return function("val f : string -> string", Test('f "" = "x"', public=True), hidden)


def test_the_process_of_examples_holds_no_hidden_test(unfiltered: Verifier) -> None:
    code = SCANS + 'let f _ = if look () then "found it" else "nothing"'
    assert "nothing" in unfiltered.verify(texts(opened=False), code).tests[0].detail
    assert "found it" in unfiltered.verify(texts(opened=True), code).tests[0].detail


def test_answering_differently_beside_hidden_tests_shows_nothing(unfiltered: Verifier) -> None:
    """It fails the example if its memory holds hidden tests, and passes it in the process that holds none."""
    code = SCANS + 'let f _ = if look () then "wrong" else "x"'
    verdict = unfiltered.verify(texts(opened=False), code)
    assert outcomes(verdict)[0] is Outcome.TEST_FAILURE
    assert verdict.tests[0].detail == ""


def holds(pid: int, text: bytes) -> bool:
    """Says if a text is anywhere in a process's memory."""
    with Path(f"/proc/{pid}/mem").open("rb", 0) as memory:
        for line in Path(f"/proc/{pid}/maps").read_text().splitlines():
            start, end = (int(part, 16) for part in line.split()[0].split("-"))
            if " r" not in line or "[v" in line:
                continue
            try:
                memory.seek(start)
                if text in memory.read(end - start):
                    return True
            except (OSError, ValueError):
                pass
    return False


def left_in_runners(problem: Problem, code: str) -> set[tuple[bool, bool]]:
    """Says for each runner of a used verifier if it still holds the text of an example and of a hidden test."""
    with Verifier(workers=1, cache_size=0) as verifier:
        before = set(children(os.getpid()))
        for other in range(3):
            assert verifier.verify(problem, f"{code} (* {other} *)").tests[0].detail
        started = set(children(os.getpid())) - before
        runners = [
            pid
            for checker in started
            for pid in descendants(checker)
            if Path(f"/proc/{pid}/exe").readlink().name == "runner"
        ]
        assert runners
        try:
            return {(holds(pid, b"shown_words"), holds(pid, b"hidden_words")) for pid in runners}
        except PermissionError:
            pytest.skip("the memory of other processes cannot be read here")


def test_a_runner_keeps_no_text_of_a_functions_tests() -> None:
    tests = [Test('f "shown_words" = "x"', public=True), *(Test(f'f "hidden_words {n}" = "{n}"') for n in range(9))]
    problem = function("val f : string -> string", *tests)
    assert left_in_runners(problem, 'let f _ = "y"') == {(False, False)}


def test_the_runner_of_a_programs_examples_holds_no_hidden_input() -> None:
    """A child is a copy of its runner, with all inputs left in its memory."""
    tests = [
        Test(stdin="shown_words", stdout="x", public=True),
        Test(stdin="hidden_words\n" * 3, stdout="hidden_words"),
    ]
    left = left_in_runners(with_tests(program(("", "")), *tests), 'let () = print_string "y"')
    assert left == {(True, False), (False, True)}


# --- programs ---------------------------------------------------------------------------------------------------------


def test_a_program_shows_its_first_differing_line_on_examples_only(verifier: Verifier) -> None:
    problem = with_tests(
        program(("", "")),
        Test(stdin="1\n", stdout="a\nb\nc\n", public=True),
        Test(stdin=f"{NUMBER}\n", stdout="q\n"),
        Test(stdin="2\n", stdout="a\nb\n", public=True),
        Test(stdin="3\n", stdout="a\nx\ny\nz\n", public=True),
    )
    code = 'let n = read_line ()\nlet () = print_string ("a\\nx\\n" ^ n ^ "\\n")'
    verdict = verifier.verify(problem, code)
    assert [test.detail for test in verdict.tests] == [
        "line 2: expected `b`, got `x`",
        "",
        "line 2: expected `b`, got `x`",
        "line 3: expected `y`, got `3`",
    ]
    assert str(NUMBER) not in told(problem, verdict)


# --- determinism ------------------------------------------------------------------------------------------------------


def test_several_workers_give_the_same_verdicts_again_and_again(verifier: Verifier) -> None:
    pairs = [(asked(signature, opened=False), REMEMBERS + code) for signature, code in ATTACKS.values()]
    with Verifier(workers=2, cache_size=0) as several:
        first = several.verify_many(pairs * 3)
    assert first[: len(pairs)] == first[len(pairs) : 2 * len(pairs)] == first[2 * len(pairs) :]
    assert first[: len(pairs)] == verifier.verify_many(pairs)

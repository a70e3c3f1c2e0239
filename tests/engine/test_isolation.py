"""A bad test costs only itself, and a limit is attributed to its cause, even if the candidate catches the exception."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from benchmarks.performance.processes import descendants
from ocaml_env.problem import Limits, Problem
from ocaml_env.verdict import Outcome
from ocaml_env.verifiers.local import Verifier
from tests.engine.cases import function, outcomes, program

PASSED, TIMEOUT, MEMORY_LIMIT = Outcome.PASSED, Outcome.TIMEOUT, Outcome.MEMORY_LIMIT
RUNTIME_ERROR, TEST_FAILURE = Outcome.RUNTIME_ERROR, Outcome.TEST_FAILURE

SPLIT = function("val f : int -> int", *(f"f {n} = {n}" for n in range(1, 6)))
BOOLEAN = function("val f : int -> int", *(f"f {n} = f {n} && f {n} > {n - 1}" for n in range(1, 6)))

HUGE = "Array.length (Array.make 100_000_000 0)"
DEEP = "let rec deep n = 1 + deep (n + 1)"

ENDINGS = {
    "infinite loop": ("let rec loop n = loop (n + 1)", "loop 0", TIMEOUT),
    "loop without allocation": ("", "while true do () done; 0", TIMEOUT),
    "loop that catches everything": (
        "let rec stubborn n = try while true do ignore (Sys.opaque_identity n) done; 0 with _ -> stubborn n",
        "stubborn 0",
        TIMEOUT,
    ),
    "loop that allocates": ("", "while true do ignore (Sys.opaque_identity (ref 0)) done; 0", TIMEOUT),
    "exception": ("", "raise Not_found", RUNTIME_ERROR),
    "out of bounds": ("", "[| 1 |].(3)", RUNTIME_ERROR),
    "stack overflow": (DEEP, "deep 0", RUNTIME_ERROR),
    "memory": ("", HUGE, MEMORY_LIMIT),
    "memory, bit by bit": (
        "let rec hoard l = hoard (Sys.opaque_identity (Bytes.create 1_000_000) :: l)",
        "hoard []",
        MEMORY_LIMIT,
    ),
    "memory, in small pieces": ("let rec hoard l n = hoard (n :: l) (n + 1)", "hoard [] 0", MEMORY_LIMIT),
    "memory refused and caught": ("", f"try {HUGE} with _ -> 3", MEMORY_LIMIT),
    "Out_of_memory of its own": ("", "raise Out_of_memory", RUNTIME_ERROR),
    "Stack_overflow of its own": ("", "raise Stack_overflow", RUNTIME_ERROR),
    "Out_of_memory of its own, caught": ("", "try raise Out_of_memory with _ -> 3", PASSED),
    "stack overflow, caught": (DEEP, "try deep 0 with Stack_overflow -> 3", PASSED),
}


@pytest.mark.parametrize("problem", [SPLIT, BOOLEAN], ids=["values", "booleans"])
@pytest.mark.parametrize(("definitions", "third", "outcome"), ENDINGS.values(), ids=ENDINGS)
def test_a_test_that_ends_badly_costs_only_itself(
    verifier: Verifier, problem: Problem, definitions: str, third: str, outcome: Outcome
) -> None:
    problem = replace(problem, limits=Limits(test_cpu_seconds=0.5, total_cpu_seconds=4))
    verdict = verifier.verify(problem, f"{definitions}\nlet f n = if n = 3 then ({third}) else n")
    assert outcomes(verdict) == [PASSED, PASSED, outcome, PASSED, PASSED]


@pytest.mark.parametrize("problem", [SPLIT, BOOLEAN], ids=["values", "booleans"])
def test_several_bad_tests_each_cost_only_themselves(verifier: Verifier, problem: Problem) -> None:
    problem = replace(problem, limits=Limits(test_cpu_seconds=0.3, total_cpu_seconds=4))
    code = f"let f n = match n with 1 -> raise Exit | 3 -> {HUGE} | 4 -> while true do () done; 4 | n -> n"
    assert outcomes(verifier.verify(problem, code)) == [RUNTIME_ERROR, PASSED, MEMORY_LIMIT, TIMEOUT, PASSED]


def test_a_bad_run_of_a_program_costs_only_itself(verifier: Verifier) -> None:
    problem = program(*((f"{n}\n", f"{n}\n") for n in range(1, 7)), limits=Limits(total_cpu_seconds=4))
    code = (
        f"{DEEP}\nlet () = match read_int () with 2 -> while true do () done | 3 -> ignore ({HUGE}) | 4 -> raise Exit\n"
        "| 5 -> ignore (deep 0) | n -> print_int n"
    )
    expected = [PASSED, TIMEOUT, MEMORY_LIMIT, RUNTIME_ERROR, RUNTIME_ERROR, PASSED]
    assert outcomes(verifier.verify(problem, code)) == expected


@pytest.mark.parametrize("problem", [SPLIT, BOOLEAN], ids=["values", "booleans"])
def test_tests_after_the_total_budget_are_timeouts(verifier: Verifier, problem: Problem) -> None:
    problem = replace(problem, limits=Limits(test_cpu_seconds=0.2, total_cpu_seconds=0.4))
    verdict = verifier.verify(problem, "let rec f n = if n = 1 then 1 else f n")
    assert outcomes(verdict) == [PASSED, *[TIMEOUT] * 4]
    assert verdict.cpu_seconds < 4


def test_runs_of_a_program_after_the_total_budget_are_timeouts(verifier: Verifier) -> None:
    problem = program(*(("1\n", "1"),) * 6, limits=Limits(test_cpu_seconds=0.2, total_cpu_seconds=0.4))
    verdict = verifier.verify(problem, "let rec f () : int = f () in print_int (f ())")
    assert outcomes(verdict) == [TIMEOUT] * 6
    assert verdict.cpu_seconds < 4


def test_a_slow_right_answer_is_a_timeout(verifier: Verifier) -> None:
    """The process is killed only at twice its limit, but an answer after the limit does not count."""
    problem = replace(SPLIT, limits=Limits(test_cpu_seconds=0.02, total_cpu_seconds=2))
    spin = "let spin () = for i = 1 to 100_000_000 do ignore (Sys.opaque_identity i) done"
    verdict = verifier.verify(problem, f"{spin}\nlet f n = if n = 2 then spin (); n")
    assert outcomes(verdict) == [PASSED, TIMEOUT, PASSED, PASSED, PASSED]


SPIN = "let spin n = for i = 1 to n do ignore (Sys.opaque_identity i) done\n"


@pytest.fixture(scope="module")
def turns(verifier: Verifier) -> Callable[[float], int]:
    """Returns a function from CPU seconds to turns of ``spin`` on this machine."""
    count = 50_000_000
    patient = program(("", "ready"), limits=Limits(test_cpu_seconds=20, total_cpu_seconds=20))
    spent = min(
        verifier.verify(patient, f'{SPIN}let () = spin {count}; print_string "ready" (* {n} *)').cpu_seconds
        for n in range(3)
    )
    return lambda seconds: round(count * seconds / spent)


@pytest.mark.parametrize("factor", [1.4, 5], ids=["answered late", "killed"])
@pytest.mark.parametrize("problem", [SPLIT, BOOLEAN], ids=["values", "booleans"])
def test_a_slow_test_costs_the_same_however_it_ends(
    verifier: Verifier, turns: Callable[[float], int], problem: Problem, factor: float
) -> None:
    code = f"{SPIN}let f n = if n = 2 || n = 3 then spin {turns(0.1 * factor)}; n"
    for prices, rest in [(2, TIMEOUT), (3, PASSED)]:
        limits = Limits(test_cpu_seconds=0.1, total_cpu_seconds=0.2 * prices)
        verdict = verifier.verify(replace(problem, limits=limits), code)
        assert outcomes(verdict) == [PASSED, TIMEOUT, TIMEOUT, rest, rest]


@pytest.mark.parametrize("factor", [1.4, 5], ids=["answered late", "killed"])
def test_a_slow_run_of_a_program_costs_the_same_however_it_ends(
    verifier: Verifier, turns: Callable[[float], int], factor: float
) -> None:
    problem = program(*((f"{n}\n", f"{n}\n") for n in range(1, 6)))
    code = f"{SPIN}let () = let n = read_int () in if n = 2 || n = 3 then spin {turns(0.1 * factor)}; print_int n"
    for prices, rest in [(2, TIMEOUT), (3, PASSED)]:
        limits = Limits(test_cpu_seconds=0.1, total_cpu_seconds=0.2 * prices)
        verdict = verifier.verify(replace(problem, limits=limits), code)
        assert outcomes(verdict) == [PASSED, TIMEOUT, TIMEOUT, rest, rest]


@pytest.mark.parametrize("kind", ["function", "program"])
@pytest.mark.parametrize(("factor", "outcome"), [(1.2, RUNTIME_ERROR), (3, TIMEOUT)], ids=["answered late", "killed"])
def test_a_late_stack_overflow_is_a_runtime_error_unless_killed(
    verifier: Verifier, turns: Callable[[float], int], kind: str, factor: float, outcome: Outcome
) -> None:
    limits = Limits(test_cpu_seconds=0.4, total_cpu_seconds=4)
    if kind == "function":
        code, problem = (
            f"{SPIN}{DEEP}\nlet f n = spin {turns(0.4 * factor)}; deep n",
            function("val f : int -> int", "f 1 = 1"),
        )
    else:
        code, problem = f"{SPIN}{DEEP}\nlet () = spin {turns(0.4 * factor)}; ignore (deep 1)", program(("", "1"))
    assert outcomes(verifier.verify(replace(problem, limits=limits), code)) == [outcome]


@pytest.mark.parametrize("kind", ["function", "program"])
def test_a_stack_overflow_costs_a_quarter_of_a_killed_test(verifier: Verifier, kind: str) -> None:
    if kind == "function":
        code, problem = (
            f"{DEEP}\nlet f n = if n < 5 then deep n else n",
            function("val f : int -> int", *(f"f {n} = {n}" for n in range(1, 7))),
        )
    else:
        code = f"{DEEP}\nlet () = let n = read_int () in print_int (if n < 5 then deep n else n)"
        problem = program(*((f"{n}\n", f"{n}\n") for n in range(1, 7)))
    for total, rest in [(0.6, TIMEOUT), (0.75, PASSED)]:  # four times a quarter of 0.6 is 0.6
        limits = Limits(test_cpu_seconds=0.3, total_cpu_seconds=total)
        assert outcomes(verifier.verify(replace(problem, limits=limits), code)) == [RUNTIME_ERROR] * 4 + [rest] * 2


@pytest.mark.parametrize("kind", ["function", "program"])
def test_answers_in_time_cost_nothing_up_to_four_times_the_total(
    verifier: Verifier, turns: Callable[[float], int], kind: str
) -> None:
    limits = Limits(test_cpu_seconds=0.2, total_cpu_seconds=0.2)
    if kind == "function":
        code, problem = f"{SPIN}let f n = spin {turns(0.12)}; n", function("val f : int -> int", *["f 1 = 1"] * 12)
    else:
        code, problem = f"{SPIN}let () = spin {turns(0.12)}; print_int 1", program(*[("", "1")] * 12)
    found = outcomes(verifier.verify(replace(problem, limits=limits), code))
    assert found[:3] == [PASSED] * 3, "they took almost twice the total"
    assert found[-3:] == [TIMEOUT] * 3, "they would have taken seven times the total"
    assert found == sorted(found, key=[PASSED, TIMEOUT].index)


def test_memory_that_is_given_back_does_not_add_up_over_tests(verifier: Verifier) -> None:
    problem = replace(SPLIT, limits=Limits(test_cpu_seconds=0.5, total_cpu_seconds=4, memory_mb=64))
    assert verifier.verify(problem, "let f n = Bytes.length (Bytes.create 30_000_000) - 30_000_000 + n").passed


def test_a_larger_memory_limit_admits_what_a_smaller_one_refuses(verifier: Verifier) -> None:
    code = "let f n = Bytes.length (Bytes.create 40_000_000) - 40_000_000 + n"
    small, large = (replace(SPLIT, limits=Limits(memory_mb=size)) for size in (32, 96))
    assert verifier.verify(small, code).outcome is MEMORY_LIMIT
    assert verifier.verify(large, code).passed


def test_tests_share_a_process_so_state_carries_over_in_order(verifier: Verifier) -> None:
    counts = function("val next : unit -> int", "next () = 1", "next () = 2", "next () = 3")
    assert verifier.verify(counts, "let n = ref 0\nlet next () = incr n; !n").passed


def test_after_a_crash_the_remaining_tests_start_from_fresh_state(verifier: Verifier) -> None:
    counts = function("val next : unit -> int", *(f"next () = {n}" for n in (1, 2, 3, 1, 2)))
    crash = "let n = ref 0\nlet next () = incr n; if !n = 3 then while true do () done; !n"
    assert outcomes(verifier.verify(counts, crash)) == [PASSED, PASSED, TIMEOUT, PASSED, PASSED]


def test_an_exception_does_not_end_the_process(verifier: Verifier) -> None:
    counts = function("val next : unit -> int", *(f"next () = {n}" for n in (1, 2, 3, 4)))
    raises = "let n = ref 0\nlet next () = incr n; if !n = 2 then failwith (string_of_int !n); !n"
    assert outcomes(verifier.verify(counts, raises)) == [PASSED, RUNTIME_ERROR, PASSED, PASSED]


def test_the_prelude_starts_anew_with_the_candidate(verifier: Verifier) -> None:
    problem = function(
        "val f : int -> int",
        "note (f 1) = 1",
        "note (f 2) = 2",
        "note (f 3) = 1",
        prelude="let calls = ref 0\nlet note (_ : int) = incr calls; !calls",
    )
    assert verifier.verify(problem, "let f n = n").outcome is TEST_FAILURE
    crash = "let f n = if n = 2 then while true do () done; n"
    assert outcomes(verifier.verify(problem, crash)) == [PASSED, TIMEOUT, PASSED]


PURE = [
    "let f n = n",
    "let f n = if n mod 2 = 0 then n else raise Exit",
    "let rec f n = if n = 4 then f n else n",
    f"let f n = if n < 3 then {HUGE} else n",
    f"{DEEP}\nlet f n = if n = 5 then deep 0 else 3",
]


@pytest.mark.parametrize("problem", [SPLIT, BOOLEAN], ids=["values", "booleans"])
@pytest.mark.parametrize("code", PURE)
def test_a_pure_candidates_outcomes_do_not_depend_on_the_order(verifier: Verifier, problem: Problem, code: str) -> None:
    problem = replace(problem, limits=Limits(test_cpu_seconds=0.3, total_cpu_seconds=4))
    turned = replace(problem, tests=problem.tests[::-1])
    assert outcomes(verifier.verify(turned, code)) == outcomes(verifier.verify(problem, code))[::-1]


def test_a_candidates_changes_to_the_library_end_with_it(verifier: Verifier, last: Problem, add: Problem) -> None:
    spoil = 'let () = Random.init 3; Format.set_margin 3; Printexc.register_printer (fun _ -> Some "x")\n'
    verdict = verifier.verify(add, "let add _ _ = raise Exit\nlet negate a = -a")
    assert verifier.verify(last, spoil + last.reference).passed
    assert verifier.verify(add, "let add _ _ = raise Exit (* again *)\nlet negate a = -a") == verdict


SHORT = Limits(test_cpu_seconds=0.15, total_cpu_seconds=0.6)
ENDLESS = {
    "a list": ("let rec f l n = f (n :: l) n", MEMORY_LIMIT),
    "what it prints": ('let rec f l n = Format.printf "x@."; f l n', Outcome.OUTPUT_LIMIT),
    "a list, and seven times as much garbage": (
        "let rec junk n = if n = 0 then [] else n :: junk (n - 1)\n"
        "let rec f l n = ignore (Sys.opaque_identity (junk 7)); f (n :: l) n",
        TIMEOUT,
    ),
    "nothing, beside a large array": ("let kept = Array.make 8_000_000 1\nlet rec f l n = f l kept.(n)", TIMEOUT),
}


@pytest.mark.parametrize(("endless", "limit"), ENDLESS.values(), ids=ENDLESS)
def test_endless_growth_meets_the_limit_on_what_grows(verifier: Verifier, endless: str, limit: Outcome) -> None:
    """Filling the memory takes several times the allowed CPU time on every machine; the process gets extra time for it.

    Code that makes mostly garbage would fill the memory in the extra time too, but has allocated too much by then.
    """
    problem = program(("", ""), limits=SHORT)
    assert outcomes(verifier.verify(problem, f"{endless}\nlet () = f [] 1")) == [limit]


@pytest.mark.parametrize("problem", [SPLIT, BOOLEAN], ids=["values", "booleans"])
def test_a_limit_is_attributed_to_the_test_that_met_it_first(verifier: Verifier, problem: Problem) -> None:
    """A slow test that holds much memory stays a timeout, even if the next test exhausts the memory."""
    code = (
        "let kept = Array.make 8_000_000 1\nlet rec hoard l = hoard (1 :: l)\n"
        "let spin () = for i = 1 to 120_000_000 do ignore (Sys.opaque_identity i) done\n"
        "let f n = if n = 2 then spin (); if n = 3 then hoard []; n"
    )
    # The first test takes 0.02 s, most of it for the pages of the array: with 0.05 it met the limit on a busy machine.
    limits = Limits(test_cpu_seconds=0.2, total_cpu_seconds=4)
    verdict = verifier.verify(replace(problem, limits=limits), code)
    assert outcomes(verdict)[:2] == [PASSED, TIMEOUT]


@pytest.mark.parametrize("end", ["()", "exit 0", "raise Exit", "(print_char 'x'; exit 0)"])
def test_a_program_that_ends_after_its_time_limit_is_a_timeout(verifier: Verifier, end: str) -> None:
    """It holds much memory, so it gets extra time to find its limit, but ends within that time and meets no limit."""
    code = (
        "let kept = Array.make 8_000_000 1\n"
        "let () = for i = 1 to 30_000_000 do ignore (Sys.opaque_identity i) done\n"
        f"let () = print_char 'x'; {end}"
    )
    problem = program(("", "x"), limits=Limits(test_cpu_seconds=0.05, total_cpu_seconds=4))
    assert outcomes(verifier.verify(problem, code)) == [TIMEOUT]


def test_later_tests_do_not_run_in_the_extra_time_of_a_slow_one(verifier: Verifier) -> None:
    """The first test holds much memory and gets extra time in vain. In such time the others would fill the memory."""
    code = (
        "let kept = Array.make 8_000_000 1\n"
        "let rec hoard l = hoard (1 :: l)\n"
        "let spin () = while true do ignore (Sys.opaque_identity kept) done\n"
        "let f n = if n = FIRST then spin () else hoard []; n"
    )
    # No machine fills a quarter of a gigabyte with a list in a twentieth of a second.
    limits = Limits(test_cpu_seconds=0.05, total_cpu_seconds=0.4)
    problem = function("val f : int -> int", *(f"f {n} = {n}" for n in range(4)), limits=limits)
    assert outcomes(verifier.verify(problem, code.replace("FIRST", "0"))) == [TIMEOUT] * 4
    assert outcomes(verifier.verify(problem, code.replace("FIRST", "9")))[0] == MEMORY_LIMIT


def test_the_checkers_memory_does_not_grow_with_candidates() -> None:
    """The compiler would remember every argument of a library functor: 32 KB for a candidate such as this."""
    code = (
        "module K = struct type t = int let compare = compare end\nmodule M = Map.Make (K)\nlet f n = ignore M.empty; n"
    )
    with Verifier(workers=1, cache_size=0) as verifier:

        def checker_bytes(candidates: int) -> int:
            for number in range(candidates):
                assert verifier.verify(SPLIT, f"{code} (* {number} *)").passed
            return sum(process.rss_bytes for process in descendants() if process.depth == 2)

        settled = checker_bytes(500)
        assert checker_bytes(500) < settled + (8 << 20)

"""The contract of `Verifier`: order, cache, limits, invalid problems, and verdicts as values."""

from __future__ import annotations

import asyncio
import copy
import pickle
import threading
from dataclasses import replace
from typing import Any

import pytest

from ocaml_env.engine.checker_process import CheckerProcess
from ocaml_env.engine.protocol import Message
from ocaml_env.errors import BatchError, ConfigError, EngineError, ProblemError
from ocaml_env.problem import Limits, Problem, Test
from ocaml_env.verdict import Outcome, Verdict
from ocaml_env.verifiers.local import Verifier
from tests.engine.cases import function, outcomes, prints, program

SLOW = "let spin () = for i = 1 to 20_000_000 do ignore (Sys.opaque_identity i) done\nlet f n = spin (); n"


def candidates(add: Problem, last: Problem, total: Problem) -> list[tuple[Problem, str]]:
    """Returns candidates of every kind, all different."""
    return [
        (add, add.reference),
        (total, total.reference),
        (add, "let add a b = a\nlet negate a = -a"),
        (last, "let rec last = function [] -> None | [x] -> Some x | _ :: r -> last r"),
        (add, "Hello world"),
        (add, "let add = ("),
        (last, "let last l = Some (List.hd l)"),
        (add, "let add a b = a + c\nlet negate = ()"),
        (total, "let () = raise Exit"),
        (add, "let add = Obj.magic 1"),
        (replace(last, limits=Limits(test_cpu_seconds=0.05, total_cpu_seconds=0.1)), "let rec last l = last l"),
        (total, "let () = print_string (read_line ())"),
    ]


# --- batches ---


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_a_batch_keeps_its_order_whatever_the_workers(
    verifier: Verifier, add: Problem, last: Problem, total: Problem, workers: int
) -> None:
    todo = candidates(add, last, total)
    one_by_one = [verifier.verify(problem, code) for problem, code in todo]
    with Verifier(workers=workers, cache_size=0) as other:
        assert other.verify_many(todo * 2) == one_by_one * 2
        assert other.verify_many(reversed(todo)) == one_by_one[::-1]


def test_an_empty_batch_is_no_work(verifier: Verifier) -> None:
    assert verifier.verify_many([]) == []


def test_a_batch_may_come_from_a_generator(verifier: Verifier, add: Problem) -> None:
    verdicts = verifier.verify_many((add, f"{add.reference} (* {n} *)") for n in range(5))
    assert [verdict.passed for verdict in verdicts] == [True] * 5


def test_one_worker_evaluates_a_problems_candidates_and_compiles_its_tests_once(
    add: Problem, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []
    exchange = CheckerProcess.exchange

    def counted(checker: CheckerProcess, message: Message) -> Message:
        asked.append(message["op"])
        return exchange(checker, message)

    monkeypatch.setattr(CheckerProcess, "exchange", counted)
    problems = [replace(add, id=f"p{n}", prelude=f"let n = {n}") for n in range(16)]
    todo = [(problem, f"{add.reference} (* {n} *)") for n in range(6) for problem in problems]
    with Verifier(workers=2) as verifier:
        assert all(verdict.passed for verdict in verifier.verify_many(todo))
    assert asked.count("evaluate") == len(todo)
    assert len(problems) <= asked.count("install") <= len(problems) + 4  # near the end workers help with a few others


def test_a_batch_raises_an_error_at_the_end_with_all_other_verdicts(add: Problem) -> None:
    broken = function("val f : int -> int", "f 1 + 1")
    with Verifier(workers=2) as verifier:
        with pytest.raises(BatchError, match="1 of 3 candidates .* bool") as raised:
            verifier.verify_many([(add, add.reference), (broken, "let f x = x"), (add, "let x = 1")])
        good, nothing, bad = raised.value.verdicts
        assert good.passed
        assert nothing is None
        assert bad.outcome is Outcome.TYPE_ERROR
        assert isinstance(raised.value.errors[1], ProblemError)
        assert verifier.verify(add, add.reference).passed


def test_asyncio_gets_the_same_verdicts(verifier: Verifier, add: Problem, last: Problem, total: Problem) -> None:
    todo = candidates(add, last, total)

    async def ask() -> tuple[Verdict, list[Verdict]]:
        return await verifier.averify(*todo[0]), await verifier.averify_many(todo)

    one, many = asyncio.run(ask())
    assert [one, *many] == [verifier.verify(*todo[0]), *verifier.verify_many(todo)]


def test_progress_changes_no_verdict(verifier: Verifier, add: Problem, capsys: pytest.CaptureFixture[str]) -> None:
    verdicts = verifier.verify_many([(add, add.reference)] * 3, progress=True)
    assert [verdict.passed for verdict in verdicts] == [True] * 3
    assert "3/3" in capsys.readouterr().err


# --- the cache ---


def test_with_and_without_a_cache_the_verdicts_are_equal(add: Problem, last: Problem, total: Problem) -> None:
    todo = candidates(add, last, total)
    with (
        Verifier(workers=1, cache_size=0) as without,
        Verifier(workers=1, cache_size=4) as small,
        Verifier(workers=1) as large,
    ):
        expected = without.verify_many(todo)
        for _ in range(2):
            assert small.verify_many(todo) == expected
            assert large.verify_many(todo) == expected


def test_a_cached_verdict_is_not_evaluated_again(verifier: Verifier, add: Problem) -> None:
    first = verifier.verify(add, add.reference)
    assert verifier.verify(add, add.reference) is first
    assert verifier.verify(add, add.reference + "\n") is not first


@pytest.mark.parametrize(
    "changes",
    [
        {"tests": ("add 1 2 = 4",)},
        {"signature": "val negate : int -> int\nval add : int -> int -> int"},
        {"prelude": "let add a b = a * b"},
        {"limits": Limits(test_cpu_seconds=0.5)},
    ],
)
def test_the_cache_compares_the_tests_and_limits_of_problems_and_not_their_ids(
    verifier: Verifier, add: Problem, changes: dict[str, Any]
) -> None:
    first = verifier.verify(add, add.reference)
    assert verifier.verify(replace(add, **changes), add.reference) is not first
    assert verifier.verify(replace(add, id="renamed", statement="Other words.", topics=("x",)), add.reference) is first


def test_a_verdict_carries_the_names_of_its_own_problems_tests(verifier: Verifier) -> None:
    one = Problem(id="a", statement="s", signature="val f : int", tests=(Test("f = 1", name="first"),))
    two = Problem(id="b", statement="s", signature="val f : int", tests=(Test("f = 1", name="other", public=True),))
    names = [(test.name, test.public) for p in (one, two) for test in verifier.verify(p, "let f = 1").tests]
    assert names == [("first", False), ("other", True)]


# --- limits ---


def test_the_verifiers_limits_replace_the_problems() -> None:
    problem = function("val f : int -> int", "f 1 = 1", limits=Limits(test_cpu_seconds=10, total_cpu_seconds=10))
    with Verifier(workers=1, limits=Limits(test_cpu_seconds=0.02, total_cpu_seconds=0.02)) as strict:
        assert strict.verify(problem, SLOW).outcome is Outcome.TIMEOUT
    with Verifier(workers=1) as lenient:
        assert lenient.verify(problem, SLOW).passed


def test_each_problem_has_its_own_limits(verifier: Verifier) -> None:
    code = "let f n = Bytes.length (Bytes.create 20_000_000) - 20_000_000 + n"
    small, large = (function("val f : int -> int", "f 1 = 1", limits=Limits(memory_mb=size)) for size in (8, 128))
    assert verifier.verify(small, code).outcome is Outcome.MEMORY_LIMIT
    assert verifier.verify(large, code).passed


def test_output_limits_are_those_of_the_problem(verifier: Verifier) -> None:
    code = "let () = print_string (String.make 3000 'x')"
    assert verifier.verify(prints("x" * 3000, limits=Limits(output_kb=3)), code).passed
    assert verifier.verify(prints("x" * 3000, limits=Limits(output_kb=2)), code).outcome is Outcome.OUTPUT_LIMIT


# --- invalid problems ---


BROKEN_TESTS = {
    "does not parse": ("f 1 =", "does not parse"),
    "two expressions": ("f 1 = 1;; f 2 = 2", "does not parse"),
    "a definition": ("let x = f 1", "does not parse"),
    "does not typecheck": ('f "1" = 1', "typecheck"),
    "not a bool": ("f 1", "bool"),
    "unbound": ("g 1 = 1", "g"),
    "withheld": ("Sys.command \"\" = f 1", "Sys.command"),
    "right side raises": ('f 1 = failwith "no"', "raises"),
    "right side is nan": ("float (f 1) = nan", "nan"),
    "right side is a function": ("(f 1, f) = (1, succ)", "function"),
    "unclosed string": ('f 1 = 1 && "', "parse"),
    "only a comment": ("(* f 1 = 1 *)", "does not parse"),
    "an unclosed comment": ("f 1 = 1 (*", "parse"),
}  # fmt: skip


@pytest.mark.parametrize(("code", "reason"), BROKEN_TESTS.values(), ids=BROKEN_TESTS)
def test_an_invalid_test_is_named(verifier: Verifier, code: str, reason: str) -> None:
    problem = Problem(
        id="broken",
        statement="s",
        signature="val f : int -> int",
        tests=("f 1 = 1", Test("f 2 = 2", public=True), Test(code, name="the bad one"), "f 3 = 3"),
    )
    for ask in (lambda: verifier.check(problem), lambda: verifier.verify(problem, "let f x = x")):
        with pytest.raises(ProblemError, match=reason) as raised:
            ask()
        assert (raised.value.problem_id, raised.value.test) == ("broken", "the bad one")
        assert "'broken'" in str(raised.value)
        assert "'the bad one'" in str(raised.value)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"signature": "val f : int ->"}, "the signature does not parse"),
        ({"signature": "val f : no_such_type -> int"}, "the signature does not typecheck"),
        ({"signature": "let f x = x"}, "the signature does not parse"),
        ({"prelude": "let x ="}, "the prelude does not parse"),
        ({"prelude": "let x : int = true"}, "the prelude does not typecheck"),
        ({"prelude": "let x : string = f 1"}, "the prelude does not typecheck"),
        ({"prelude": 'let () = failwith "no"'}, "the prelude raises"),
    ],
)
def test_an_invalid_signature_or_prelude_is_an_error(verifier: Verifier, changes: dict[str, str], reason: str) -> None:
    fields: dict[str, Any] = {"signature": "val f : int -> int", "prelude": "", **changes}
    problem = Problem(id="broken", statement="s", tests=("f 1 = 1",), **fields)
    with pytest.raises(ProblemError, match=reason) as raised:
        verifier.check(problem)
    assert (raised.value.problem_id, raised.value.test) == ("broken", None)


def test_after_a_broken_problem_the_worker_goes_on(verifier: Verifier, add: Problem) -> None:
    for code, reason in BROKEN_TESTS.values():
        with pytest.raises(ProblemError, match=reason):
            verifier.check(function("val f : int -> int", code))
        assert verifier.verify(add, f"{add.reference}\nlet about = {len(code)}").passed


def test_a_repaired_problem_is_evaluated(verifier: Verifier) -> None:
    broken = function("val f : int -> int", "f 1 = 1", "f 2")
    with pytest.raises(ProblemError):
        verifier.check(broken)
    mended = function("val f : int -> int", "f 1 = 1", "f 2 = 2")
    verifier.check(mended)
    assert verifier.verify(mended, "let f x = x").passed


def test_the_candidate_cannot_use_the_prelude(verifier: Verifier) -> None:
    problem = function("val f : int -> int", "twice f 1 = 1", prelude="let twice f x = f (f x)")
    assert verifier.verify(problem, "let f x = x").passed
    assert verifier.verify(problem, "let f x = twice x x").outcome is Outcome.TYPE_ERROR


def test_names_of_the_prelude_and_of_the_candidate_do_not_clash(verifier: Verifier) -> None:
    problem = function("val f : int -> int", "help (f 1) = 3", prelude="let help x = x + 1\nlet other = 5")
    assert verifier.verify(problem, "let help x = x * 0\nlet other = ()\nlet f x = x + 1").passed


def test_tests_may_name_the_solution(verifier: Verifier) -> None:
    problem = function("val f : int -> int", "f 1 = 10", "Solution.f 1 = 2", prelude="let f x = 5 * Solution.f x")
    assert verifier.verify(problem, "let f x = 2 * x").passed


# --- many problems ---


def test_more_problems_than_a_worker_keeps_are_all_evaluated(verifier: Verifier) -> None:
    problems = [function("val f : int -> int", f"f {n} = {n * n}") for n in range(150)]
    for _ in range(2):
        verdicts = verifier.verify_many([(problem, f"let f x = x * x (* {n} *)") for n, problem in enumerate(problems)])
        assert all(verdict.passed for verdict in verdicts)


# --- verdicts as values ---


def test_verdicts_can_be_compared_hashed_copied_and_pickled(
    verifier: Verifier, add: Problem, last: Problem, total: Problem
) -> None:
    for verdict in verifier.verify_many(candidates(add, last, total)):
        for twin in (pickle.loads(pickle.dumps(verdict)), copy.deepcopy(verdict), replace(verdict, cpu_seconds=9.0)):
            assert twin == verdict
            assert hash(twin) == hash(verdict)
        assert replace(verdict, errors=verdict.errors + 1) != verdict


def test_a_verdict_names_its_ocaml_version_and_sandbox(verifier: Verifier, add: Problem) -> None:
    tested, refused = verifier.verify_many([(add, add.reference), (add, "let x = (")])
    assert tested.ocaml_version == refused.ocaml_version == verifier.ocaml_version
    assert tested.sandbox
    assert tested.cpu_seconds > 0
    assert (refused.sandbox, refused.cpu_seconds) == ((), 0)


# --- lifetime of a verifier ---


@pytest.mark.parametrize(
    "arguments",
    [
        {"workers": 0}, {"workers": -1}, {"workers": 1.5}, {"workers": True}, {"workers": "2"},
        {"sandbox": "off"}, {"sandbox": None}, {"cache_size": -1}, {"cache_size": 2.0}, {"cache_size": True},
    ],
)  # fmt: skip
def test_bad_arguments_are_refused(arguments: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match=next(iter(arguments))):
        Verifier(**arguments)


def test_closing_twice_is_fine_and_use_after_closing_is_an_error(add: Problem) -> None:
    verifier = Verifier(workers=1)
    assert verifier.verify(add, add.reference).passed
    verifier.close()
    verifier.close()
    for use in (
        lambda: verifier.verify(add, "let x = 1"),
        lambda: verifier.verify_many([(add, "let x = 1")]),
        lambda: verifier.check(add),
    ):
        with pytest.raises(EngineError, match="closed"):
            use()


def test_an_unused_verifier_can_be_closed() -> None:
    Verifier(workers=3).close()


def test_closing_a_verifier_ends_threads_that_wait_for_a_worker(add: Problem) -> None:
    verifier = Verifier(workers=1)
    verifier.check(add)
    slow = function("val f : int -> int", "f 1 = 1", limits=Limits(test_cpu_seconds=1, total_cpu_seconds=1))
    ended: list[object] = []

    def ask(number: int) -> None:
        try:
            ended.append(verifier.verify(slow, f"let rec f n = f n (* {number} *)").outcome)
        except EngineError as error:
            ended.append(str(error))

    threads = [threading.Thread(target=ask, args=(number,), daemon=True) for number in range(3)]
    for thread in threads:
        thread.start()
    while verifier._pool._idle:
        pass
    verifier.close()
    for thread in threads:
        thread.join(timeout=60)
    assert not any(thread.is_alive() for thread in threads)
    assert len(ended) == 3
    assert all(answer is Outcome.TIMEOUT or "closed" in str(answer) for answer in ended)


def test_a_copied_verifier_shares_its_workers(verifier: Verifier) -> None:
    assert copy.deepcopy(verifier) is verifier


def test_a_program_and_a_function_problem_are_evaluated_by_one_worker(verifier: Verifier, add: Problem) -> None:
    assert (
        outcomes(verifier.verify(program(("1", "1"), ("2", "2")), "let () = print_int (read_int ())"))
        == [Outcome.PASSED] * 2
    )
    assert verifier.verify(add, add.reference).passed


@pytest.mark.parametrize("name", ["test_cpu_seconds", "total_cpu_seconds", "memory_mb", "output_kb"])
@pytest.mark.parametrize("value", [0, -1, 10**30, float("inf"), float("nan"), True, "1"])
def test_an_invalid_limit_is_refused(name: str, value: Any) -> None:
    with pytest.raises(ConfigError, match=name):
        Limits(**{name: value})

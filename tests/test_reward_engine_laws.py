"""The laws of ``staged`` that need OCaml: changes of real code that must not change its reward."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ocaml_env import (
    Completion,
    Outcome,
    Problem,
    RewardSpec,
    Stage,
    Test,
    Verdict,
    Verifier,
    extract,
    load_problems,
)
from ocaml_env.kills.stubs import verify_stubs
from ocaml_env.problem.signature import items_of

STAGED = RewardSpec.preset("staged")
FEW = settings(max_examples=30)

PROBLEM = Problem(
    id="squares",
    statement="Write `square`, which multiplies a number by itself, and `squares`, which does so to each of a list.",
    signature="val square : int -> int\nval squares : int list -> int list",
    tests=(
        Test("square 1 = 1", public=True),
        Test("squares [2; 3] = [4; 9]", public=True),
        *(f"square {n} = {n * n}" for n in range(2, 8)),
        "squares [] = []",
        "squares [4; 0] = [16; 0]",
    ),
)
PROGRAM = Problem(
    id="echo",
    kind="program",
    statement="Print the line that is read.",
    tests=(Test(stdin="a\n", stdout="a\n"), Test(stdin="b c\n", stdout="b c\n")),
)

RIGHT = "let square n = n * n\nlet rec squares = function [] -> [] | x :: rest -> square x :: squares rest"
CANDIDATES = {
    "right": RIGHT,
    "with-a-helper": "let times a b = a * b\nlet square n = times n n\nlet squares l = List.map (fun x -> square x) l",
    "half-right": "let square n = if n > 4 then 0 else n * n\nlet squares l = List.map square l",
    "wrong": "let square n = n + n + 1\nlet squares l = let out = l in out",
    "raises": "let square n = ignore n; failwith (string_of_int n)\nlet squares l = List.map square l",
    "one-type-error": "let square n = n * n\nlet squares l = let half = square in List.map half true",
    "three-type-errors": "let square n = n ^ n\nlet squares l = let half = square in List.map missing l + half",
    "item-missing": "let square n = let twice = n in twice * n",
    "forbidden": "let square n = let x = n in Sys.command x\nlet squares l = l",
    "syntax-error": "let square n = = n\nlet squares l = let x = l in x",
}
"""Candidates that are right or wrong in every way, without literals, so that any blank may replace any other blank."""

every_candidate = pytest.mark.parametrize("code", CANDIDATES.values(), ids=CANDIDATES.keys())


def total(verifier: Verifier, completion: str, problem: Problem = PROBLEM) -> float:
    extraction = extract(completion, kind=problem.kind)
    if extraction.code is None:
        return STAGED(problem, extraction, Verdict(outcome=Outcome.NO_CODE, stage=Stage.EXTRACT)).total
    return STAGED(problem, extraction, verifier.verify(problem, extraction.code)).total


def fenced(code: str) -> str:
    return f"```ocaml\n{code}\n```"


def test_the_candidates_earn_the_rewards_of_their_names(verifier: Verifier) -> None:
    assert {name: round(total(verifier, code), 6) for name, code in CANDIDATES.items()} == {
        "right": 1.0,
        "with-a-helper": 1.0,
        # Three of the six tests of `square` pass, and both of `squares`: their numbers are at most 4.
        "half-right": round(0.25 + 0.75 * 5 / 8, 6),
        "wrong": round(0.25 + 0.75 * 1 / 10, 6),
        # `squares []` calls nothing.
        "raises": round(0.25 + 0.75 * 1 / 10, 6),
        # `square` is right, and an example of `squares` fails.
        "one-type-error": round(0.05 + 0.17 + 0.75 * 6 / 9, 6),
        "three-type-errors": 0.16,
        "item-missing": round(0.05 + 0.17 + 0.75 * 6 / 9, 6),
        "forbidden": 0.05,
        "syntax-error": 0.0,
    }


# --- form does not pay ------------------------------------------------------------------------------------------------

_LOCAL = re.compile(r"\b(?:n|a|b|l|x|rest|out|half|twice|times)\b")
# The ending avoids keywords and the candidates' own names.
_NAMES = st.from_regex(r"\A[a-z_][a-z0-9_']{0,10}_z\Z")


@FEW
@given(st.sampled_from(sorted(CANDIDATES.values())), st.data())
def test_consistent_renaming_changes_nothing(verifier: Verifier, code: str, data: st.DataObject) -> None:
    old = sorted(set(_LOCAL.findall(code)))
    new = dict(zip(old, data.draw(st.lists(_NAMES, min_size=len(old), max_size=len(old), unique=True)), strict=True))
    renamed = _LOCAL.sub(lambda match: new[match[0]], code)
    assert total(verifier, renamed) == total(verifier, code)


@FEW
@given(st.sampled_from(sorted(CANDIDATES.values())), st.data())
def test_blanks_and_line_endings_change_nothing(verifier: Verifier, code: str, data: st.DataObject) -> None:
    blanks = st.sampled_from([" ", "  ", "\t", "\n", "\r\n", "\n\n", " \n\t ", "\r\n\r\n  "])
    spread = re.sub(r"\s", lambda _: data.draw(blanks), code)
    assert total(verifier, spread) == total(verifier, fenced(spread)) == total(verifier, code)


COMMENTS = (
    "",
    "(* END *)",
    "(**)",
    "(** doc *)",
    "(*\n```\n*)",
    '(* ")" *)',
    "(* let square = 1 *)",
    "(*\n\nThe code is here.\n\n*)",
)


@FEW
@given(st.sampled_from(sorted(CANDIDATES.values())), st.data())
def test_comments_change_nothing(verifier: Verifier, code: str, data: st.DataObject) -> None:
    comments = st.sampled_from(COMMENTS)
    explained = re.sub(r"\s", lambda match: f" {data.draw(comments)}{match[0]}", code)
    assert total(verifier, explained) == total(verifier, fenced(explained)) == total(verifier, code)


@every_candidate
def test_a_fence_changes_nothing(verifier: Verifier, code: str) -> None:
    wrapped = [code, f"```\n{code}\n```", fenced(code), f"```ocaml\n{code}", f"~~~ml\n{code}\n~~~\n", f"{code}\n```"]
    wrapped += [f"Here is the code:\n\n{fenced(code)}\n\nThat's it!", f"<think>\nlet x = (\n</think>\n{fenced(code)}"]
    assert {total(verifier, text) for text in wrapped} == {total(verifier, code)}


@every_candidate
def test_repeated_code_never_pays(verifier: Verifier, code: str) -> None:
    once = total(verifier, code)
    assert total(verifier, f"{code}\n\n{code}") <= once
    assert total(verifier, "\n".join([code] * 20)) <= once
    assert total(verifier, "\n".join([fenced(code)] * 20)) == once
    assert total(verifier, code + "\n(* END *)" * 20) == once


@every_candidate
def test_truncation_costs_the_structure_only(verifier: Verifier, code: str) -> None:
    extraction = extract(Completion(code, truncated=True))
    verdict = verifier.verify(PROBLEM, code)
    whole, cut = STAGED(PROBLEM, extract(code), verdict), STAGED(PROBLEM, extraction, verdict)
    assert cut.parts == whole.parts | {"structure": 0.0}


# --- text without an answer -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("problem", [PROBLEM, PROGRAM], ids=["function", "program"])
@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n \t",
        "Hello world",
        "I am sorry, but I cannot do that.",
        "Here is the solution:\n\n1. First, square it.\n2. Then return it.",
        "# Solution\n- step\n- step\n(* END *)",
        "(* END *)",
        "(* END *)\n" * 50,
        "(* let square n = n * n *)\n" * 10,
        "asdf qwer (zxcv [ ;; ~~ ``",
        "```ocaml\n```",
        "```python\ndef square(n): return n * n\n```",
        "<think>\nlet square n = n * n\n",
        "\0\0\0",
        "\ud800",
        ";;",
    ],
)  # fmt: skip
def test_text_without_an_answer_gets_nothing(verifier: Verifier, problem: Problem, text: str) -> None:
    assert total(verifier, text, problem) == 0.0


@FEW
@given(st.text(max_size=60))
def test_gibberish_gets_nothing(verifier: Verifier, text: str) -> None:
    assert total(verifier, text.replace("let", "").replace("type", "")) == 0.0


# --- better code is never paid less -----------------------------------------------------------------------------------

PLANTED = (
    'let wrong_operand = 1 + "one"',
    "let unbound = not_defined_anywhere 3",
    "let annotated : int = true",
    "let too_many = succ 1 2 3",
    "let branches b = if b then 1 else [ 2 ]",
    "type wrong_type = missing_type list",
    "let field r = r.no_such_field",
)


@FEW
@given(st.sets(st.sampled_from(PLANTED), min_size=1), st.data())
def test_removing_a_planted_error_never_costs(verifier: Verifier, planted: set[str], data: st.DataObject) -> None:
    removed = data.draw(st.sampled_from(sorted(planted)))
    before = total(verifier, "\n".join([RIGHT, *sorted(planted)]))
    after = total(verifier, "\n".join([RIGHT, *sorted(planted - {removed})]))
    assert after >= before
    if len(planted) <= 5:
        assert after > before


@FEW
@given(st.sets(st.integers(2, 7)), st.integers(2, 7))
def test_one_more_test_passed_never_costs(verifier: Verifier, solved: set[int], more: int) -> None:
    def code(known: set[int]) -> str:
        cases = "".join(f"| {n} -> {n * n} " for n in sorted(known))
        return f"let square = function 1 -> 1 {cases}| _ -> -1\nlet squares l = List.map square l"

    before, after = total(verifier, code(solved)), total(verifier, code(solved | {more}))
    assert (after > before) if more not in solved else (after == before)


# --- little is paid for solving nothing -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "code",
    [
        "let square _ = failwith \"todo\"\nlet squares _ = failwith \"todo\"",
        "let square _ = assert false\nlet squares _ = raise Not_found",
        f"{RIGHT}\nlet () = failwith \"while it initialises\"",
        "let rec square n = square n\nlet rec squares l = squares l",
    ],
)  # fmt: skip
def test_a_stub_earns_at_most_a_quarter(verifier: Verifier, code: str) -> None:
    assert 0.0 < total(verifier, code) <= 0.25


def test_hard_coding_the_examples_pays_nothing(verifier: Verifier) -> None:
    examples = "let square = function 1 -> 1 | _ -> -1\nlet squares = function [ 2; 3 ] -> [ 4; 9 ] | _ -> [ -1 ]"
    assert verifier.verify(PROBLEM, examples).tests_passed == 2
    assert total(verifier, examples) == pytest.approx(0.25)


# --- equal inputs -----------------------------------------------------------------------------------------------------


def test_workers_order_and_cache_change_nothing(verifier: Verifier) -> None:
    pairs = [(PROBLEM, code) for code in CANDIDATES.values()] * 3
    random.Random(2).shuffle(pairs)
    with Verifier(workers=2, cache_size=0, sandbox="best-effort") as other:
        verdicts = other.verify_many(pairs)
    assert [
        STAGED(PROBLEM, extract(code), verdict).total for (_, code), verdict in zip(pairs, verdicts, strict=True)
    ] == [total(verifier, code) for _, code in pairs]


# --- over the bundled problems, with their baselines ------------------------------------------------------------------

BUNDLED = load_problems("bundled")


# Stubs of the last two are evaluated in part, and the remaining code passes a test.
GIVEN_UP = [*BUNDLED[3::20], *(BUNDLED.by_id[name] for name in ("shown_by_type", "stand_out"))]


@pytest.mark.parametrize("problem", GIVEN_UP, ids=lambda problem: problem.id)
def test_giving_up_earns_at_most_a_quarter(verifier: Verifier, problem: Problem) -> None:
    for name, verdict in verify_stubs(problem, verifier).items():
        assert STAGED(problem, extract("let x = 1"), verdict).total <= 0.25, name


def independent(problem: Problem) -> list[str]:
    """Returns the functions with their own groups of tests, if no degenerate answer passes these groups in full."""
    tests = " ".join(test.code for test in problem.tests) + problem.prelude
    groups = [group for group in problem.groups if len(group.tests) > group.baseline]
    alone = {group.items[0] for group in groups if len(group.items) == 1}
    functions = re.findall(r"^val ([a-z]\w*) : (?![^\n]*[~?])[^\n]*->", problem.signature, re.MULTILINE)
    mixed = {name for group in problem.groups if len(group.items) > 1 for name in group.items}
    return [name for name in functions if name in alone - mixed and f"{name} " in tests]


INDEPENDENT = [problem for problem in BUNDLED if problem.kind == "function" and len(independent(problem)) >= 2]


def broken(problem: Problem, names: Sequence[str], ending: str) -> str:
    """Returns the reference with the named functions redefined at the end, to raise or to have a type error."""
    return "\n".join([problem.reference, *(f"let {name} _ = {ending}" for name in names)])


def spoiled(verifier: Verifier, problem: Problem, names: Sequence[str], ending: str) -> float:
    return STAGED(problem, extract("let x = 1"), verifier.verify(problem, broken(problem, names, ending))).total


@pytest.mark.parametrize("problem", INDEPENDENT[::6], ids=lambda problem: problem.id)
@pytest.mark.parametrize("ending", ['failwith "later"', '1 + "later"'], ids=["raising", "ill typed"])
def test_more_right_functions_pay_more(verifier: Verifier, problem: Problem, ending: str) -> None:
    names = independent(problem)
    totals = [spoiled(verifier, problem, names[kept:], ending) for kept in range(len(names) + 1)]
    assert totals == sorted(set(totals))
    if ending.startswith("failwith") and len(names) == len(items_of(problem.signature)):
        assert totals[0] <= 0.25 < totals[1]


@pytest.mark.parametrize("problem", INDEPENDENT[::6], ids=lambda problem: problem.id)
def test_raising_pays_little_more_than_a_type_error(verifier: Verifier, problem: Problem) -> None:
    for name in independent(problem):
        ill_typed, raising = (spoiled(verifier, problem, [name], end) for end in ('1 + "later"', 'failwith "later"'))
        assert raising <= ill_typed + 0.03 + 1e-9


@pytest.mark.parametrize("problem", BUNDLED[5::40], ids=lambda problem: problem.id)
def test_a_planted_type_error_never_pays(verifier: Verifier, problem: Problem) -> None:
    if problem.kind == "function":
        for name in items_of(problem.signature):
            if name[0].islower():
                assert spoiled(verifier, problem, [name], '1 + "later"') < 1.0

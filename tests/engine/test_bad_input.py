"""Absurd input ends in a typed outcome, and the worker evaluates the next candidate correctly."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from ocaml_env.problem import Limits, Problem
from ocaml_env.verdict import Outcome
from ocaml_env.verifiers.local import Verifier
from tests.engine.cases import function, prints

GOOD = "let add a b = a + b\nlet negate a = -a"

EARLY = {Outcome.NO_CODE, Outcome.SYNTAX_ERROR, Outcome.TYPE_ERROR, Outcome.FORBIDDEN, Outcome.COMPILE_ERROR}
REFUSED = {Outcome.NO_CODE, Outcome.SYNTAX_ERROR, Outcome.TYPE_ERROR, Outcome.COMPILE_ERROR}


def each(count: int, template: str, separator: str = "\n") -> str:
    """Repeats a template; N is replaced by 0, 1, 2 and so on, and M by N + 1."""
    return separator.join(template.replace("N", str(n)).replace("M", str(n + 1)) for n in range(count))


# A person might write these, if an odd one.
HARMLESS = {
    "100 KB string": f'let s = "{"x" * 100_000}"',
    "100 KB comment": f"(* {'x ' * 50_000} *)",
    "100 KB float": f"let n = 1.{'9' * 100_000}",
    "NUL in a string": 'let s = "a\x00b"',
    "NUL in a comment": "(* \x00 *)",
    "lone surrogate in a string": 'let s = "\udc80"',
    "lone surrogate in a comment": "(* \ud800 *)",
    "200 parentheses": f"let x = {'(' * 200}1{')' * 200}",
    "200 modules deep": f"{'module L = struct ' * 200}let x = 1{' end' * 200}",
    "deep comments": f"{'(*' * 30_000}{'*)' * 30_000}",
    "long array": f"let x = [|{'1; ' * 14_000}|]",
    "long identifier": f"let {'a' * 100_000} = 1",
    "long operator": f"let ( {'+' * 10_000} ) a b = 1",
    "wide type": f"type t = {' * '.join(['int'] * 3_000)}",
}

UNPARSABLE = {
    "1 MB of letters": "a" * 1_000_000,
    "1 MB of code": GOOD + "\nlet x = 1" * 100_000,
    "1 MB comment": f"(* {'x ' * 500_000} *)\n{GOOD}",
    "1 MB string": f'let s = "{"x" * 1_000_000}"\n{GOOD}',
    "1 MB integer": f"let n = {'9' * 1_000_000}\n{GOOD}",
    "NUL": "\x00",
    "NUL in code": GOOD + "\x00",
    "lone surrogate": "\ud800",
    "lone surrogates": "let s = \udfff\ud800" + GOOD,
    "byte order mark": "\ufeff" + GOOD,
    "other scripts": "let \u03bb = 1\n" + GOOD,
    "lone carriage returns": GOOD.replace("\n", "\r"),
    "control characters": "".join(map(chr, range(32))),
    "every byte": "".join(map(chr, range(256))),
    "100,000 parentheses": f"let x = {'(' * 100_000}1{')' * 100_000}\n{GOOD}",
    "100,000 open parentheses": f"let x = {'(' * 100_000}",
    "100,000 closing parentheses": ")" * 100_000,
    "300 parentheses": f"let x = {'(' * 300}1{')' * 300}\n{GOOD}",
    "deep lists": f"let x = {'[' * 20_000}{']' * 20_000}",
    "deep arrays": f"let x = {'[|' * 20_000}{'|]' * 20_000}",
    "deep records": f"let x = {'{ a = ' * 9_000}",
    "deep begin": f"let x = {'begin ' * 20_000}1{' end' * 20_000}",
    "deep modules": f"{'module L = struct ' * 10_000}{'end ' * 10_000}",
    "deep signatures": f"module type S = {'sig module type T = ' * 5_000}{'end ' * 5_000}",
    "deep objects": f"let x = {'object method m = ' * 5_000}1{' end' * 5_000}",
    "deep attributes": f"let x = 1 {'[@a 1 ' * 5_000}{']' * 5_000}\n{GOOD}",
    "unclosed deep comments": "(*" * 50_000,
    "comments of open strings": '(* " ' * 30_000,
    "unclosed quoted string": "let s = {" + "a" * 100_000 + "|",
    "20,000 let": f"let x = {'let y = 1 in ' * 20_000}1",
    "dots": "." * 100_000,
    "quotes": "'" * 100_000,
    "backslashes": "\\" * 100_000,
    "hashes": "#" * 100_000,
}

ILL_TYPED = {
    "functions of functions": "let f0 x = (x, x)\n" + each(4, "let fM x = fN (fN x)") + "\nlet x = f4 1 + true",
    "many errors": each(1_000, "let xN = yN + true"),
    "many errors in one expression": f"let x = [{each(3_000, 'yN + true', '; ')}]",
    "long unbound identifier": f"let x = {'a' * 100_000}",
    "long unbound module": f"let x = {'A' * 100_000}.b",
    "long label": f"let f ~{'a' * 100_000} = 1\nlet x = f ~b:1",
    "endless type": "type t = t -> t\nlet f x = x x",
    "cyclic type": "type t = t\nlet x = 1",
}

REFUSED_SOMEHOW = {
    "empty": "",
    "1 MB of blanks": " " * 1_000_000,
    "semicolons": ";;" * 50_000,
    "double quotes": '"' * 100_000,
    "only directives": '# 1 "x"\n' * 10_000,
    "toplevel phrases": "1;;\n" * 10_000,
    "100 KB integer": f"let n = {'9' * 100_000}",
    "50,000 type constructors": f"type t = int{' list' * 50_000}",
    "14,000 arrows": f"type t = {'int -> ' * 14_000}int\nlet f (x : t) = (x : int)",
    "7,000 fields": f"type t = {{ {each(7_000, 'aN : int', '; ')} }}\nlet x : t = {{}}",
    "huge polymorphic variant type": f"type t = [ {each(14_000, '`AN', ' | ')} ]\nlet f (x : t) = (x : int)",
    "module types of module types": "module type S0 = sig end\n"
    + each(40, "module type SM = sig module A : SN module B : SN end")
    + "\nmodule X : S40 = struct end",
    "100,000 not": f"let x = {'not ' * 100_000}true",
    "huge tuple": f"let x = ({', '.join(['1'] * 14_000)})\nlet y = x + 1",
    "many arguments": f"let f x = x\nlet y = f {'1 ' * 3_000}",
    "deep field access": f"let x y = y{'.a' * 14_000}",
    "deep module path": f"let x = {'L.' * 14_000}y",
}

# Legal, but too much for some machines or versions: any verdict will do.
HEAVY = {
    "deep functors": f"module F {'(X : sig end) ' * 2_000}= struct end",
    "deep functor types": f"module type T = {'functor (X : sig end) -> ' * 3_000}sig end",
    "14,000 constructors": "type t = " + each(14_000, "AN", " | "),
    "huge polymorphic variant": "let f = function " + each(6_000, "`AN -> N", " | "),
    "pairs of pairs, never written out": "let x0 = (1, 1)\n" + each(40, "let xM = (xN, xN)"),
    "functors of functors": "module type S = sig module type T module X : T end\n"
    + each(200, "module FN (X : S) = struct module A = X module B = X include X end"),
    "modules of modules": "module L0 = struct end\n" + each(60, "module LM = struct module A = LN module B = LN end"),
    "patterns that a match must sort": "let f = function "
    + " | ".join(f"({', '.join('true' if i == n else '_' for i in range(12))}) -> {n}" for n in range(12)),
    "patterns with alternatives": f"let f = function ({', '.join(['(true | false)'] * 40)}) -> 1",
    "gadts in a match": f"type _ t = {each(20, 'AN : int t', ' | ')}\n"
    "let f : int t * int t * int t * int t * int t -> int = function (A1, A2, A3, A4, A5) -> 1",
    "cyclic module types": "module rec A : sig include module type of B end = struct end and B : sig end = struct end",
    "20,000 not": f"let x = {'not ' * 20_000}true",
    "20,000 minus": f"let x = {'- ' * 20_000}1",
    "14,000 plus": f"let x = {'1 + ' * 14_000}1",
    "deep cons": f"let x = {'1 :: ' * 14_000}[]",
    "long list": f"let x = [{'1; ' * 14_000}]",
    "deep let": f"let x = {'let y = 1 in ' * 5_900}1",
    "deep sequence": f"let x () = {'ignore 1; ' * 9_000}()",
    "deep if": f"let x = {'if true then 1 else ' * 5_000}1",
    "deep fun": f"let x = {'fun y -> ' * 2_000}1",
    "deep match": f"let x = {'match 1 with _ -> ' * 5_000}1",
    "deep try": f"let x = {'try ' * 5_000}1{' with _ -> 1' * 5_000}",
    "deep lazy": f"let x = {'lazy ' * 20_000}1",
    "deep assert": f"let x = {'assert ' * 20_000}true",
    "deep ref": f"let x = {'ref @@ ' * 500}1",
    "deep bang": f"let x = {'!' * 20_000}1",
    "deep method calls": f"let x y = y{'#a' * 14_000}",
    "deep patterns": f"let f = function {'Some ' * 20_000}_ -> 1 | _ -> 2",
    "deep aliases": f"let f (x {each(9_000, 'as yN', ' ')}) = 1",
    "many parameters": f"let f {each(2_000, 'aN', ' ')} = 1",
    "many match cases": f"let f = function {each(7_000, 'N -> N', ' | ')} | _ -> 0",
    "many string cases": "let f = function " + each(7_000, '"N" -> N', " | ") + " | _ -> 0",
    "many guards": f"let f x = match x with {each(3_000, 'y when y = N -> N', ' | ')} | _ -> 0",
    "many definitions": each(7_000, "let xN = N"),
    "many recursive definitions": "let rec " + each(800, "fN x = fN x", " and "),
    "many recursive types": "type " + each(3_000, "tN = AN of tM", " and ") + " and t3000 = int",
    "many recursive modules": "module rec " + each(200, "XN : sig val x : int end = struct let x = 1 end", " and "),
    "many classes": each(1_500, "class cN = object method m = N end"),
    "many exceptions": each(9_000, "exception EN"),
    "long format": f'let s = Printf.sprintf "{"%d" * 800}"',
    "huge line number": '# 99999999999999999999 "x"',
    "many attributes": f"let x = 1 {'[@a] ' * 5_000}",
}

INPUTS: dict[str, tuple[str, set[Outcome]]] = {
    **{name: (f"{code}\n{GOOD}", {Outcome.PASSED}) for name, code in HARMLESS.items()},
    **{name: (code, {Outcome.SYNTAX_ERROR}) for name, code in UNPARSABLE.items()},
    **{name: (code, {Outcome.TYPE_ERROR}) for name, code in ILL_TYPED.items()},
    **{name: (code, REFUSED) for name, code in REFUSED_SOMEHOW.items()},
    **{name: (f"{code}\n{GOOD}", set(Outcome)) for name, code in HEAVY.items()},
}


@pytest.fixture(scope="module")
def uncached() -> Iterator[Verifier]:
    with Verifier(workers=1, cache_size=0) as verifier:
        yield verifier


@pytest.mark.parametrize("name", INPUTS)
def test_bad_input_has_a_typed_outcome_and_the_next_candidate_its_verdict(
    uncached: Verifier, add: Problem, name: str
) -> None:
    code, expected = INPUTS[name]
    verdict = uncached.verify(add, code)
    assert verdict.outcome in expected
    assert len(verdict.diagnostics) <= 20
    assert all(len(diagnostic.message) < 1000 for diagnostic in verdict.diagnostics)
    if verdict.outcome is Outcome.TYPE_ERROR:
        assert verdict.errors >= 1
    assert uncached.verify(add, GOOD).passed
    assert uncached.verify(add, "let add a b = a +. b").errors == 2


@pytest.mark.parametrize(
    "name",
    ["empty", "NUL", "lone surrogate", "100,000 parentheses", "50,000 type constructors", "1 MB string", "deep let"],
)
def test_bad_programs_do_not_pass_and_the_next_one_does(uncached: Verifier, total: Problem, name: str) -> None:
    assert not uncached.verify(total, INPUTS[name][0]).passed
    assert uncached.verify(total, total.reference).passed


@pytest.mark.parametrize(
    "code",
    [
        'while true do print_string "x" done',
        'while true do print_endline "x" done',
        'while true do Printf.printf "%d" 1 done',
        'while true do prerr_string "x" done',
        'while true do Format.printf "x@." done',
    ],
)
def test_endless_output_ends(uncached: Verifier, add: Problem, code: str) -> None:
    at_start = uncached.verify(add, f"let () = {code}\n{GOOD}")
    assert at_start.outcome is Outcome.TIMEOUT
    in_a_program = uncached.verify(prints("x"), f"let () = {code}")
    assert in_a_program.outcome is (Outcome.TIMEOUT if "prerr" in code else Outcome.OUTPUT_LIMIT)
    assert uncached.verify(add, GOOD).passed


WORDS = """let rec x = ( ) in fun -> match with | 1 [ ] type 'a of int module M struct end sig ; ;; : * { } "s" `A
. ~l ? class object method and val open include exception _ lazy ! add negate List.map Obj.magic external [@a]
(* *) begin 'c'"""

pieces = st.sampled_from([f"{word} " for word in WORDS.split()] + ["\n", '\n# 3 "f"\n'])


@settings(max_examples=150, phases=[Phase.generate], suppress_health_check=[HealthCheck.too_slow])
@given(
    st.one_of(
        st.text(max_size=200),
        st.lists(pieces, max_size=40).map("".join),
        st.binary(max_size=99).map(lambda b: b.decode("latin-1")),
    )
)
def test_any_text_gets_a_typed_outcome(uncached: Verifier, add: Problem, text: str) -> None:
    verdict = uncached.verify(add, text)
    assert verdict.outcome in EARLY | {Outcome.TEST_FAILURE, Outcome.RUNTIME_ERROR, Outcome.TIMEOUT, Outcome.PASSED}


@settings(max_examples=60, phases=[Phase.generate])
@given(st.lists(st.tuples(st.integers(0, len(GOOD)), pieces), min_size=1, max_size=3))
def test_a_garbled_answer_gets_a_typed_outcome(
    uncached: Verifier, add: Problem, insertions: list[tuple[int, str]]
) -> None:
    text = GOOD
    for at, piece in insertions:
        text = text[:at] + piece + text[at:]
    uncached.verify(add, text)
    assert uncached.verify(add, GOOD).passed


# --- large values and protocol text ---


def test_values_of_hostile_size_are_evaluated(uncached: Verifier) -> None:
    problem = function(
        "val big : unit -> string", 'big () = ""', "String.length (big ()) > 0", limits=Limits(memory_mb=512)
    )
    verdict = uncached.verify(problem, "let big () = String.make 100_000_000 'x'")
    assert [test.outcome for test in verdict.tests] == [Outcome.TEST_FAILURE, Outcome.PASSED]


def test_text_that_looks_like_the_protocol_is_only_text(uncached: Verifier, add: Problem) -> None:
    for text in ("d2:op4:stope", "i42e", "l" * 1000, "5:", "\x00\x00\x00\x00", "4:spam"):
        assert not uncached.verify(add, text).passed
        assert uncached.verify(add, f"(* {text} *)\n{GOOD}").passed

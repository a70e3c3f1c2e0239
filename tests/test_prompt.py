"""The visible parts of a prompt, and the parts that must stay hidden."""

from __future__ import annotations

import pickle
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocaml_env.errors import ConfigError
from ocaml_env.extract import extract
from ocaml_env.problem import Problem, Test
from ocaml_env.prompt import Prompt, PromptSpec, PromptStyle, shorten
from ocaml_env.verdict import Outcome, Stage, Verdict

every_style = pytest.mark.parametrize("style", PromptStyle)
texts = st.text(st.characters(), min_size=1).filter(lambda text: text.strip())


def secretive(statement: str = "Do it.", kind: str = "function") -> Problem:
    if kind == "program":
        tests = [Test(stdin="seen in\n", stdout="seen out\n", public=True), Test(stdin="HIDDEN", stdout="HIDDEN")]
        return Problem(id="p", kind="program", statement=statement, tests=tests, reference="HIDDEN")
    return Problem(
        id="f",
        statement=statement,
        signature="val seen : int",
        tests=[Test("seen = 1", public=True, name="HIDDEN"), Test("HIDDEN", name="HIDDEN too")],
        reference="HIDDEN",
        prelude="HIDDEN",
    )


@every_style
@given(statement=texts)
def test_every_form_holds_the_statement_verbatim(style: PromptStyle, statement: str) -> None:
    spec, problem = PromptSpec(style=style), secretive(statement)
    prompt = spec.text(problem)
    assert statement in prompt
    assert statement in spec.messages(problem)[-1]["content"]
    assert statement in spec.revision(problem, prompt, "let x = 1", "No.")


@every_style
@pytest.mark.parametrize("kind", ["function", "program"])
def test_no_form_shows_hidden_tests_prelude_reference_or_names_of_tests(style: PromptStyle, kind: str) -> None:
    spec, problem = PromptSpec(style=style, system="Be brief."), secretive(kind=kind)
    assert "HIDDEN" not in spec.text(problem)
    assert all("HIDDEN" not in message["content"] for message in spec.messages(problem))


@pytest.mark.parametrize("style", [PromptStyle.TEXT, PromptStyle.COMPLETION])
def test_signature_and_public_tests_are_shown(style: PromptStyle, add: Problem, total: Problem) -> None:
    prompt = PromptSpec(style=style).text(add)
    assert add.signature in prompt
    assert all(test.code in prompt for test in add.public_tests)
    assert "Unix" in prompt
    program = PromptSpec(style=style).text(total)
    assert "1\n2\n" in program
    assert "\n3\n" in program


def test_a_text_prompt_names_the_form_of_the_answer_and_withheld_modules(add: Problem, total: Problem) -> None:
    asked, program = PromptSpec().text(add), PromptSpec().text(total)
    assert "Answer with one ```ocaml block. OCaml 4.13, its standard library and Str only" in asked
    assert "standard input" in asked
    assert "Answer with the whole program in one ```ocaml block." in program
    assert "no files, Unix, Obj" in program
    assert "Marshal" not in program


@pytest.mark.parametrize(
    ("signature", "said", "unsaid"),
    [
        ("val f : int -> int", (), ("types", "exceptions", "modules", "interface")),
        ("val f : int list -> int", ("Keep the built-in types.",), ("exceptions", "interface")),
        (
            "type t = A | B\nval f : t -> int",
            ("The types of the interface are there already.",),
            ("exceptions", "built-in"),
        ),
        (
            "type t = A | B\nexception E of t\nval f : t -> int",
            ("The types and exceptions of the interface are there already.",),
            ("included",),
        ),
        ("type t\nval f : t -> int", ("Define all of the interface, types included.",), ("exceptions", "already")),
        (
            "type t\nexception E\nmodule M : sig type u = int end\nval f : t -> M.u",
            ("Define all of the interface, types, exceptions and modules included.",),
            ("already",),
        ),
    ],
)
def test_a_prompt_describes_only_the_kinds_of_items_in_the_interface(
    signature: str, said: tuple[str, ...], unsaid: tuple[str, ...]
) -> None:
    problem = replace(secretive(), signature=signature, tests=(Test("true"),))
    prompt = PromptSpec().text(problem)
    assert all(text in prompt for text in said)
    assert not any(text in prompt for text in unsaid)


def test_a_small_problem_is_asked_in_few_words() -> None:
    small = replace(secretive(), level=1)
    assert "Marshal" not in PromptSpec().text(small)
    assert len(PromptSpec().text(small)) - len(small.statement) < 200


def test_a_brief_prompt_is_statement_signature_and_the_head_of_an_answer(add: Problem, total: Problem) -> None:
    spec = PromptSpec(style="brief")
    assert spec.text(add) == f"{add.statement}\n\n```ocaml\n{add.signature}\n```\n\nSolution in OCaml:"
    assert spec.text(total) == f"{total.statement}\n\nSolution in OCaml:"


def test_a_completion_prompt_is_one_comment_with_examples_in_toplevel_style(add: Problem) -> None:
    prompt = PromptSpec(style="completion").text(
        replace(add, tests=(Test("add 1\n  2 = 3", public=True), Test("true")))
    )
    assert prompt.startswith("(*\n")
    assert prompt.endswith("\n*)\n")
    assert ">>> add 1\n...   2 = 3\ntrue" in prompt


def test_a_problem_without_examples_is_asked_without_them(add: Problem) -> None:
    assert "Example" not in PromptSpec().text(replace(add, tests=(Test("true"),)))


@every_style
def test_text_and_the_only_message_are_the_same(style: PromptStyle, add: Problem) -> None:
    spec = PromptSpec(style=style)
    assert spec.messages(add) == [{"role": "user", "content": spec.text(add)}]


def test_shots_are_solved_problems_before_the_question(add: Problem, last: Problem) -> None:
    spec = PromptSpec(shots=(last,), system="You write OCaml.")
    text = spec.text(add)
    assert text.startswith("Here is a solved problem, then one to solve.")
    assert text.index(last.statement) < text.index(last.reference) < text.index(add.statement)
    assert [message["role"] for message in spec.messages(add)] == ["system", "user", "assistant", "user"]
    assert last.reference in spec.messages(add)[2]["content"]


@every_style
def test_a_problem_is_never_shown_as_its_own_shot(style: PromptStyle, add: Problem, last: Problem) -> None:
    spec = PromptSpec(style=style, shots=(add, last))
    assert add.reference not in spec.text(add)
    assert last.reference in spec.text(add)
    assert len(spec.messages(add)) == 3


def test_a_repair_is_not_asked_beside_the_solution_of_its_problem(add: Problem) -> None:
    fault = Verdict(outcome=Outcome.SYNTAX_ERROR, stage=Stage.PARSE)
    repair = replace(add, id="repair/1/missing_end/0/add", attempt="let add", attempt_verdict=fault)
    assert add.reference not in PromptSpec(shots=(add,)).text(repair)
    assert add.reference not in PromptSpec(shots=(repair,)).text(add)


@every_style
def test_a_shot_shows_no_hidden_tests(style: PromptStyle, add: Problem) -> None:
    shot = replace(secretive(), reference="let seen = 1")
    assert "HIDDEN" not in PromptSpec(style=style, shots=(shot,)).text(add)


@every_style
@pytest.mark.parametrize("last", [False, True])
def test_a_revision_keeps_shots_as_turns_of_a_chat(
    style: PromptStyle, last: bool, add: Problem, total: Problem
) -> None:
    spec = PromptSpec(style=style, shots=(total,), system="You write OCaml.")
    prompt = spec.text(add)
    revised = spec.revision(add, prompt, "let add a b = a", "No.", last=last)
    assert revised.startswith(prompt)
    assert revised.messages[:-1] == prompt.messages[:-1]
    asked = str(revised.messages[-1]["content"])
    assert asked.startswith(prompt.messages[-1]["content"])
    assert revised.endswith(asked)
    assert total.reference not in asked


@pytest.mark.parametrize(
    ("signature", "statement", "begins"),
    [
        ("val f : int -> string list -> bool", "", "let rec f a b ="),
        ("val f : int -> string list -> bool", "`f width words` tells.", "let rec f width words ="),
        ("val f : int -> string list -> bool", "`f width` is a function.", "let rec f a b ="),
        ("val f : ?by:int -> to_:int -> int -> int", "", "let rec f ?by ~to_ a ="),
        ("val f : ?by:int -> int -> int", "`f ?by n` is it.", "let rec f ?by n ="),
        ("val f : ?by:int -> int -> int", "`f by n` is it.", "let rec f ?by a ="),
        ("val f : (int -> int) -> < x : int -> int > -> int * (int -> int)", "", "let rec f a b ="),
        ("type t = A of (int -> int)\n\nval f : t -> int", "", "let rec f a ="),
        ("val f : int -> int\ntype t = int -> int", "", "let rec f a ="),
        ("val f : [> `A | `B ] -> [< `C ] -> int", "", "let rec f a b ="),
        ("val a : int -> int", "", "let rec a b ="),
        ("val f : bool -> bool -> int", "`f x x` is 1, and so are `f true y` and `f f x`.", "let rec f a b ="),
        ("val f : int", "", "let f ="),
        ("type t\nval f : t -> int", "", ""),
        ("val f : int -> int\nval g : int -> int", "", ""),
        ("module M : sig val f : int -> int end", "", ""),
    ],
)
def test_a_prefill_is_the_beginning_of_the_definition(signature: str, statement: str, begins: str) -> None:
    problem = replace(secretive(statement or "Do it."), signature=signature, tests=(Test("true"),))
    prompt = PromptSpec(style="brief", prefill=True).text(problem)
    assert prompt.prefill == f"```ocaml\n{begins}"
    assert prompt.begun == f"{prompt}\n\n{prompt.prefill}"
    assert begins not in prompt or not begins
    file = PromptSpec(style="completion", prefill=True).text(problem)
    assert (file.prefill, file.begun) == (begins, f"{file}{begins}")
    assert PromptSpec().text(problem).prefill == ""


@pytest.mark.parametrize("style", ["text", "brief"])
@pytest.mark.parametrize("fence", ["```", "```ocaml"])
def test_an_answer_is_stopped_after_its_first_block(style: str, fence: str) -> None:
    code = "let f x =\n  x + 1"
    answer = f"\n\n{fence}\n{code}\n```\n\nAnother problem\n\n```ocaml\nlet f x = 0\n```"
    cut = min(answer.find(stop) for stop in PromptSpec(style=style).stop)
    assert extract(answer[:cut], wanted=("f",)).code == code


def test_a_prompt_keeps_its_chat_between_processes(add: Problem, last: Problem) -> None:
    prompt = PromptSpec(shots=(last,), prefill=True).text(add)
    other = pickle.loads(pickle.dumps(prompt))
    assert (other, other.messages, other.prefill) == (prompt, prompt.messages, prompt.prefill)


def test_a_shot_without_a_reference_is_refused(add: Problem) -> None:
    with pytest.raises(ConfigError, match="'add' has no reference"):
        PromptSpec(shots=(replace(add, reference=""),))


def test_an_unknown_style_is_refused_and_the_known_ones_are_named() -> None:
    with pytest.raises(ConfigError, match="'prose'; known are 'text', 'completion', 'brief'"):
        PromptSpec(style="prose")


def test_text_with_backticks_gets_a_longer_fence(add: Problem) -> None:
    prompt = PromptSpec().revision(add, "ask", "(* ```` *)", "No.")
    assert "`````ocaml\n(* ```` *)\n`````" in prompt


@every_style
def test_a_revision_holds_prompt_answer_and_feedback_in_this_order(style: PromptStyle, add: Problem) -> None:
    spec = PromptSpec(style=style)
    prompt = spec.text(add)
    revision = spec.revision(add, prompt, "let mine = 1", "It failed.")
    assert revision.startswith(prompt)
    assert revision.index("let mine = 1") < revision.index("It failed.")


@every_style
def test_a_revision_without_code_quotes_none(style: PromptStyle, add: Problem) -> None:
    revision = PromptSpec(style=style).revision(add, "ask", None, "No code.")
    assert "None" not in revision
    assert "Your last answer" not in revision


@every_style
def test_the_last_revision_asks_for_nothing_more(style: PromptStyle, add: Problem) -> None:
    spec = PromptSpec(style=style)
    again, end = (spec.revision(add, "ask", "let x = 1", "No.", last=last) for last in (False, True))
    assert "corrected" in again
    assert "corrected" not in end


def test_a_revision_repeats_a_bounded_part_of_an_answer(add: Problem) -> None:
    assert len(PromptSpec().revision(add, "ask", "x" * 1_000_000, "No.")) < 20_000


def test_any_text_has_a_digest() -> None:
    assert Prompt("a").digest == Prompt("a").digest != Prompt("b").digest
    assert len(Prompt("\ud800").digest) == 64


@given(text=st.text(), limit=st.integers(0, 200))
def test_a_shortened_text_fits_and_a_short_one_is_kept(text: str, limit: int) -> None:
    short = shorten(text, limit)
    assert len(short) <= limit
    if len(text) <= limit:
        assert short == text

"""Extraction: one block is the answer, whatever surrounds it, and no text raises an exception."""

from __future__ import annotations

import copy
import pickle
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocaml_env.extract import END_MARKER, Completion, Extraction, Reason, extract
from ocaml_env.problem import Kind
from tests.strategies import codes, texts

CODE = "let add a b = a + b\n\nlet sort l =\n  List.sort compare l"
OTHER = "let add a b = b + a"


def fenced(code: str, label: str = "ocaml", fence: str = "```") -> str:
    return f"{fence}{label}\n{code}\n{fence}"


def code_of(text: str, *, kind: Kind = "function") -> str | None:
    return extract(text, kind=kind).code


# --- the completion ---------------------------------------------------------------------------------------------------


def test_a_completion_is_its_text_with_a_mark_of_truncation() -> None:
    completion = Completion("let x = 1", truncated=True)
    assert completion == "let x = 1"
    assert hash(completion) == hash("let x = 1")
    assert completion.truncated
    assert not Completion("let x = 1").truncated
    assert not Completion().truncated


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_a_completion_survives_pickling(protocol: int) -> None:
    copied = pickle.loads(pickle.dumps(Completion("a\ud800", truncated=True), protocol))
    assert (type(copied), copied, copied.truncated) == (Completion, "a\ud800", True)


def test_a_completion_survives_copying() -> None:
    completion = Completion("a", truncated=True)
    assert copy.copy(completion).truncated
    assert copy.deepcopy([completion])[0].truncated


@pytest.mark.parametrize(
    ("completion", "argument", "truncated"),
    [
        ("let x = 1", None, False),
        ("let x = 1", True, True),
        (Completion("let x = 1", truncated=True), None, True),
        (Completion("let x = 1", truncated=True), False, False),
        ("let x = " + "1" * 1_000, None, False),
        ("```ocaml\nlet x = (", None, False),
    ],
)
def test_truncation_is_passed_on_and_never_guessed(completion: str, argument: bool | None, truncated: bool) -> None:
    assert extract(completion, truncated=argument).truncated is truncated


# --- one block --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        CODE,
        f"\n\n{CODE}\n\n",
        fenced(CODE),
        fenced(CODE, label=""),
        fenced(CODE, label="OCaml"),
        fenced(CODE, label=" ocaml "),
        fenced(CODE, label="ml"),
        fenced(CODE, label="{.ocaml}"),
        fenced(CODE, label='ocaml title="answer.ml"'),
        fenced(CODE, label="ocaml:answer.ml"),
        fenced(CODE, fence="~~~"),
        fenced(CODE, fence="`````"),
        f"```ocaml\n{CODE}",
        f"```\n{CODE}",
        f"```ocaml\n{CODE}```",
        f"```ocaml {CODE}\n```",
        f"``` {CODE} ```",
        f"{CODE}\n```",
        f"{CODE}\n```\n\nThat is all, hope it helps.",
        f"\ufeff{CODE}",
        f"<|im_start|>assistant\n{CODE}<|im_end|>\n",
        f"{fenced(CODE)}<|eot_id|>",
        f"{fenced(CODE)}\n</s></s>",
    ],
)
def test_wrapped_code_is_found_unchanged(text: str) -> None:
    assert extract(text) == Extraction(code=CODE)


@given(codes())
def test_bare_fenced_labelled_and_unclosed_code_is_the_same(code: str) -> None:
    wrapped = [
        code,
        fenced(code, label=""),
        fenced(code),
        fenced(code, label="OCAML"),
        fenced(code, fence="~~~"),
        f"```ocaml\n{code}",
        f"Here is it:\n\n{fenced(code)}\n\nIt works, doesn't it?",
        f"<think>\n{fenced(OTHER)}\n</think>\n{fenced(code)}",
        f"{fenced(code)}\n\n{fenced(code)}",
    ]
    assert {extract(text).code for text in wrapped} == {code.strip()}


@given(codes())
def test_code_without_a_fence_is_never_cut(code: str) -> None:
    assert code_of(code) == code.strip()


@given(codes(), st.sampled_from(["\r\n", "\r"]))
def test_line_endings_do_not_matter(code: str, ending: str) -> None:
    for text in (code, f"Here is it:\n\n{fenced(code)}\n"):
        assert extract(text.replace("\n", ending)) == extract(text)


def test_an_indented_block_loses_its_indentation() -> None:
    assert code_of("1. First:\n   ```ocaml\n   let x =\n     1\n   ```") == "let x =\n  1"


def test_code_indented_less_than_its_fence_stays_as_it_is() -> None:
    assert code_of("   ```ocaml\n   let s = {|\n a|}\n   ```") == "let s = {|\n a|}"


def test_a_shorter_fence_does_not_close_a_block() -> None:
    assert code_of("````ocaml\nlet a = 1\n```\nlet b = 2\n````") == "let a = 1\n```\nlet b = 2"


def test_a_fence_of_another_kind_does_not_close_a_block() -> None:
    assert code_of("```ocaml\nlet a =\n~~~\nb\n```") == "let a =\n~~~\nb"


@given(codes(), st.sampled_from(["```", "````", "~~~"]))
def test_tildes_in_a_line_of_prose_change_nothing(code: str, fence: str) -> None:
    text = f"It is here: ~~~\n\n{fenced(code, fence=fence)}\n"
    assert code_of(text) == code_of(text.replace("here: ~~~", "here:")) == code.strip()


def test_a_labelled_fence_closes_an_open_block() -> None:
    assert code_of(f"```text\nsome plan\n\n{fenced(CODE)}") == CODE
    assert code_of(f"```markdown\n{fenced(CODE)}\n```") == CODE


@pytest.mark.parametrize(
    "code",
    [
        "(*\n```\n*)\nlet a = 1",
        "(* (* inner *)\n```\n*)\nlet a = 1",
        'let a = "\n```\n"',
        "let a = {|\n```\n|}",
        "let a = {x|\n|}```\n|x}",
        "let a = {%ext x|\n```\n|x}",
        "let q = '\"'\n(*\n```\n*)\nlet a' = '\\\"'",
        '(* "*)\n```\n" *)\nlet a = 1',
    ],
)
def test_a_fence_in_a_comment_or_a_literal_is_code(code: str) -> None:
    for text in (code, fenced(code), f'Some words before.\n{fenced(code)}\nSome "words" after.\n```text\nok\n```'):
        assert code_of(text) == code


@pytest.mark.parametrize("opener", ["(*", '"', "{|"])
def test_an_unclosed_comment_or_literal_hides_no_fence(opener: str) -> None:
    assert code_of(f"```ocaml\nlet a = {opener}\n```\nOnly words.") == f"let a = {opener}"


# --- several blocks ---------------------------------------------------------------------------------------------------


def test_the_last_of_equal_blocks_is_the_answer() -> None:
    assert code_of(f"{fenced(OTHER)}\nWait, that is wrong.\n{fenced(CODE)}") == CODE
    assert code_of(f"{fenced(OTHER, label='')}\nWait, that is wrong.\n{fenced(CODE, label='')}") == CODE


@pytest.mark.parametrize(
    "use",
    [
        "let result = add 1 2 in\nprint_int result",
        "let r = add 1 2;;",
        "let _ = add 1 2\nlet main () = add 1 2",
        "module type S = sig val add : int -> int -> int end",
        "open Solution\nlet%test _ = add 1 2 = 3",
    ],
)
def test_a_block_that_only_uses_an_earlier_one_is_no_answer(use: str) -> None:
    assert code_of(f"{fenced(CODE)}\nIt is used so:\n{fenced(use)}") == CODE
    assert code_of(f"{fenced(OTHER)}\n{fenced(CODE)}\n{fenced(use)}") == CODE


def test_many_uses_of_a_long_answer_take_linear_time() -> None:
    """A search of the whole answer for each use would take minutes."""
    long = "\n".join(f"let value{number} = {number}" for number in range(8_000))
    assert code_of(f"{fenced(long)}\n" + f"{fenced('print value7')}\n" * 8_000) == long


def test_a_block_about_something_else_does_not_come_before_the_answer() -> None:
    assert (
        code_of(f"As with\n{fenced('let rec fact n = if n = 0 then 1 else n * fact (n - 1)')}\n{fenced(CODE)}") == CODE
    )


def test_a_labelled_block_comes_before_one_without_a_label() -> None:
    assert code_of(f"{fenced(CODE)}\nIt prints:\n{fenced('let it = 3', label='')}") == CODE


def test_a_block_that_defines_comes_before_one_that_uses() -> None:
    use = "let () = assert (add 1 2 = 3)\nlet _ = sort [2; 1]"
    assert code_of(f"{fenced(CODE)}\nUsage:\n{fenced(use)}\n{fenced('add 1 2;;')}") == CODE
    indented = "let () =\n  let three = add 1 2 in\n  print_int three"
    assert code_of(f"{fenced(CODE)}\n{fenced(indented)}") == CODE


def test_a_program_may_be_one_unit_binding() -> None:
    main = "let () = print_endline (read_line ())"
    assert code_of(f"{fenced(CODE)}\n{fenced(main)}", kind="program") == main
    assert code_of(f"{fenced(main, label='')}\nIt prints:\n{fenced('hello', label='')}", kind="program") == main


def test_a_closed_block_comes_before_a_truncated_one() -> None:
    assert code_of(f"{fenced(CODE)}\nOr, better:\n```ocaml\nlet add a") == CODE


def test_a_truncated_block_is_the_answer_if_there_is_no_other() -> None:
    assert code_of(f"{fenced('ls', label='bash')}\n```ocaml\nlet add a") == "let add a"


def test_empty_blocks_are_ignored() -> None:
    assert code_of(f"{fenced(CODE)}\n{fenced('')}") == CODE


@pytest.mark.parametrize("label", ["python", "bash", "text", "reasonml", "fsharp", "mli", "output"])
def test_blocks_of_other_languages_are_never_taken(label: str) -> None:
    assert code_of(f"{fenced(CODE)}\n{fenced(OTHER, label=label)}") == CODE
    assert extract(fenced(CODE, label=label)) == Extraction(code=None, reason=Reason.OTHER_LANGUAGE)


def test_bare_code_beside_a_block_of_another_language_is_found() -> None:
    assert code_of(f"{CODE}\n\n{fenced('ocaml answer.ml', label='bash')}") == CODE


@given(codes(), st.integers(2, 5), st.sampled_from(["ocaml", ""]))
def test_repeated_blocks_are_one(code: str, times: int, label: str) -> None:
    assert code_of("\n\n".join([fenced(code, label=label)] * times)) == code_of(fenced(code, label=label))


# --- thinking ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        f"<think>\nSome plan.\n{fenced(OTHER)}\n</think>\n\n{CODE}",
        f"<think>plan</think>{fenced(CODE)}",
        f"<THINKING>plan</THINKING>\n{CODE}",
        f"<think>a</think>\n<think>b</think>\n{CODE}",
        f"The template opened it.\n{fenced(OTHER)}\n</think>\n{CODE}",
        f"{fenced(OTHER)} so that's it.</think>\n{fenced(CODE)}",
        f"Well then, let me see.\n<think>\n```ocaml\nlet x = (* \n</think>\n{fenced(CODE)}",
    ],
)
def test_thinking_is_not_the_answer(text: str) -> None:
    assert code_of(text) == CODE


def test_an_unclosed_think_has_no_answer() -> None:
    extraction = extract(Completion(f"<think>\nMaybe:\n{fenced(CODE)}", truncated=True))
    assert extraction == Extraction(code=None, reason=Reason.UNCLOSED_THINK, truncated=True)


def test_an_answer_that_is_only_thinking_is_empty() -> None:
    assert extract("<think>plan</think>\n") == Extraction(code=None, reason=Reason.EMPTY)


# --- prose around bare code -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        f"Here is the solution:\n\n{CODE}",
        f"Sure! Below you find it.\n{CODE}",
        f"{CODE}\n\nThis function adds two numbers.\n\nlet me know if it works",
        f"{CODE}\n\n## Explanation\n- adds",
        f"{CODE}\n\n**Explanation:** it adds.",
        f"{CODE}\n\nExplanation:\nit adds",
        f"I've written the code.\n\n{CODE}\n\n1. Addition is built in.",
    ],
)
def test_prose_around_bare_code_is_dropped(text: str) -> None:
    assert code_of(text) == CODE


@pytest.mark.parametrize(
    "code",
    [
        "let x =\n\nSome thing",
        "let f = function\n\nNone when true -> 1 | _ -> 2",
        "(*\n\nThis comment explains everything.\n\n*)\nlet x = 1",
        'let s = "\n\nThis text stays here.\n\n"',
        "let s = {|\n\n# Title\n\n|}",
        'print_endline "hi";;\n\nPrintf.printf "%d" 1',
        "let a = Foo\n\nmodule B = C",
        "Format.printf \"hi\"\n\nlet x = 1",
    ],
)  # fmt: skip
def test_code_that_resembles_prose_stays(code: str) -> None:
    assert code_of(code) == code


@pytest.mark.parametrize("text", ["Hello world", "(* END *)", "1 + 1", "\0", "\ud800", "{}[]"])
def test_text_without_definitions_is_left_to_the_engine(text: str) -> None:
    assert code_of(text) == text


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", Reason.EMPTY),
        (" \n\t\r\n", Reason.EMPTY),
        ("\ufeff", Reason.EMPTY),
        ("<|im_end|>", Reason.EMPTY),
        ("```ocaml\n\n```", Reason.EMPTY_BLOCK),
        ("```", Reason.EMPTY_BLOCK),
        ("Look:\n```ocaml```", Reason.EMPTY_BLOCK),
        ("<think>", Reason.UNCLOSED_THINK),
    ],
)
def test_missing_code_has_a_reason(text: str, reason: Reason) -> None:
    assert extract(text) == Extraction(code=None, reason=reason)


# --- the marker -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "marker"),
    [
        (f"{CODE}\n{END_MARKER}", True),
        (f"{CODE}\n{END_MARKER} \n\n", True),
        (f"```ocaml\n{CODE}\n{END_MARKER}\n```\n", True),
        (f"~~~\n{CODE}\n{END_MARKER}\n~~~", True),
        (f"{fenced(CODE)}\n{END_MARKER}", True),
        (f"{CODE}\n{END_MARKER}<|im_end|>\n", True),
        (END_MARKER * 3, True),
        (f"{CODE}\n{END_MARKER}\nlet x = 1", False),
        (f"{CODE}\n(*END*)", False),
        (CODE, False),
        ("", False),
    ],
)
def test_the_marker_ends_the_text(text: str, marker: bool) -> None:
    assert extract(text).marker is marker


# --- any text ---------------------------------------------------------------------------------------------------------


@given(texts(), st.sampled_from(["function", "program"]))
def test_no_text_raises_an_exception(text: str, kind: Kind) -> None:
    extraction = extract(text, kind=kind)
    assert (extraction.code is None) == bool(extraction.reason)
    assert extraction.code != ""
    assert extract(Completion(text), kind=kind) == extraction


@given(texts())
def test_extracted_code_is_part_of_the_text(text: str) -> None:
    code = extract(text).code or ""
    written = iter(text.replace("\r\n", "\n").replace("\r", "\n"))
    assert all(char in written for char in code), "the code is a subsequence of the text"


_LONG = {
    "blocks with comments that never end": "```ocaml\n(*\n```\n",
    "blocks with strings that never end": '```\n"\n```\n',
    "fences in one line": "a```b",
    "fences after code": "let a = 1 ```\n",
    "code and fences": "let a b ```\n",
    "indented blocks": "  ```ocaml\n  let a = 1\n  ```\n",
    "thinking": "<think>\n",
    "ends of thinking": "</think>\n",
    "comments": "(*",
    "escapes": '"\\',
    "tokens": "</s>",
    "ticks": "`",
    "blank lines": "\n \n",
    "blanks": " ",
    "paragraphs": "The code is a\n\n",
    "paragraphs and quotes": 'let a = 1\n\nThe function uses "\n\n',
    "quoted strings": "{a|",
    "answers": "<answer>\n",
    "code of HTML": "<code>\n",
    "escapes of HTML": "&lt;",
    "ends of turns": "(* <|im_end|> *)\n",
    "lets": "let ",
    "types": ";;type (",
    "attributes": "let[@a ",
    "phrases": "# f 1\n",
    "modules": "module M = struct ",
    "values": "val x : int\n",
    "quotations": "> let\n",
    "helpers": "let a b = c\n```\n```\n",
    "foreign letters": "é",
    "inline code": "`let a = 1` ",
}


@pytest.mark.parametrize("piece", _LONG.values(), ids=_LONG.keys())
def test_work_grows_with_length_and_not_with_its_square(piece: str) -> None:
    """Counts function calls instead of seconds, so that a busy machine changes nothing."""
    small, large = 10_000, 80_000
    assert _calls("```\n" + piece * (large // len(piece))) <= 10 * _calls("```\n" + piece * (small // len(piece))) + 100


def _calls(text: str) -> int:
    count = 0

    def seen(*_: object) -> None:
        nonlocal count
        count += 1

    sys.setprofile(seen)
    try:
        extract(text, wanted=("f", "x"))
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize("piece", _LONG.values(), ids=_LONG.keys())
def test_a_megabyte_is_read(piece: str) -> None:
    """With quadratic time this would take hours."""
    for before in ("let x = 1\n", "```ocaml\n"):
        extract(before + piece * (1_000_000 // len(piece)), wanted=("f", "x"))

"""Problems as Markdown: reading, writing, and error messages for authors."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocaml_env.errors import ProblemError
from ocaml_env.problem import Kind, Limits, Problem, Test
from ocaml_env.problems import format_problem, parse_problem, read_problem
from ocaml_env.problems.format import format_draft, parse_draft

FUNCTION = """\
+++
id = "double"
level = 1
topics = ["numbers", "recursion"]
source = "original"
split = "eval"

[limits]
test_cpu_seconds = 0.5
+++

`double n` is twice `n`.

## Details

```text
## Tests
```

## Signature
```ocaml
val double : int -> int
```

## Prelude
```ocaml
let two = 2
```

## Reference
```ocaml
let double n = 2 * n
```

## Examples
```ocaml
double 1 = 2
double 0 = 0
```

## Tests
```ocaml
(* a long test *)
List.map double
  [1;

   two] =
  [2; 4]

double (-1) = -2
(* not a name *) double 7 = 14
```
"""

PROGRAM = """\
+++
id = "echo"
kind = "program"
float_tolerance = 1e-6
+++
Print what you read.

## Examples
### two lines
```input
a
 b
```
```output
a
 b
```

```input
```
```output
```

## Tests
````input
```
````
````output
```
````
"""


def test_a_function_is_read_with_all_its_parts() -> None:
    assert parse_problem(FUNCTION) == Problem(
        id="double",
        level=1,
        topics=("numbers", "recursion"),
        source="original",
        split="eval",
        limits=Limits(test_cpu_seconds=0.5),
        statement="`double n` is twice `n`.\n\n## Details\n\n```text\n## Tests\n```",
        signature="val double : int -> int",
        prelude="let two = 2",
        reference="let double n = 2 * n",
        tests=(
            Test("double 1 = 2", public=True),
            Test("double 0 = 0", public=True),
            Test("List.map double\n  [1;\n\n   two] =\n  [2; 4]", name="a long test"),
            Test("double (-1) = -2"),
            Test("(* not a name *) double 7 = 14"),
        ),
    )


def test_a_program_is_read_with_its_inputs_and_outputs() -> None:
    problem = parse_problem(PROGRAM)
    assert (problem.kind, problem.float_tolerance, problem.level) == ("program", 1e-6, None)
    assert problem.tests == (
        Test(name="two lines", public=True, stdin="a\n b\n", stdout="a\n b\n"),
        Test(name="example 2", public=True, stdin="", stdout=""),
        Test(name="test 3", stdin="```\n", stdout="```\n"),
    )


@pytest.mark.parametrize("text", [FUNCTION, PROGRAM])
def test_windows_line_ends_and_a_byte_order_mark_change_nothing(text: str, tmp_path: Path) -> None:
    path = tmp_path / "problem.md"
    path.write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
    assert read_problem(path) == parse_problem(text)


# --- messages for authors ---------------------------------------------------------------------------------------------


def changed(text: str, old: str, new: str) -> str:
    assert old in text
    return text.replace(old, new, 1)


@pytest.mark.parametrize(
    ("text", "at", "message"),
    [
        (FUNCTION.removeprefix("+++\n"), 'id = "double"', "first line must be `+++`"),
        (FUNCTION.split("\n\n", maxsplit=1)[0], "+++", "never closed: add a line `+++`"),
        (changed(FUNCTION, 'id = "double"', "id = double"), "id = double", "is not TOML"),
        (
            changed(FUNCTION, "topics", "topic"),
            "topic = [",
            "unknown key 'topic' in the front matter; did you mean 'topics'?",
        ),
        (changed(FUNCTION, 'id = "double"', "# no id"), "+++", 'the front matter has no `id = "..."`'),
        (changed(PROGRAM, '"program"', '"programme"'), "+++", "kind must be one of"),
        (changed(FUNCTION, "## Signature", "## Signatures"), "## Signatures", "there is no section `## Signature`"),
        (changed(FUNCTION, "## Signature", "## Interface"), "", "there is no section `## Signature`: add it"),
        (
            changed(FUNCTION, "## Prelude", "## Preludes"),
            "## Preludes",
            "unknown section 'Preludes'; did you mean 'Prelude'?",
        ),
        (changed(FUNCTION, "## Prelude", "## Signature"), "## Signature", "a second section `## Signature`"),
        (FUNCTION.removesuffix("```\n"), "```ocaml", "this fence is never closed: add a line `"),
        (
            changed(FUNCTION, "## Prelude\n", "## Prelude\nhelp:\n"),
            "help:",
            "text outside a fence in section `## Prelude`",
        ),
        (
            changed(FUNCTION, "## Prelude\n", "## Prelude\n### help\n"),
            "```ocaml",
            "`## Prelude` takes no `###` headings",
        ),
        (changed(FUNCTION, "## Prelude\n```ocaml", "## Prelude\n```ml"), "```ml", "must be labelled `ocaml`, not 'ml'"),
        (
            changed(FUNCTION, "\ndouble 0", "\n```\n```ocaml\ndouble 0"),
            "```ocaml",
            "must hold one ```ocaml fence, not 2",
        ),
        (changed(FUNCTION, "double 1 = 2", " double 1 = 2"), " double 1 = 2", "must start at column 0"),
        (changed(FUNCTION, "  [2; 4]", "= [2; 4]"), "= [2; 4]", "no test starts with '=': indent the line"),
        (changed(FUNCTION, "(* a long test *)", "(* a long\n   test *)"), "(* a long", "must be on one line"),
        (
            changed(FUNCTION, "(* a long test *)", "(* a *)\n(* b *)"),
            "(* b *)",
            "two names for one test: no test follows (* a *)",
        ),
        (changed(FUNCTION, "(* not a name *) double 7 = 14", "(* lost *)"), "```", "no test follows (* lost *)"),
        (
            changed(PROGRAM, "```input\na", "```output\na"),
            "```output",
            "labelled `input` is expected here, not 'output'",
        ),
        (changed(PROGRAM, "```output\na", "### late\n```output\na"), "```output", "put it before ```input"),
        (changed(PROGRAM, "````output\n```\n````\n", ""), "````input", "this input has no ```output fence after it"),
        (changed(PROGRAM, "### two lines", "### one\n### two"), "### two", "a fence must follow the heading `### one`"),
        (PROGRAM + "### lost\n", "", "a fence must follow the heading `### lost`"),
    ],
)
def test_a_mistake_is_reported_with_file_line_and_remedy(text: str, at: str, message: str) -> None:
    with pytest.raises(ProblemError) as caught:
        parse_problem(text, where="sums/double.md")
    file, line, shown = str(caught.value).split(":", maxsplit=2)
    assert file == "sums/double.md"
    assert text.split("\n")[int(line) - 1].startswith(at)
    assert message in shown


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("level = 1", "level = 7", "level must be None or from 1 to 6"),
        ("level = 1", 'level = "easy"', "level must be None or from 1 to 6"),
        ('topics = ["numbers", "recursion"]', 'topics = "numbers"', "topics must be a list of strings"),
        (
            "test_cpu_seconds = 0.5",
            "cpu_seconds = 0.5",
            "unknown limit 'cpu_seconds'; did you mean 'test_cpu_seconds'?",
        ),
        ("test_cpu_seconds = 0.5", "test_cpu_seconds = -1", "must be a positive number"),
        ("`double n` is twice `n`.\n\n## Details\n\n```text\n## Tests\n```\n", "", "the statement is empty"),
        ("double (-1) = -2\n", "(* a long test *)\ndouble (-1) = -2\n", "two tests are named 'a long test'"),
    ],
)
def test_an_invalid_field_is_reported_with_its_file_and_problem(old: str, new: str, message: str) -> None:
    with pytest.raises(ProblemError) as caught:
        parse_problem(changed(FUNCTION, old, new), where="double.md")
    assert str(caught.value).startswith("double.md: ")
    assert message in str(caught.value)
    assert caught.value.problem_id == "double"


def test_a_file_that_is_not_utf8_is_named(tmp_path: Path) -> None:
    path = tmp_path / "latin.md"
    path.write_bytes(FUNCTION.replace("twice", "twi\xe7e").encode("latin-1"))
    with pytest.raises(ProblemError, match=r"latin\.md: the file is not UTF-8"):
        read_problem(path)


# --- there and back ---------------------------------------------------------------------------------------------------

words = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]), max_size=12)
line = st.one_of(words, st.sampled_from(["", "```", "`` x ````", "# Title", "### name", "(* c *)", "+++", "\t", "|"]))
some_lines = st.lists(line, max_size=4).map("\n".join)
printed = st.lists(line, max_size=4).map(lambda lines: "".join(f"{text}\n" for text in lines))
# No fence stays open and no section's title stands alone, because the format refuses such statements.
statement = st.lists(
    st.one_of(words.map(lambda text: f"t{text}t"), st.just("## Notes"), st.just("```\n## Tests\n```")),
    min_size=1,
    max_size=4,
).map("\n\n".join)
name = words.map(lambda text: f"n{text}n").filter(lambda text: "*)" not in text and "(*" not in text)
code = st.builds(
    lambda first, rest: "\n".join([f"f{first}", *(f"  {text}." for text in rest)]), words, st.lists(words, max_size=2)
)
limits = st.builds(
    Limits,
    test_cpu_seconds=st.floats(0.001, 1, allow_nan=False),
    total_cpu_seconds=st.floats(1, 1e6, allow_nan=False),
    memory_mb=st.integers(1, 10**6),
)


@st.composite
def problems(draw: st.DrawFn) -> Problem:
    kind: Kind = draw(st.sampled_from(get_args(Kind)))
    given_code = st.builds(lambda code: dict(code=code), code)
    given_text = st.builds(lambda stdin, stdout: dict(stdin=stdin, stdout=stdout), printed, printed)
    bodies = draw(st.lists(given_text if kind == "program" else given_code, min_size=1, max_size=5))
    names = draw(
        st.lists(st.one_of(st.just(""), name), min_size=5, max_size=5, unique_by=lambda text: text or object())
    )
    shown = draw(st.integers(0, len(bodies)))
    return Problem(
        id=draw(st.from_regex(r"[a-z][a-z0-9_./:-]{0,20}", fullmatch=True)),
        statement=draw(statement),
        tests=[Test(**body, name=names[i], public=i < shown) for i, body in enumerate(bodies)],
        signature="val f : int -> int\n" if kind == "function" else "",
        prelude=draw(some_lines) if kind == "function" else "",
        reference=draw(some_lines),
        level=draw(st.sampled_from([None, 1, 6])),
        label=draw(st.sampled_from(["", "easy", "A-level"])),
        topics=draw(st.lists(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8), max_size=3)),
        source=draw(st.text(st.characters(exclude_categories=["Cs"]), max_size=20)),
        split=draw(st.sampled_from(["", "train", "eval"])),
        kind=kind,
        limits=draw(limits),
        float_tolerance=draw(st.one_of(st.none(), st.floats(0, 1e300, allow_nan=False))),
        complete_examples=draw(st.booleans()),
    )


@given(problems())
def test_reading_undoes_writing(problem: Problem) -> None:
    assert parse_problem(format_problem(problem)) == problem


@given(problems())
def test_only_blank_lines_around_a_statement_are_lost(problem: Problem) -> None:
    padded = Problem(
        **{field: getattr(problem, field) for field in problem.__dataclass_fields__ if field != "statement"},
        statement=f"\n  \n{problem.statement}\n\n",
    )
    assert parse_problem(format_problem(padded)) == problem


@pytest.mark.parametrize(
    "lost",
    [
        dict(tests=[Test("f 1 = 1"), Test("f 2 = 2", public=True)]),
        dict(tests=["f 1 =\n1"]),
        dict(tests=[" f 1 = 1"]),
        dict(tests=["f 1 = 1\n"]),
        dict(tests=["(* alone *)"]),
        dict(tests=[Test("f 1 = 1", name="two\nlines")]),
        dict(tests=[Test("f 1 = 1", name="a *) b")]),
        dict(statement="What is this?\n## Tests\nNo idea."),
        dict(statement="```\nnever closed"),
        dict(reference="let f x =\r\n  x"),
    ],
)
def test_a_problem_that_does_not_fit_the_format_is_refused_rather_than_changed(lost: dict[str, object]) -> None:
    fields: dict[str, object] = dict(id="f", statement="s", signature="val f : int -> int", tests=["f 1 = 1"])
    with pytest.raises(ProblemError, match=r"problem 'f' cannot be written as Markdown without loss.*\.jsonl"):
        format_problem(Problem(**fields | lost))  # type: ignore[arg-type]


def test_a_program_text_without_a_final_newline_is_refused_rather_than_changed() -> None:
    problem = Problem(id="p", kind="program", statement="s", tests=[Test(stdin="1", stdout="1\n")])
    with pytest.raises(ProblemError, match="without loss"):
        format_problem(problem)


# --- drafts -----------------------------------------------------------------------------------------------------------

PARTS = ("statement", "signature", "reference", "tests")


@pytest.mark.parametrize("known", range(len(PARTS) + 1))
def test_a_draft_keeps_the_parts_that_are_there(known: int) -> None:
    whole = parse_draft(FUNCTION)
    draft = {name: value for name, value in whole.items() if name not in PARTS[known:]}
    assert parse_draft(format_draft(draft)) == draft


def test_a_draft_with_all_its_parts_is_a_problem() -> None:
    assert parse_problem(format_draft(parse_draft(FUNCTION))) == parse_problem(FUNCTION)


def test_a_part_that_cannot_stand_in_a_draft_is_refused() -> None:
    with pytest.raises(ProblemError, match="the statement cannot stand in a problem file"):
        format_draft({"id": "double", "statement": "Twice.\n\n## Signature\n```ocaml\nval f : int\n```"})

"""Kinds of bad input, over all sources: a clear message for each, and no other row is lost."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from ocaml_env.errors import ConfigError, ProblemError
from ocaml_env.problems import load_problems
from ocaml_env.problems.rows import Tally, read_rows
from ocaml_env.verifiers.local import Verifier
from tests.problems.importers.rows import ADD, ECHO, FIRST, SUB

PLAIN = {"id": "twice", "problem": "Doubles.", "solution": "let twice x = 2 * x", "tests": "assert (twice 2 = 4)"}
OWN: dict[str, Any] = {"id": "own", "statement": "s", "signature": "val f : int -> int", "tests": ["f 1 = 1"]}
PROGRAM = ECHO | {"id": "echo"}
MARKDOWN = (
    '+++\nid = "double"\n+++\n\nDoubles.\n\n## Signature\n```ocaml\nval double : int -> int\n```\n\n'
    "## Tests\n```ocaml\ndouble 1 = 2\n```\n"
)


@dataclass(frozen=True)
class Case:
    """A bad file among good ones.

    Attributes:
        name: of the kind.
        files: the content of the source, by file name; one file is a source by itself.
        message: a part of the message.
        kept: the ids of the good rows; None if nothing of the source can be read.
    """

    name: str
    files: dict[str, bytes]
    message: str
    kept: tuple[str, ...] | None


def in_csv(name: str, bad: dict[str, Any], message: str) -> Case:
    return Case(name, {"set.csv": as_csv([ADD, ADD | bad, FIRST])}, message, ("add", "first"))


def in_jsonl(name: str, good: dict[str, Any], bad: object, message: str) -> Case:
    last = good | {"id": "last"} | ({"name": "last"} if "name" in good else {})
    rows = [good, good | bad if isinstance(bad, dict) else bad, last]
    kept = (str(good.get("id") or good["name"]), "last")
    return Case(name, {"set.jsonl": as_jsonl(rows)}, message, kept)


def as_csv(rows: list[dict[str, Any]]) -> bytes:
    out = io.StringIO()
    writer = csv.DictWriter(out, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue().encode()


def as_jsonl(rows: Iterable[object]) -> bytes:
    return b"".join((row if isinstance(row, bytes) else json.dumps(row).encode()) + b"\n" for row in rows)


def without(row: dict[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in row.items() if key != name}


GOOD = as_csv([ADD, FIRST])
HEAD = GOOD[: GOOD.index(b"add,")]
ADD_ROW, FIRST_ROW = GOOD[len(HEAD) : GOOD.index(b"first,")], GOOD[GOOD.index(b"first,") :]
BOTH = ("add", "first")
FIRST_OTHER = FIRST | {"id": "other"}

CASES = [
    # CSV: the file
    Case("csv: empty", {"set.csv": b""}, "holds no problems", None),
    Case("csv: only a header", {"set.csv": HEAD}, "holds no problems", None),
    Case("csv: UTF-16", {"set.csv": GOOD.decode().encode("utf-16")}, "is UTF-16: save it as UTF-8", None),
    Case("csv: binary", {"set.csv": bytes(range(256)) * 4}, "cannot tell the format", None),
    Case("csv: unknown columns", {"set.csv": b"a,b\n1,2\n"}, "its columns are a, b", None),
    Case("csv: a misspelt column", {"set.csv": GOOD.replace(b"prompt", b"promt", 1)}, "prompt=promt", None),
    Case("csv: no tests", {"set.csv": b"id,prompt\n1,2\n"}, "assertions needs tests, test or assertions", None),
    Case("csv: a column twice", {"set.csv": b"id,tests,tests\n1,2,3\n"}, "has two columns 'tests'", None),
    Case("csv: no header", {"set.csv": GOOD[len(HEAD) :]}, "cannot tell the format", None),
    # CSV: one row
    Case("csv: an open quote", {"set.csv": HEAD + b'bad,"open,x\n' + ADD_ROW + FIRST_ROW}, "it is not CSV", BOTH),
    Case("csv: an open quote at the end", {"set.csv": GOOD + b'bad,"open,x\n'}, "a quote is never closed", BOTH),
    Case("csv: a stray quote", {"set.csv": HEAD + ADD_ROW + b'bad,"a"b,c\n' + FIRST_ROW}, "it is not CSV", BOTH),
    Case("csv: too many cells", {"set.csv": HEAD + ADD_ROW + b"a,b,c,d\n" + FIRST_ROW}, "more cells than the", BOTH),
    Case(
        "csv: too few cells",
        {"set.csv": HEAD + ADD_ROW + b"bad,b\n" + FIRST_ROW},
        "is missing; it has 'id', 'prompt'",
        BOTH,
    ),
    Case(
        "csv: Latin-1",
        {"set.csv": HEAD + ADD_ROW + FIRST_ROW.replace(b"The", b"Th\xe9").replace(b"first,", b"l,") + FIRST_ROW},
        "row 2, id 'l': the field 'prompt' is not UTF-8 text",
        BOTH,
    ),
    in_csv("csv: NUL", {"id": "bad", "prompt": ADD["prompt"] + "\0"}, "the field 'prompt' has a NUL byte"),
    in_csv("csv: a duplicate id", {"id": "add"}, "row 2, id 'add': row 1 has the same id"),
    in_csv("csv: no id", {"id": ""}, "row 2: the field 'id' is empty"),
    in_csv("csv: blank id", {"id": "  "}, "the field 'id' is empty"),
    in_csv("csv: empty tests", {"id": "bad", "tests": ""}, "row 2, id 'bad': the field 'tests' is empty"),
    in_csv("csv: empty list of tests", {"id": "bad", "tests": "[]"}, "the field 'tests' is an empty list"),
    in_csv("csv: a list with an empty test", {"id": "bad", "tests": '["a = b", ""]'}, "texts that are not empty"),
    in_csv("csv: tests that assert nothing", {"id": "bad", "tests": "let x = assert true"}, "assert nothing"),
    in_csv("csv: tests that do not parse", {"id": "bad", "tests": "assert (add 1 = "}, "do not parse"),
    in_csv("csv: Python's tests", {"id": "bad", "tests": "assert add(1, 2) == 3 if x else 4:"}, "do not parse"),
    in_csv("csv: an empty prompt", {"id": "bad", "prompt": " "}, "the field 'prompt' is empty"),
    in_csv("csv: a prompt that is cut off", {"id": "bad", "prompt": "(** Adds the"}, "a comment of it never ends"),
    in_csv("csv: a prompt without a comment", {"id": "bad", "prompt": "let f (x : int) : int ="}, "has no comment"),
    in_csv("csv: a prompt without a function", {"id": "bad", "prompt": "(** Adds. *)"}, "it defines no function"),
    in_csv("csv: an unknown type", {"id": "bad", "prompt": "(** A. *)\nlet f (x : nat) : int ="}, "constructor nat"),
    in_csv("csv: no type of the result", {"id": "bad", "prompt": "(** A. *)\nlet f x ="}, "does not say the type"),
    in_csv("csv: plain text and no type", {"id": "bad", "prompt": "Add two numbers."}, "give a column signature"),
    # JSONL: one row
    in_jsonl("jsonl: not JSON", ADD, b"{oops", "row 2: it is not JSON"),
    in_jsonl("jsonl: cut off", ADD, as_jsonl([ADD])[:40], "it is not JSON"),
    in_jsonl("jsonl: a list", ADD, [1], "it must be an object with named fields"),
    in_jsonl("jsonl: too deep", ADD, b"[" * 100_000, "it is not JSON"),
    in_jsonl("jsonl: bytes that are no UTF-8", ADD, b'{"id": "b\xff"}', "is not UTF-8 text"),
    in_jsonl("jsonl: NUL", ADD, {"id": "bad", "tests": "\0"}, "the field 'tests' has a NUL byte"),
    in_jsonl("jsonl: a misspelt field", ADD, without(ADD, "tests") | {"tets": ""}, "has the same id"),
    Case(
        "jsonl: a misspelt field of a foreign row",
        {"set.jsonl": as_jsonl([ADD, without(FIRST_OTHER, "tests") | {"testss": "x"}, FIRST])},
        "is 'testss' meant to be it?",
        BOTH,
    ),
    in_jsonl("jsonl: tests of a wrong type", ADD, {"id": "bad", "tests": 3}, "'tests' must be text, not int"),
    in_jsonl("jsonl: tests that are numbers", ADD, {"id": "bad", "tests": [1]}, "must be a list of OCaml texts"),
    in_jsonl("jsonl: an id of a wrong type", ADD, {"id": [1]}, "the id must be text or a number"),
    # plain text with a solution
    in_jsonl("plain: a solution with a type error", PLAIN, {"id": "b", "solution": 'let f = 1 + ""'}, "not compile"),
    in_jsonl("plain: a solution in Python", PLAIN, {"id": "b", "solution": "def f(x): return x"}, "not compile"),
    in_jsonl("plain: an empty solution", PLAIN, {"id": "b", "solution": ""}, "nothing tells the type"),
    in_jsonl("plain: tests of another function", PLAIN, {"id": "b", "tests": "assert (g 1 = 1)"}, "no function of"),
    # the package's own records
    in_jsonl("own: a misspelt field", OWN, {"id": "b", "signatur": "x"}, "unknown field 'signatur'; did you mean"),
    in_jsonl("own: no tests", OWN, {"id": "b", "tests": []}, "it has no tests: give at least one"),
    in_jsonl("own: an empty test", OWN, {"id": "b", "tests": [" "]}, "its code is empty"),
    in_jsonl("own: an unknown field of a test", OWN, {"id": "b", "tests": [{"cod": "x"}]}, "did you mean 'code'?"),
    in_jsonl("own: no signature", OWN, {"id": "b", "signature": ""}, "needs a signature"),
    in_jsonl("own: a bad id", OWN, {"id": "b c"}, "id must be 1 to 200 letters"),
    in_jsonl("own: a bad level", OWN, {"id": "b", "level": 9}, "level must be None or from 1 to 6"),
    in_jsonl("own: a bad limit", OWN, {"id": "b", "limits": {"memory_mb": -1}}, "Limits.memory_mb must be a positive"),
    in_jsonl("own: a bad split", OWN, {"id": "b", "split": "test"}, 'split must be "train", "eval" or ""'),
    # MultiPL-E
    in_jsonl("multipl-e: another language", SUB, {"name": "b", "id": "b", "language": "py"}, "language is 'py'"),
    in_jsonl("multipl-e: stop tokens", SUB, {"name": "b", "id": "b", "stop_tokens": 3}, "must be a list of strings"),
    # programs
    in_jsonl("programs: no pairs", PROGRAM, {"id": "b", "input_output": "{}"}, "a test in 'input_output' has no input"),
    in_jsonl(
        "programs: fewer outputs",
        PROGRAM,
        {"id": "b", "input_output": '{"inputs": ["a"], "outputs": []}'},
        "has 1 inputs and 0 outputs",
    ),
    in_jsonl(
        "programs: a function's tests",
        PROGRAM,
        {"id": "b", "input_output": '{"inputs": ["a"], "outputs": ["a"], "fn_name": "f"}'},
        "call the function 'f' and not a program",
    ),
    in_jsonl("programs: no question", PROGRAM, {"id": "b", "question": ""}, "the field 'question' is empty"),
    # JSON
    Case("json: cut off", {"set.json": json.dumps([ADD, FIRST]).encode()[:-20]}, "is not JSON from here on", ("add",)),
    Case("json: text after the array", {"set.json": json.dumps([ADD]).encode() + b"[]"}, "follows the end", ("add",)),
    Case("json: numbers", {"set.json": b"[1, 2]"}, "must be an object with named fields", None),
    # Parquet
    Case("parquet: no Parquet", {"set.parquet": b"no"}, "is not a Parquet file", None),
    # folders
    Case(
        "folder: a file of unknown columns",
        {"a.csv": b"x,y\n1,2\n", "b.csv": GOOD},
        "a.csv: cannot tell the format of 'a.csv'",
        BOTH,
    ),
    Case("folder: a file in UTF-16", {"a.csv": "a".encode("utf-16"), "b.csv": GOOD}, "is UTF-16", BOTH),
    Case("folder: a file that is no Parquet", {"a.parquet": b"no", "b.csv": GOOD}, "is not a Parquet file", BOTH),
    Case("folder: no data", {"a.txt": b"x", "b.txt": b"y"}, "holds no problems", None),
    # Markdown
    Case(
        "markdown: not UTF-8",
        {"a.md": b'+++\nid = "\xff"', "b.md": MARKDOWN.encode()},
        "the file is not UTF-8 text",
        ("double",),
    ),
    Case(
        "markdown: an unknown key",
        {"a.md": MARKDOWN.replace("id =", "lvl = 1\nid =").encode(), "b.md": MARKDOWN.encode()},
        "unknown key 'lvl'",
        ("double",),
    ),
    Case(
        "markdown: the same id",
        {"a.md": MARKDOWN.encode(), "b.md": MARKDOWN.encode()},
        "two problems have the id 'double'",
        ("double",),
    ),
    Case("markdown: no front matter", {"a.md": b"# Title\n"}, "the first line must be `+++`", None),
]

Written = Callable[[Case], Path]


@pytest.fixture
def written(tmp_path: Path) -> Written:
    """Returns a function that writes a case's files, and gives the source."""

    def write(case: Case) -> Path:
        for name, content in case.files.items():
            (tmp_path / name).write_bytes(content)
        return tmp_path if len(case.files) > 1 else tmp_path / next(iter(case.files))

    return write


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_bad_input_has_a_clear_message_and_leaves_the_other_rows(
    case: Case, written: Written, verifier: Verifier
) -> None:
    source = written(case)
    if case.kept is None:
        with pytest.raises((ConfigError, ProblemError)) as caught:
            load_problems(source, verifier=verifier, skip_bad=True)
        assert case.message in str(caught.value)
        return
    rows = list(read_rows(source, verifier=verifier))
    assert tuple(row.id for row in rows if row.problem is not None) == case.kept
    assert any(case.message in row.error for row in rows), [row.error for row in rows]
    with pytest.raises(ProblemError) as refused:
        load_problems(source, verifier=verifier)
    tally = Tally()
    for row in rows:
        tally.add(row)
    assert str(tally) in str(refused.value)
    if case.kept:
        problems = load_problems(source, verifier=verifier, skip_bad=True)
        assert tuple(problem.id for problem in problems) == tuple(sorted(case.kept))
        assert problems.note == str(tally)


def test_there_are_sixty_kinds() -> None:
    assert len({case.name for case in CASES}) >= 60

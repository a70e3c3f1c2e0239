"""``ocaml-env new``: whole runs without and with a terminal, stops in between, and bad input."""

from __future__ import annotations

import os
import pty
import re
import select
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ocaml_env.audit.mutation import read_equivalents
from ocaml_env.commands import ExitCode
from ocaml_env.commands.cli import main
from ocaml_env.commands.drafts import read_tests, write_tests
from ocaml_env.kills.mutants import measure
from ocaml_env.problem import Test
from ocaml_env.problems.format import format_problem, read_problem

if TYPE_CHECKING:
    from ocaml_env.verifiers.local import Verifier

pytestmark = pytest.mark.usefixtures("verifier")

DOUBLE = {
    "statement": "`double n` is twice `n`.",
    "signature": "val double : int -> int",
    "reference": "let double n = 2 * n",
    "example": "double 2 = 4",
}
ONE_ARGUMENT = {
    "statement": "`collatz n` counts the steps from `n` to 1: an even number is halved, an odd one tripled and "
    "increased by 1. It raises `Invalid_argument` if `n` is below 1.",
    "signature": "val collatz : int -> int",
    "reference": """\
let collatz n =
  if n < 1 then invalid_arg "collatz";
  let rec go n steps = if n = 1 then steps else go (if n mod 2 = 0 then n / 2 else 3 * n + 1) (steps + 1) in
  go n 0""",
    "example": "collatz 6 = 8\ncollatz 1 = 0",
}
SEVERAL_FUNCTIONS = {
    "statement": "`count ~letter text` is the number of times that `letter` occurs in `text`. `is_vowel c` is true "
    "for the letters a, e, i, o and u of either case.",
    "signature": "val count : letter:char -> string -> int\nval is_vowel : char -> bool",
    "reference": """\
let count ~letter text = String.fold_left (fun n c -> if c = letter then n + 1 else n) 0 text
let is_vowel c = match Char.lowercase_ascii c with 'a' | 'e' | 'i' | 'o' | 'u' -> true | _ -> false""",
    "example": "count ~letter:'a' \"banana\" = 3\nis_vowel 'a' = true\nis_vowel 'b' = false",
}
WITH_A_TYPE = {
    "statement": "`area s` is the area of a shape, with 3 for pi; a group has the sum of its areas. `scale k s` "
    "multiplies all lengths in `s` by `k`.",
    "signature": """\
type shape = Circle of int | Box of { w : int; h : int } | Group of shape list
val area : shape -> int
val scale : int -> shape -> shape""",
    "reference": """\
type shape = Circle of int | Box of { w : int; h : int } | Group of shape list
let rec area = function
  | Circle r -> 3 * r * r
  | Box { w; h } -> w * h
  | Group shapes -> List.fold_left (fun sum s -> sum + area s) 0 shapes
let rec scale k = function
  | Circle r -> Circle (k * r)
  | Box { w; h } -> Box { w = k * w; h = k * h }
  | Group shapes -> Group (List.map (scale k) shapes)""",
    "example": "area (Circle 2) = 12\nscale 2 (Box { w = 1; h = 3 }) = Box { w = 2; h = 6 }",
}


def options(parts: dict[str, str]) -> list[str]:
    """The command's options for the parts of a problem."""
    return [word for part, text in parts.items() for word in (f"--{part}", text)]


# --- without a terminal -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("parts", "level"), [(ONE_ARGUMENT, 2), (SEVERAL_FUNCTIONS, 2), (WITH_A_TYPE, 3)], ids=("one", "several", "type")
)
def test_a_whole_run_writes_a_problem_whose_tests_kill_every_mutant(
    parts: dict[str, str], level: int, tmp_path: Path, verifier: Verifier, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "mine.md"
    assert main(["new", str(path), *options(parts), "--yes"]) == ExitCode.PASSED
    told = capsys.readouterr().out
    assert "The audit is clean" in told
    assert f"ocaml-env verify {path}" in told
    problem = read_problem(path)
    assert (problem.id, problem.level, problem.statement) == ("mine", level, parts["statement"])
    assert len(problem.hidden_tests) >= 10
    assert len(problem.baseline) == len(problem.groups)
    assert verifier.verify(problem, problem.reference).passed
    score = measure(problem, verifier=verifier, cap=1_000)
    assert (score.survivors, score.killed > 0) == ((), True)


def test_the_same_input_gives_the_same_file_and_a_second_run_changes_nothing(tmp_path: Path) -> None:
    written = []
    for folder in ("first", "second"):
        (tmp_path / folder).mkdir()
        path = tmp_path / folder / "shape.md"
        assert main(["new", str(path), *options(WITH_A_TYPE), "--yes"]) == ExitCode.PASSED
        written.append(path.read_bytes())
    assert written[0] == written[1]
    assert main(["new", str(path), "--yes"]) == ExitCode.PASSED
    assert path.read_bytes() == written[0]


def test_no_constant_answer_passes_a_test_of_a_yes_or_no_function(tmp_path: Path, verifier: Verifier) -> None:
    path = tmp_path / "even.md"
    parts = {
        "statement": "`is_even n` is true for even numbers.",
        "signature": "val is_even : int -> bool",
        "reference": "let is_even n = n mod 2 = 0",
        "example": "is_even 4 = true",
    }
    assert main(["new", str(path), *options(parts), "--yes"]) == ExitCode.PASSED
    problem = read_problem(path)
    for constant in ("true", "false"):
        verdict = verifier.verify(problem, f"let is_even _ = {constant}")
        assert not any(test.passed for test in verdict.tests if not test.public)


def test_without_a_yes_the_tests_are_shown_and_the_draft_is_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "double.md"
    assert main(["new", str(path), *options(DOUBLE)]) == ExitCode.NOT_PASSED
    told = capsys.readouterr().out
    assert "double 0 = 0" in told
    assert "--yes" in told
    assert "## Tests" not in path.read_text()
    assert main(["new", str(path), "--yes", "--topic", "numbers", "--level", "3"]) == ExitCode.PASSED
    problem = read_problem(path)
    assert (problem.topics, problem.level) == (("numbers",), 3)


def test_parts_may_come_from_files(tmp_path: Path) -> None:
    for part, text in DOUBLE.items():
        (tmp_path / part).write_text(text + "\r\n", newline="")
    path = tmp_path / "double.md"
    assert main(["new", str(path), *options({part: f"@{tmp_path / part}" for part in DOUBLE}), "--yes"]) == 0
    assert read_problem(path).reference == DOUBLE["reference"]


def test_a_file_with_tests_keeps_them_and_gets_those_that_are_missing(tmp_path: Path, verifier: Verifier) -> None:
    path = tmp_path / "mine.md"
    main(["new", str(path), *options(ONE_ARGUMENT)])
    given = "(* the first odd one *)\ncollatz 3 = 7\ncollatz 4 = 2\ncollatz 5 = 5\ncollatz 7 = 16\ncollatz 8 = 3\n"
    path.write_text(f"{path.read_text()}\n## Tests\n```ocaml\n{given}```\n")
    assert main(["new", str(path), "--yes"]) == ExitCode.PASSED
    problem = read_problem(path)
    assert (problem.hidden_tests[0].name, problem.hidden_tests[0].code) == ("the first odd one", "collatz 3 = 7")
    assert [test.code for test in problem.hidden_tests[5:]] == [
        "match collatz 0 with _ -> false | exception Invalid_argument _ -> true"
    ]
    assert measure(problem, verifier=verifier, cap=1_000).survivors == ()


def test_mutants_that_no_input_kills_are_listed_with_their_difference(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    parts = {
        "statement": "`larger a b` is the larger one of two numbers.",
        "signature": "val larger : int -> int -> int",
        "reference": "let larger a b = if a > b then a else b",
        "example": "larger 1 2 = 2",
    }
    main(["new", str(tmp_path / "larger.md"), *options(parts), "--yes"])
    told = capsys.readouterr().out
    assert "larger.mutants.toml" in told
    assert '  "1:20 comparison: a > b -> a >= b"\n' in told
    assert "    - let larger a b = if a > b then a else b\n" in told
    assert "    + let larger a b = if a >= b then a else b\n" in told


# --- what cannot be drawn by itself -----------------------------------------------------------------------------------

TABLE = {
    "statement": "`bump table word` adds 1 to the number of `word` in `table`; a word that is not there gets 1.",
    "signature": "val bump : (string, int) Hashtbl.t -> string -> unit",
    "reference": "let bump table word =\n"
    "  Hashtbl.replace table word (1 + Option.value ~default:0 (Hashtbl.find_opt table word))",
    "example": 'let t = Hashtbl.create 1 in bump t "a"; Hashtbl.find t "a" = 1',
}
FACTORIAL = {
    "statement": "`fact n` is the product of the numbers 1 to `n`, for `n` from 0 to 12.",
    "signature": "val fact : int -> int",
    "reference": "let rec fact n = if n = 0 then 1 else n * fact (n - 1)",
    "prelude": "let fact_domain n = 0 <= n && n <= 12",
    "example": "fact 3 = 6",
}
XOR = {
    "statement": "`xor a b` is true if exactly one of the two is true.",
    "signature": "val xor : bool -> bool -> bool",
    "reference": "let xor a b = a <> b",
    "example": "xor true true = false\nxor true false = true\nxor false true = true\nxor false false = false",
}
FUNCTOR = {
    "statement": "`Make (T).sorted l` sorts a list by `T.compare`.",
    "signature": "module Make (T : sig type t val compare : t -> t -> int end) : sig\n"
    "  val sorted : T.t list -> T.t list\nend",
    "reference": "module Make (T : sig type t val compare : t -> t -> int end) = struct\n"
    "  let sorted l = List.sort T.compare l\nend",
    "example": "let module M = Make (Int) in M.sorted [2; 1] = [1; 2]",
}
GADT = {
    "statement": "`eval e` is the value of an expression.",
    "signature": "type _ expr = Int : int -> int expr | Add : int expr * int expr -> int expr\n"
    "val eval : int expr -> int",
    "reference": "type _ expr = Int : int -> int expr | Add : int expr * int expr -> int expr\n"
    "let rec eval : int expr -> int = function Int n -> n | Add (a, b) -> eval a + eval b",
    "example": "eval (Int 3) = 3",
}
PROGRAM = {
    "statement": "Read a number n, then a line of n numbers. Print the sum of those above 5.",
    "reference": "let () =\n  let n = int_of_string (read_line ()) in\n"
    "  let numbers = List.map int_of_string (String.split_on_char ' ' (read_line ())) in\n"
    "  assert (List.length numbers = n);\n"
    "  print_int (List.fold_left (fun sum x -> if x > 5 then sum + x else sum) 0 numbers)",
    "example": "3\n7 -2 9\n=>\n16\n---\n1\n5\n=>\n0",
}


def test_functions_over_hash_tables_are_called_with_lists_of_bindings(tmp_path: Path, verifier: Verifier) -> None:
    path = tmp_path / "bump.md"
    assert main(["new", str(path), *options(TABLE), "--yes"]) == ExitCode.PASSED
    problem = read_problem(path)
    assert 'bump_bindings [] "" = [("", 1)]' in [test.code for test in problem.hidden_tests]
    assert verifier.verify(problem, problem.reference).passed
    assert verifier.inside(problem) == {}
    assert not verifier.verify(problem, "let bump table word = Hashtbl.replace table word 1").passed


def test_a_domain_in_the_prelude_leaves_other_inputs_out(
    tmp_path: Path, verifier: Verifier, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "fact.md"
    assert main(["new", str(path), *options(FACTORIAL), "--yes"]) == ExitCode.PASSED
    assert "inputs are outside of its domain: left out" in capsys.readouterr().out
    problem = read_problem(path)
    numbers = {int(code) for test in problem.hidden_tests for code in re.findall(r"fact (-?\d+)", test.code)}
    assert {0, 1} <= numbers <= set(range(13))
    assert measure(problem, verifier=verifier).survivors == ()


def test_an_example_outside_of_the_domain_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    parts = FACTORIAL | {"example": "fact 13 = 6227020800"}
    assert main(["new", str(tmp_path / "fact.md"), *options(parts), "--yes"]) == ExitCode.USAGE
    assert "`fact 13 = 6227020800` is outside of a domain" in capsys.readouterr().err


def test_examples_of_a_whole_domain_become_tests_that_no_constant_passes(tmp_path: Path, verifier: Verifier) -> None:
    path = tmp_path / "xor.md"
    assert main(["new", str(path), *options(XOR), "--complete-examples", "--yes"]) == ExitCode.PASSED
    problem = read_problem(path)
    assert problem.complete_examples
    for constant in ("true", "false"):
        verdict = verifier.verify(problem, f"let xor _ _ = {constant}")
        assert not any(test.passed for test in verdict.tests if not test.public)


def test_an_input_that_complete_examples_do_not_show_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    parts = XOR | {"example": XOR["example"].replace("xor false true = true\n", "")}
    assert main(["new", str(tmp_path / "xor.md"), *options(parts), "--complete-examples", "--yes"]) == ExitCode.USAGE
    assert "`xor false true` is missing" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("parts", "named", "prelude"),
    [
        (FUNCTOR, "for a functor:", "let sorted_ints (l : int list) = let module M = Make (Int) in M.sorted l"),
        (GADT, "for a GADT:", "let eval_sum (a : int) (b : int) = eval (Add (Int a, Int b))"),
    ],
    ids=("functor", "GADT"),
)
def test_a_functor_and_a_gadt_are_reached_by_a_function_of_the_prelude(
    parts: dict[str, str],
    named: str,
    prelude: str,
    tmp_path: Path,
    verifier: Verifier,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = tmp_path / "mine.md"
    assert main(["new", str(path), *options(parts), "--yes"]) == ExitCode.USAGE
    told = capsys.readouterr().err
    assert named in told
    assert "with --prelude or below `## Prelude`" in told
    assert main(["new", str(path), "--prelude", prelude, "--yes"]) == ExitCode.PASSED
    problem = read_problem(path)
    assert all(prelude.split()[1] in test.code for test in problem.hidden_tests)
    assert measure(problem, verifier=verifier).survivors == ()


def test_a_program_gets_inputs_like_its_examples(
    tmp_path: Path, verifier: Verifier, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "sum.md"
    assert main(["new", str(path), "--program", *options(PROGRAM), "--yes"]) == ExitCode.PASSED
    assert '" => "' in capsys.readouterr().out
    problem = read_problem(path)
    assert problem.kind == "program"
    assert len(problem.hidden_tests) >= 10
    for test in problem.hidden_tests:
        count, numbers = (test.stdin or "").splitlines()
        assert int(count) == len(numbers.split())
    assert verifier.verify(problem, problem.reference).passed
    assert not verifier.verify(problem, problem.reference.replace("x > 5", "x > 6")).passed
    before = path.read_bytes()
    assert main(["new", str(path), "--yes"]) == ExitCode.PASSED
    assert path.read_bytes() == before


def test_tests_of_programs_are_read_as_they_are_written() -> None:
    tests = [Test(stdin="1\n2\n", stdout="3\n"), Test(stdin="", stdout=""), Test(stdin="a\n", stdout="")]
    assert read_tests(write_tests(tests), program=True) == tests


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"example": "3\n16"}, "a line `=>` and its output"),
        ({"example": "1\n9\n=>\n8"}, "does not give '8\\n': line 1: expected `8`, got `9`"),
        ({"reference": "let () = print_int x"}, "Unbound value x"),
        ({"signature": "val f : int -> int"}, "a program has neither a signature nor a prelude"),
    ],
    ids=("no output", "wrong output", "reference", "signature"),
)
def test_a_bad_part_of_a_program_is_one_clear_error(
    changed: dict[str, str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "sum.md"
    assert main(["new", str(path), "--program", *options(PROGRAM | changed), "--yes"]) == ExitCode.USAGE
    assert message in capsys.readouterr().err


# --- in a terminal ----------------------------------------------------------------------------------------------------


class Terminal:
    """The command in a pseudo-terminal."""

    def __init__(self, *arguments: str, folder: Path | None = None, **environment: str) -> None:
        self._ours, theirs = pty.openpty()
        command = [sys.executable, "-m", "ocaml_env", "new", *arguments]
        settings = {**os.environ, "TERM": "dumb", "COLUMNS": "200", **environment}
        self._process = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=settings, cwd=folder)
        os.close(theirs)
        self.shown = ""
        self._read = 0

    def answer(self, after: str, text: str) -> None:
        """Types a text as soon as the terminal shows another one."""
        while after not in self.shown[self._read :]:
            assert self._more(), self.shown
        self._read = self.shown.index(after, self._read) + len(after)
        os.write(self._ours, text.encode())

    def ended(self) -> int:
        """The exit code, once the command has ended."""
        while self._more():
            pass
        os.close(self._ours)
        return self._process.wait(timeout=60)

    def _more(self) -> bool:
        """Reads what the command writes next; False if it has ended."""
        if not select.select([self._ours], [], [], 120)[0]:
            self._process.kill()
            pytest.fail(f"the command waits:\n{self.shown}")
        try:
            chunk = os.read(self._ours, 65536)
        except OSError:  # Linux reports so that the other end is closed
            return False
        self.shown += chunk.decode().replace("\r\n", "\n")
        return True


ASKS = "opens your editor)\n"
CONFIRM = "q stops: "


def test_a_terminal_asks_for_each_part_until_it_is_right(tmp_path: Path) -> None:
    path = tmp_path / "double.md"
    terminal = Terminal(str(path), EDITOR="sed -i /-1/d")
    terminal.answer(ASKS, "`double n`\n.\n")
    terminal.answer("The statement: it has 2 words", "")
    terminal.answer(ASKS, DOUBLE["statement"] + "\n.\n")
    terminal.answer(ASKS, DOUBLE["signature"] + "\n.\n")
    terminal.answer(ASKS, "let double n = n ^ n\n.\n")
    terminal.answer("val double : string -> string", "")
    terminal.answer(ASKS, DOUBLE["reference"] + "\n.\n")
    terminal.answer(ASKS, "double 2 = 5\n.\n")
    terminal.answer("`double 2` gave `4`, expected `5`", "")
    terminal.answer(ASKS, DOUBLE["example"] + "\n.\n")
    terminal.answer(CONFIRM, "0\n")  # no test has this number
    terminal.answer("Give numbers from 1 to", "")
    terminal.answer(CONFIRM, "1-2\n")
    terminal.answer(CONFIRM, "e\n")  # the editor drops the tests with -1
    assert terminal.ended() == ExitCode.PASSED, terminal.shown
    tests = [test.code for test in read_problem(path).hidden_tests]
    assert "double 0 = 0" not in tests
    assert tests
    assert not any("-1" in test for test in tests)


def test_ctrl_d_keeps_the_draft_and_the_next_run_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "double.md"
    terminal = Terminal(str(path))
    terminal.answer(ASKS, DOUBLE["statement"] + "\n.\n")
    terminal.answer(ASKS, DOUBLE["signature"] + "\n.\n")
    terminal.answer("Reference", "\x04")
    assert terminal.ended() == ExitCode.NOT_PASSED
    assert f"`ocaml-env new {path}` goes on" in terminal.shown
    terminal = Terminal(str(path))
    terminal.answer("Reference", DOUBLE["reference"] + "\n.\n")
    terminal.answer("Examples", DOUBLE["example"] + "\n.\n")
    terminal.answer(CONFIRM, "q\n")
    assert terminal.ended() == ExitCode.NOT_PASSED
    assert "Statement" not in terminal.shown
    assert main(["new", str(path), "--yes"]) == ExitCode.PASSED


def test_a_value_that_the_reference_does_not_give_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "double.md"
    terminal = Terminal(str(path), *options(DOUBLE), EDITOR="sed -i 's/double 0 = 0/double 0 = 1/'")
    terminal.answer(CONFIRM, "e\n")
    terminal.answer("`double 0 = 1` does not hold: `double 0` gave `0`, expected `1`", "q\n")
    assert terminal.ended() == ExitCode.NOT_PASSED
    assert "## Tests" not in path.read_text()


def test_an_editor_that_is_missing_is_named(tmp_path: Path) -> None:
    terminal = Terminal(str(tmp_path / "double.md"), *options(DOUBLE), EDITOR="no-such-editor", VISUAL="")
    terminal.answer(CONFIRM, "e\n")
    terminal.answer("no-such-editor: No such file or directory", "")
    assert terminal.ended() == ExitCode.PASSED


def test_the_reason_of_an_equivalent_mutant_is_kept_beside_the_problem(tmp_path: Path) -> None:
    path = tmp_path / "larger.md"
    parts = {
        "statement": "`larger a b` is the larger one of two numbers.",
        "signature": "val larger : int -> int -> int",
        "reference": "let larger a b = if a > b then a else b",
        "example": "larger 1 2 = 2\nlarger 2 1 = 2\nlarger 5 5 = 5",
    }
    terminal = Terminal(str(path), *options(parts))
    terminal.answer(CONFIRM, "\n")
    terminal.answer("the reason (Enter: none): ", 'equal numbers are the "same" number\n')
    assert terminal.ended() == ExitCode.PASSED, terminal.shown
    key = "1:20 comparison: a > b -> a >= b"
    assert read_equivalents(path) == {key: 'equal numbers are the "same" number'}


def test_the_documentation_shows_a_real_session(tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "own-data.md").read_text(encoding="utf-8")
    [session] = re.findall(r"```console\n\$ ocaml-env new initials.md\n(.*?)```\n", page, re.DOTALL)
    terminal = Terminal("initials.md", folder=tmp_path, COLUMNS="110")
    for prompt, typed in re.findall(r"^(\||Enter keeps .*q stops:) ?(.*)$", session, re.MULTILINE):
        terminal.answer(f"{prompt} ", typed + "\n")
    assert terminal.ended() == ExitCode.PASSED
    assert [line.rstrip() for line in terminal.shown.splitlines()] == [line.rstrip() for line in session.splitlines()]


# --- bad input --------------------------------------------------------------------------------------------------------

BAD = {
    "an empty statement": ({"statement": " "}, "the statement is empty"),
    "a short statement": ({"statement": "Double it."}, "the statement: it has 2 words"),
    "a cut statement": ({"statement": "`double n` is twice the"}, "a sentence is cut"),
    "a heading of a section": ({"statement": "`double n` is twice `n`.\n\n## Tests\n\nNone."}, "Tests"),
    "a control character": ({"statement": "`double n` is\0 twice `n`."}, "control character '\\x00'"),
    "a signature that does not parse": ({"signature": "val double int -> int"}, "the signature: "),
    "a signature of an unknown type": ({"signature": "val double : num -> num"}, "num"),
    "a signature without a value": ({"signature": "type t = A"}, "it asks for no value"),
    "a reference that does not parse": ({"reference": "let double n = 2 *"}, "the reference: line 1: "),
    "a reference of another type": ({"reference": "let double n = n ^ n"}, "string -> string"),
    "a reference without the function": ({"reference": "let twice n = 2 * n"}, "double"),
    "a reference that is withheld": ({"reference": "let double n = Sys.command n"}, "Sys.command"),
    "a reference that does not start": ({"reference": 'let double n = 2 * n\nlet () = failwith "no"'}, "does not run"),
    "an example that does not parse": ({"example": "double 2 = ("}, "`double 2 = (`: "),
    "an example that is no test": ({"example": "double 2"}, "`double 2`: "),
    "an example of another function": ({"example": "triple 2 = 6"}, "Unbound value triple"),
    "a wrong example": ({"example": "double 2 = 5"}, "`double 2` gave `4`, expected `5`"),
    "an example that does not end": (
        {"reference": "let rec double n = if n = 2 then double n else 2 * n"},
        "over its CPU time",
    ),
    "an indented example": ({"example": "  double 2 = 4"}, "must start at column 0"),
}


@pytest.mark.parametrize(("changed", "message"), BAD.values(), ids=BAD)
def test_a_bad_part_is_one_clear_error(
    changed: dict[str, str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "double.md"
    assert main(["new", str(path), *options(DOUBLE | changed), "--yes"]) == ExitCode.USAGE
    told = capsys.readouterr().err
    assert message in told
    assert "Traceback" not in told
    assert not list(tmp_path.glob("*.partial"))


def test_a_name_that_cannot_be_used_is_one_clear_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, message in (
        ("double.txt", "give the name of a .md file"),
        ("no_folder/double.md", "there is no folder"),
        ("-double.md", "a problem's id must be"),
    ):
        assert main(["new", "--yes", *options(DOUBLE), "--", str(tmp_path / name)]) == ExitCode.USAGE
        assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"`double n` is twice `n`.\n", "the first line must be `+++`"),
        (b"+++\nid = 'double'\n+++\n\xff\n", "the file is not UTF-8 text"),
        (b"+++\nid = 'double'\n+++\nTwice.\n\n## Sample\n", "no signature"),
        (b"+++\nid = 'double'\n+++\nTwice.\n\n## Signature\n\n## Sample\n", "unknown section 'Sample'"),
        (b"+++\nid = 'double'\nkind = 'program'\n+++\nTwice.\n", "has no reference and no examples"),
        (b"+++\nid = 'double'\n+++\nAnother statement.\n", "has a statement already"),
    ],
    ids=("no front matter", "no UTF-8", "missing parts", "unknown section", "program", "two statements"),
)
def test_a_file_that_cannot_go_on_is_one_clear_error(
    content: bytes, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "double.md"
    path.write_bytes(content)
    more = ["--statement", DOUBLE["statement"]] if b"Another" in content else []
    assert main(["new", str(path), "--yes", *more]) == ExitCode.USAGE
    assert message in capsys.readouterr().err
    assert path.read_bytes() == content


def test_a_wrong_hidden_test_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "double.md"
    main(["new", str(path), *options(DOUBLE)])
    path.write_text(path.read_text() + "\n## Tests\n```ocaml\ndouble 3 = 7\n```\n")
    assert main(["new", str(path), "--yes"]) == ExitCode.USAGE
    assert "`double 3 = 7` does not hold: `double 3` gave `6`, expected `7`" in capsys.readouterr().err


def test_missing_parts_without_a_terminal_name_their_options(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["new", str(tmp_path / "double.md"), "--statement", DOUBLE["statement"]]) == ExitCode.USAGE
    assert "give --signature, --reference, --example" in capsys.readouterr().err


def test_the_written_file_has_the_form_of_the_bundled_problems(tmp_path: Path) -> None:
    path = tmp_path / "double.md"
    main(["new", str(path), *options(DOUBLE), "--yes"])
    assert format_problem(read_problem(path)) == path.read_text()

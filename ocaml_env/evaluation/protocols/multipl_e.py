r"""MultiPL-E's protocol for its OCaml rows (Cassano et al., "MultiPL-E", 2022).

A model continues a text, and passes if the whole file exits with 0.

    prompt      (**Adds.\n>>> add 1 2\n3\n*)\nlet add (x : int) (y : int) : int =
    completion  " x + y\n\nlet ..." ends at the first stop token, such as "\n\n"
    program     prompt + completion + "\n" + tests, a block of ``assert``

They give the program to ``ocaml FILE``, with all rights of a process, for 15 seconds; OK is exit code 0. Here the same
program is one compilation unit in the sandbox of this environment, with 15 seconds of CPU time. Apart from a machine's
speed the verdicts are the same, with these exceptions:

- Withheld names, such as ``Obj`` and ``Sys.command``: the status is Withheld, and the sample fails. ``Unix`` is among
  them; it would fail there as well, because it is not linked.
- Directives of the toplevel (``#load``) are syntax errors.
- The toplevel runs the code before a ``;;`` before it types the rest. There a program may exit with 0 although the rest
  is ill-typed.
- An exit handler with exit code 0 turns a failure into a pass there, but not here.

As there, a program passes if it exits with 0 before its tests, or redefines ``=``. Such passes are detected: they also
pass with one more test, ``0 = 1``. They count as passed, and are counted separately as forged.

Ours, beside it, is the problem made of a row by ``ocaml_env.problems.importers``: each assertion is a test, ``~1`` is
read as ``-1``, and the prompt's examples are tests too.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import astuple, dataclass, replace
from types import MappingProxyType
from typing import Any

from ocaml_env.episode import EpisodeSpec
from ocaml_env.errors import ConfigError, ProblemError
from ocaml_env.evaluation.protocols.base import PeerEvaluation, PeerProtocol
from ocaml_env.evaluation.record import PeerStatus
from ocaml_env.extract import Completion, Extraction
from ocaml_env.problem import Limits, Problem, Test
from ocaml_env.problems import ProblemSet
from ocaml_env.problems.importers import Imported, Reason, import_problems
from ocaml_env.problems.importers.fields import one_line, unpacked
from ocaml_env.problems.sources import spread
from ocaml_env.prompt import Prompt, PromptSpec, PromptStyle
from ocaml_env.reward import RewardSpec
from ocaml_env.verdict import Outcome, Stage, Verdict
from ocaml_env.verifiers.base import AnyVerifier, AuthoringVerifier

__all__ = ["MultiPLE", "cut", "exits", "status_of"]

_SECONDS = 15  # theirs, of wall time

# There, in OCaml 4, Str compiles but is not linked; a program without its names compiles as usual.
_NOT_LINKED = "open struct module Str = struct end end "

_PROGRAM = Problem(
    id="multipl-e",
    kind="program",
    statement="A file with its tests, which must exit with 0.",
    tests=[Test(name="exit code 0", stdin="", stdout="", public=True)],
    limits=Limits(test_cpu_seconds=_SECONDS, total_cpu_seconds=_SECONDS, memory_mb=512),
)


@dataclass(frozen=True)
class _Row:
    """The fields of a MultiPL-E row."""

    prompt: str
    tests: str
    stop: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class _Verbatim(PromptSpec):
    """A prompt of the statement alone."""

    style: PromptStyle | str = "verbatim"

    def __post_init__(self) -> None:
        """Skips the check of the style, because it has none of the usual ones."""

    def text(self, problem: Problem) -> Prompt:
        return Prompt(problem.statement)


class MultiPLE(PeerProtocol):
    """The rows of a set under MultiPL-E's protocol.

    Args:
        source: source of the rows, see ``import_problems``; ``+`` joins several.
        limit: most rows, evenly chosen; 0 takes all.
        verifier: reads the rows, and finds tests that do not compile.

    Raises:
        ConfigError: if there is no row, or a row is not of MultiPL-E's format.
    """

    name = "multipl-e"
    continues = True
    stricter = MappingProxyType(
        {
            Outcome.TEST_FAILURE: "the prompt's examples are tests of ours",
            Outcome.FORBIDDEN: "ours withholds a name from functions",
            Outcome.TIMEOUT: "ours allows less time",
            Outcome.MEMORY_LIMIT: "ours allows less memory",
        }
    )

    def __init__(self, source: str, limit: int, verifier: AnyVerifier) -> None:
        everything = [row for part in source.split("+") for row in _imported(part.strip(), verifier)]
        imported = [row for row in everything if row.reason is not Reason.BAD_TEXT]
        if not imported:
            raise ConfigError(f"there are no rows in {source!r}")
        rows = {row.id: _row(row.raw or {}) for row in imported}
        if len(rows) < len(imported):
            raise ConfigError(f"{source!r} has rows of the same name")
        problems = [replace(_PROGRAM, id=name, statement=row.prompt) for name, row in rows.items()]
        left_out = {row.id: _why(row) for row in everything if row.reason is Reason.BAD_TEXT}
        super().__init__(ProblemSet(spread(problems, limit), name=source), whole=[*rows, *left_out])
        self.left_out = left_out
        self._rows = {problem.id: rows[problem.id] for problem in self.problems}
        self.stop = _common([row.stop for row in self._rows.values()])
        found = {name: _broken(row, verifier) for name, row in self._rows.items()}
        self.broken = {name: reason for name, reason in found.items() if reason}
        self._ours: dict[str, Problem] = {}
        for row in imported:
            if row.id in self._rows:
                self._take(row, verifier)

    def episodes(self, spec: EpisodeSpec) -> EpisodeSpec:
        if spec.max_turns > 1 or spec.prompts.shots or spec.prompts.instruction:
            raise ConfigError(
                "--protocol multipl-e gives prompts as they are, once: no --turns, --shots, --instruction"
            )
        return EpisodeSpec(prompts=_Verbatim())

    def digest(self, problems: Sequence[Problem]) -> str:
        rows = [astuple(self._rows[problem.id]) for problem in problems]
        return _sha256(rows)

    def digest_of(self, problem: Problem) -> str:
        return _sha256(astuple(self._rows[problem.id]))

    def evaluate(
        self, problem: Problem, completion: object, *, verifier: AnyVerifier, reward: RewardSpec
    ) -> PeerEvaluation:
        row = self._rows[problem.id]
        given = completion if isinstance(completion, Completion) else Completion(_text(completion))
        kept = cut(given, row.stop)
        truncated = given.truncated and len(kept) == len(given)
        code = row.prompt + kept
        program = f"{code}\n{row.tests}"
        theirs = exits(program, verifier)
        ours = self._ours.get(problem.id)
        extraction = Extraction(code=program, truncated=truncated)
        return PeerEvaluation(
            problem=problem,
            completion=Completion(given, truncated=truncated),
            extraction=extraction,
            verdict=theirs,
            reward=reward(problem, extraction, theirs),
            version=reward.version,
            status=status_of(theirs),
            ours=None if ours is None else verifier.verify(ours, code),
            lead=row.prompt,
            forged=theirs.passed and exits(f"{program}\nlet () = assert (0 = 1)", verifier).passed,
        )

    def _take(self, one: Imported, verifier: AnyVerifier) -> None:
        """Notes the row as a problem of ours, or the reason why it cannot be one."""
        reason = _why(one)
        if one.problem is not None:
            try:
                verifier.check(one.problem)
            except ProblemError as error:
                reason = _said_of(one.id, str(error))
            else:
                self._ours[one.id] = one.problem
                if one.repaired:
                    self.mended[one.id] = f"numbers written ~1 and read as -1: {one.repaired}"
                return
        self.unjudged[one.id] = reason


def _sha256(value: object) -> str:
    return hashlib.sha256(json.dumps([value, _PROGRAM.digest]).encode()).hexdigest()


def _text(completion: object) -> str:
    return completion if isinstance(completion, str) else ""


def cut(completion: str, stop: Sequence[str]) -> str:
    """Cuts a completion at the first stop token."""
    places = [completion.find(token) for token in stop if token]
    return completion[: min((place for place in places if place >= 0), default=len(completion))]


def exits(program: str, verifier: AnyVerifier) -> Verdict:
    """Runs a program; the outcome is PASSED if it exits with 0, with any output."""
    verdict = verifier.verify(_PROGRAM, _NOT_LINKED + program if "Str" in program else program)
    if not (verdict.tests and verdict.tests[0].returned):
        return verdict
    test = replace(verdict.tests[0], outcome=Outcome.PASSED, detail="")
    return replace(verdict, outcome=Outcome.PASSED, tests=(test,))


def status_of(verdict: Verdict) -> PeerStatus:
    """Returns the status in their harness's terms; Withheld is ours."""
    if verdict.passed:
        return PeerStatus.OK
    if verdict.outcome is Outcome.FORBIDDEN:
        return PeerStatus.WITHHELD
    if verdict.outcome is Outcome.TIMEOUT:
        return PeerStatus.TIMEOUT
    if any(test.detail.endswith("Assertion failed") for test in verdict.tests):
        return PeerStatus.ASSERTION_ERROR
    if any(found.message.startswith("Syntax error") for found in verdict.diagnostics):
        return PeerStatus.SYNTAX_ERROR
    return PeerStatus.EXCEPTION


def _imported(source: str, verifier: AnyVerifier) -> list[Imported]:
    """The rows of a source. A row that is no problem of ours stays one of theirs, unless its text is broken."""
    parser = (
        verifier if isinstance(verifier, AuthoringVerifier) else None
    )  # a service parses no rows, so this process does
    imported = list(import_problems(source, format="multipl-e", verifier=parser))
    for row in imported:
        if row.problem is None and row.reason not in (Reason.PROMPT, Reason.TESTS, Reason.BAD_TEXT):
            raise ConfigError(f"{source}: {row.error}")
    return imported


def _why(one: Imported) -> str:
    """The reason why a row is no problem of ours."""
    return _said_of(one.id, one.error)


def _said_of(name: str, message: str) -> str:
    """A message on a row, without its name."""
    return message.partition(repr(name))[2].lstrip(":, ")


def _row(raw: Any) -> _Row:
    return _Row(raw["prompt"], raw["tests"], tuple(unpacked(raw.get("stop_tokens")) or ()))


def _common(stops: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """The stop tokens common to all rows."""
    return tuple(token for token in stops[0] if token and all(token in stop for stop in stops))


def _broken(row: _Row, verifier: AnyVerifier) -> str:
    """The reason why a row's tests compile with no completion; "" if they compile."""
    program = f"{row.prompt} assert false\n{row.tests}"
    verdict = exits(program, verifier)
    if verdict.stage is Stage.TEST:
        return ""
    found = verdict.diagnostics[0]  # any failure before the tests has one
    line = program.split("\n")[found.line - 1].strip()
    return f"{found.message.rstrip('.')}: `{one_line(line)}`"

r"""MultiPL-E's protocol for its OCaml rows (Cassano et al., "MultiPL-E", 2022): a model goes on with a text, and passes
where the whole file exits with 0.

    prompt      (**Adds.\n>>> add 1 2\n3\n*)\nlet add (x : int) (y : int) : int =
    completion  " x + y\n\nlet ..." ends at the first stop token, of which "\n\n" is one
    program     prompt + completion + "\n" + tests, the tests being a block of ``assert``

They give the program to ``ocaml FILE``, with all that a process may do, for 15 seconds; OK is exit code 0. Here the
same program is one compilation unit in the sandbox of this environment, with 15 seconds of CPU time. Apart from a
machine's speed the verdicts are the same, but for what follows.

- Names that this environment withholds, such as ``Obj`` and ``Sys.command``: the status is Withheld, and the sample
  fails. ``Unix`` is among them, and would fail there as well, for it is not linked.
- Directives of the toplevel (``#load``) are syntax errors.
- The toplevel runs what stands before a ``;;`` before it types what follows: there a program may exit with 0 although
  the rest has no type.
- An exit handler that exits with 0 makes a failure pass there, and does not here.

As there, a program passes that exits with 0 before its tests, or defines ``=`` anew. Such passes are found out: they
pass with one more test, ``0 = 1``, as well. They count as passed, and are counted apart as forged.

Ours, beside it, is the problem that ``ocaml_env.problems.importers`` makes of a row: each assertion is a test, ``~1``
is read as ``-1``, and the prompt's examples are tests too.
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

# Str compiles there in OCaml 4, and then is not linked; without a name of it the rest compiles as it would.
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
    """What MultiPL-E says of a problem."""

    prompt: str
    tests: str
    stop: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class _Verbatim(PromptSpec):
    """A prompt that is the statement and nothing else."""

    style: PromptStyle | str = "verbatim"

    def __post_init__(self) -> None:
        """Its style is none of those that there are."""

    def text(self, problem: Problem) -> Prompt:
        return Prompt(problem.statement)


class MultiPLE(PeerProtocol):
    """The rows of a set under MultiPL-E's protocol.

    Args:
        source: as ``import_problems`` takes it; several with ``+`` between them.
        limit: only so many, evenly chosen; 0 takes all.
        verifier: reads the rows, and finds those whose tests do not compile.

    Raises:
        ConfigError: where there is none, or a row is none of MultiPL-E's.
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
        everything = [one for part in source.split("+") for one in _imported(part.strip(), verifier)]
        imported = [one for one in everything if one.reason is not Reason.BAD_TEXT]
        if not imported:
            raise ConfigError(f"there are no rows in {source!r}")
        rows = {one.id: _row(one.raw or {}) for one in imported}
        if len(rows) < len(imported):
            raise ConfigError(f"{source!r} has rows of the same name")
        problems = [replace(_PROGRAM, id=name, statement=row.prompt) for name, row in rows.items()]
        left_out = {one.id: _why(one) for one in everything if one.reason is Reason.BAD_TEXT}
        super().__init__(ProblemSet(spread(problems, limit), name=source), whole=[*rows, *left_out])
        self.left_out = left_out
        self._rows = {problem.id: rows[problem.id] for problem in self.problems}
        self.stop = _common([row.stop for row in self._rows.values()])
        found = {name: _broken(row, verifier) for name, row in self._rows.items()}
        self.broken = {name: reason for name, reason in found.items() if reason}
        self._ours: dict[str, Problem] = {}
        for one in imported:
            if one.id in self._rows:
                self._take(one, verifier)

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
        """The row as a problem of ours, or why it cannot be one."""
        reason = _why(one)
        if one.problem is not None:
            try:
                verifier.check(one.problem)
            except ProblemError as error:
                reason = _said_of(one.id, str(error))
            else:
                self._ours[one.id] = one.problem
                return
        self.unjudged[one.id] = reason


def _sha256(value: object) -> str:
    return hashlib.sha256(json.dumps([value, _PROGRAM.digest]).encode()).hexdigest()


def _text(completion: object) -> str:
    return completion if isinstance(completion, str) else ""


def cut(completion: str, stop: Sequence[str]) -> str:
    """A completion up to the first of the stop tokens."""
    places = [completion.find(token) for token in stop if token]
    return completion[: min((place for place in places if place >= 0), default=len(completion))]


def exits(program: str, verifier: AnyVerifier) -> Verdict:
    """PASSED where a program exits with 0, whatever it prints."""
    verdict = verifier.verify(_PROGRAM, _NOT_LINKED + program if "Str" in program else program)
    if not (verdict.tests and verdict.tests[0].returned):
        return verdict
    test = replace(verdict.tests[0], outcome=Outcome.PASSED, detail="")
    return replace(verdict, outcome=Outcome.PASSED, tests=(test,))


def status_of(verdict: Verdict) -> str:
    """What their harness calls it, but for Withheld, which it does not know."""
    if verdict.passed:
        return "OK"
    if verdict.outcome is Outcome.FORBIDDEN:
        return "Withheld"
    if verdict.outcome is Outcome.TIMEOUT:
        return "Timeout"
    if any(test.detail.endswith("Assertion failed") for test in verdict.tests):
        return "AssertionError"
    if any(found.message.startswith("Syntax error") for found in verdict.diagnostics):
        return "SyntaxError"
    return "Exception"


def _imported(source: str, verifier: AnyVerifier) -> list[Imported]:
    """The rows; one that ours can make no problem of is one of theirs even so, unless its text is broken."""
    parser = verifier if isinstance(verifier, AuthoringVerifier) else None  # a service parses no rows: it is done here
    imported = list(import_problems(source, format="multipl-e", verifier=parser))
    for one in imported:
        if one.problem is None and one.reason not in (Reason.PROMPT, Reason.TESTS, Reason.BAD_TEXT):
            raise ConfigError(f"{source}: {one.error}")
    return imported


def _why(one: Imported) -> str:
    """Why ours can make no problem of a row."""
    return _said_of(one.id, one.error)


def _said_of(name: str, message: str) -> str:
    """What a message says of a row, without its name."""
    return message.partition(repr(name))[2].lstrip(":, ")


def _row(raw: Any) -> _Row:
    return _Row(raw["prompt"], raw["tests"], tuple(unpacked(raw.get("stop_tokens")) or ()))


def _common(stops: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """The tokens at which every completion may end."""
    return tuple(token for token in stops[0] if token and all(token in stop for stop in stops))


def _broken(row: _Row, verifier: AnyVerifier) -> str:
    """Why a row's tests do not compile with any completion; "" where they do."""
    program = f"{row.prompt} assert false\n{row.tests}"
    verdict = exits(program, verifier)
    if verdict.stage is Stage.TEST:
        return ""
    found = verdict.diagnostics[0]  # none comes so far without one
    line = program.split("\n")[found.line - 1].strip()
    return f"{found.message.rstrip('.')}: `{one_line(line)}`"

"""The audit of a whole set: it examines every row, measures the tests by mutation, and compares the problems."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from itertools import islice

from ocaml_env.audit.checks import Examined, as_json, examine
from ocaml_env.audit.contamination import contamination_findings
from ocaml_env.audit.duplicates import duplicate_findings
from ocaml_env.audit.finding import Finding
from ocaml_env.audit.rows import Row
from ocaml_env.audit.rules import Rules
from ocaml_env.audit.statement import statement_findings
from ocaml_env.display.progress import Bar
from ocaml_env.errors import EngineError, ProblemError, SandboxUnavailable
from ocaml_env.kills.mutants import MutationScore, measure
from ocaml_env.problem import Problem
from ocaml_env.verifiers.base import AuthoringVerifier

__all__ = ["Audit", "Audited", "audit"]

# Engine failures in a row after which the audit gives up.
_FAILED_IN_A_ROW = 5

# Rows in progress at a time, for each worker.
_AHEAD = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Audited:
    """The result of one row, with its mutation score (None if it was not measured)."""

    row: Row
    examined: Examined | None = None
    mutants: MutationScore | None = None
    findings: tuple[Finding, ...] = ()

    @property
    def clean(self) -> bool:
        return all(finding.severity == "note" for finding in self.findings)

    @property
    def failed(self) -> bool:
        """True if the row was not audited because of an infrastructure error."""
        return any(finding.check == "not-audited" for finding in self.findings)

    @property
    def usable(self) -> Problem | None:
        """The problem with limits that fit its reference, if it has no other fault."""
        wrong = any(finding.severity != "note" and finding.check != "reference-slow" for finding in self.findings)
        return None if wrong or self.examined is None else self.examined.fitted


@dataclass(frozen=True, slots=True, kw_only=True)
class Audit:
    """The result of a set.

    Attributes:
        source: its origin.
        rows: in order, each with all its findings.
        ocaml_version: the evaluating OCaml version.
        seconds: wall time of the audit.
        rules: severities and thresholds, for a set of this size.
    """

    source: str
    rows: tuple[Audited, ...]
    ocaml_version: str
    seconds: float
    rules: Rules = field(default_factory=Rules)

    @property
    def findings(self) -> tuple[Finding, ...]:
        return tuple(finding for row in self.rows for finding in row.findings)

    @property
    def clean(self) -> bool:
        return all(row.clean for row in self.rows) and not self.weak

    @property
    def mutation_score(self) -> float | None:
        """Share of all counted mutants killed by the tests; None if it was not measured."""
        scores = [row.mutants for row in self.rows if row.mutants is not None]
        total = sum(score.total for score in scores)
        return sum(score.killed for score in scores) / total if total else None

    @property
    def weak(self) -> bool:
        """True if the score of the whole set is too low."""
        return self.mutation_score is not None and self.mutation_score < self.rules.threshold("set-killed")

    def counts(self) -> dict[str, int]:
        """Rows with a finding, by check."""
        return dict(Counter(check for row in self.rows for check in {finding.check for finding in row.findings}))

    @property
    def groups(self) -> dict[str, int]:
        """Numbers of groups of hidden tests, of their tests, and of those that a degenerate answer passes.

        Only problems with a reference that passes have groups.
        """
        baselines = [baseline for row in self.rows if row.examined is not None for baseline in row.examined.baselines]
        return {
            "groups": len(baselines),
            "above_0": sum(baseline.group.baseline > 0 for baseline in baselines),
            "tests": sum(len(baseline.group.tests) for baseline in baselines),
            "baseline": sum(baseline.group.baseline for baseline in baselines),
        }

    @property
    def inside(self) -> dict[str, int]:
        """Numbers of tests with their result from the candidate's process, by the reason, most common first."""
        clauses = (clause for row in self.rows if row.examined is not None for clause in row.examined.inside.values())
        return dict(Counter(clauses).most_common())

    def as_json(self) -> dict[str, object]:
        """Plain data."""
        score = self.mutation_score
        return {
            "source": self.source,
            "clean": self.clean,
            "rows": len(self.rows),
            "clean_rows": sum(row.clean for row in self.rows),
            "ocaml_version": self.ocaml_version,
            "seconds": round(self.seconds, 2),
            "mutation_score": None if score is None else round(score, 4),
            "counts": self.counts(),
            "size": self.rules.size,
            "groups": self.groups,
            "tests_inside": self.inside,
            "problems": [_row_as_json(row) for row in self.rows],
        }


def audit(
    source: str,
    rows: Iterable[Row],
    *,
    verifier: AuthoringVerifier,
    mutants: bool = True,
    rules: Rules | None = None,
    against: Iterable[tuple[str, Problem]] = (),
    progress: bool = False,
    total: int | None = None,
) -> Audit:
    """Audits rows, as many at a time as the verifier has workers.

    Args:
        source: their origin, for the report.
        rows: read when they are needed.
        verifier: evaluates; give it no cache.
        mutants: True measures the tests by mutation, which takes most of the time.
        rules: severities and thresholds; defaults by the size of the set.
        against: problems of other sets, each with the name of its set, that must not occur among the rows.
        progress: True shows the progress.
        total: number of rows, if it is known.
    """
    began = time.monotonic()
    rules = rules or Rules()
    guessable = rules.threshold("guessed")
    results = _in_order(rows, verifier, mutants, guessable)
    with Bar("auditing", total, "problems", passing=True, hidden=not progress) as bar:
        done = list(bar.track(results))
    rules = rules.for_rows(len(done))
    more: dict[str, list[Finding]] = {}
    for finding in _of_the_set(done, rules, against):
        more.setdefault(finding.problem_id, []).append(finding)
    return Audit(
        source=source,
        rows=tuple(_with(row, more, rules) for row in done),
        ocaml_version=verifier.ocaml_version,
        seconds=time.monotonic() - began,
        rules=rules,
    )


def _of_the_set(rows: Sequence[Audited], rules: Rules, against: Iterable[tuple[str, Problem]]) -> Iterator[Finding]:
    """The findings that need the whole set."""
    problems = [row.examined.problem for row in rows if row.examined is not None]
    yield from statement_findings(problems, fewest_words=int(rules.threshold("words")))
    for row in rows:
        if row.mutants is not None:
            yield from _mutation_findings(row.mutants, rules.threshold("killed"))
    yield from _repeated_ids(rows)
    tests, words = rules.threshold("like-tests"), rules.threshold("like-words")
    yield from duplicate_findings(problems, tests=tests, words=words)
    yield from contamination_findings(problems, against, words=rules.threshold("against-words"))


def _in_order(rows: Iterable[Row], verifier: AuthoringVerifier, mutants: bool, guessable: float) -> Iterator[Audited]:
    """Yields results in the order of the rows; only a few rows are in progress at a time."""
    source = iter(rows)
    failed = 0
    with ThreadPoolExecutor(max_workers=verifier.workers) as threads:
        waiting: list[Future[Audited]] = []
        try:
            while True:
                missing = verifier.workers * _AHEAD - len(waiting)
                waiting += [threads.submit(_one, row, verifier, mutants, guessable) for row in islice(source, missing)]
                if not waiting:
                    return
                audited = waiting.pop(0).result()
                failed = failed + 1 if audited.failed else 0
                if failed == _FAILED_IN_A_ROW:
                    raise EngineError(f"{failed} problems in a row could not be audited: {audited.findings[0].message}")
                yield audited
        except BaseException:
            threads.shutdown(wait=False, cancel_futures=True)
            raise


def _one(row: Row, verifier: AuthoringVerifier, mutants: bool, guessable: float) -> Audited:
    """Audits one row. An infrastructure error becomes a finding, and the audit goes on."""
    try:
        return _examined(row, verifier, mutants, guessable)
    except SandboxUnavailable:
        raise
    except EngineError as error:
        return Audited(row=row, findings=(Finding(check="not-audited", problem_id=row.name, message=str(error)),))


def _examined(row: Row, verifier: AuthoringVerifier, mutants: bool, guessable: float) -> Audited:
    if row.problem is None:
        return Audited(row=row, findings=(Finding(check="unusable", problem_id=row.name, message=row.error),))
    examined = examine(row.problem, verifier, guessable=guessable)
    if not mutants or not examined.reference_passes:
        return Audited(row=row, examined=examined, findings=examined.findings)
    try:
        score = measure(examined.fitted, verifier=verifier, equivalent=row.equivalent)
    except ProblemError:
        return Audited(row=row, examined=examined, findings=examined.findings)  # its findings already tell the fault
    return Audited(row=row, examined=examined, mutants=score, findings=examined.findings)


def _mutation_findings(score: MutationScore, least: float) -> Iterator[Finding]:
    if score.score < least:
        message = f"{score.killed} of {score.total} mutants killed ({score.score:.0%}, below {least:.0%})"
        yield Finding(check="weak-tests", problem_id=score.problem_id, message=message)
    for what, keys in (("a test kills it", score.refuted), ("no mutant has this key", score.stale)):
        for key in keys:
            yield Finding(check="equivalents", problem_id=score.problem_id, message=f"{what}: {key}")


def _repeated_ids(rows: Iterable[Audited]) -> Iterator[Finding]:
    counts = Counter(row.row.name for row in rows if row.row.problem is not None)
    for name, count in counts.items():
        if count > 1:
            yield Finding(check="duplicate", problem_id=name, message=f"{count} rows have this id")


def _with(row: Audited, more: Mapping[str, list[Finding]], rules: Rules) -> Audited:
    of_the_set = more.get(row.row.name, []) if row.row.problem is not None else []
    return replace(row, findings=rules.weigh([*row.findings, *of_the_set]))


def _row_as_json(row: Audited) -> dict[str, object]:
    score = row.mutants
    return {
        **({"problem_id": row.row.name} if row.examined is None else as_json(row.examined)),
        "clean": row.clean,
        "notes": list(row.row.notes),
        "findings": [
            {"check": f.check, "severity": f.severity, "message": f.message, "test": f.test} for f in row.findings
        ],
        "mutants": None
        if score is None
        else {
            "score": round(score.score, 4),
            "killed": score.killed,
            "total": score.total,
            "survivors": [mutant.key for mutant in score.survivors],
            "equivalent": len(score.equivalent),
        },
    }

"""Tries the laws of ``staged`` on evaluated answers, under every preset.

A kept law is no proof; property tests check the laws of ``staged``. A broken law is proof: the first answer that breaks
it is kept as an example.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from benchmarks.exploits.attack import Attack
from benchmarks.exploits.problems import TARGETS
from benchmarks.reward_quality.ladder import SPAM, Answer, Severity, dressed, evaluated_many, ladder
from ocaml_env import Outcome, Verdict
from ocaml_env.extract import END_MARKER, Completion
from ocaml_env.problem import Problem
from ocaml_env.reward import RewardSpec
from ocaml_env.verifiers.local import Verifier

__all__ = ["LAWS", "Forms", "Law", "Material", "Trial", "forms", "sample_forms", "small_answers", "try_laws"]

_EPSILON = 1e-9
_COMMENT = "(* what follows\n" + "is explained\n" * 8 + "at length *)\n"


@dataclass(frozen=True, kw_only=True)
class Forms:
    """An answer, and variants that differ only in form.

    Attributes:
        answer: the original.
        comments: with comments around it.
        blanks: with other blanks and line endings.
        renamed: with another name for a local definition.
        fences: without a fence, and in fences of three kinds.
        repeated: the same code several times.
    """

    answer: Answer
    comments: Sequence[Answer]
    blanks: Sequence[Answer]
    renamed: Sequence[Answer]
    fences: Sequence[Answer]
    repeated: Sequence[Answer]


@dataclass(frozen=True, kw_only=True)
class Material:
    """The evaluated answers for all laws.

    Attributes:
        answers: the ladders.
        stubs: well-typed answers that solve nothing; raising ones have the kind ``stub that raises``.
        forms: answers in several forms.
        again: answers of the ladders, each with the same answer evaluated in another order and process.
        attacks: the attacks, each with its answer, the raising stub of its problem, and its baseline.
    """

    answers: Sequence[Answer]
    stubs: Sequence[Answer]
    forms: Sequence[Forms]
    again: Sequence[tuple[Answer, Answer]]
    attacks: Sequence[tuple[Attack, Answer, Answer, Answer]]


@dataclass(frozen=True, kw_only=True)
class Trial:
    """The result of a law under a preset.

    Attributes:
        law: its title.
        cases: number of comparisons.
        broken: number of comparisons that break it.
        example: the first broken one; "" if there is none.
    """

    law: str
    cases: int
    broken: int
    example: str


Case = tuple[bool, str]
"""True if the law was kept, and a description of the comparison."""


@dataclass(frozen=True, kw_only=True)
class Law:
    """A law: a title, and a function that yields its cases."""

    title: str
    cases: Callable[[Material, RewardSpec], Iterator[Case]]


def try_laws(material: Material, spec: RewardSpec) -> list[Trial]:
    """Tries every law under one preset, in the order of ``LAWS``."""
    trials = []
    for law in LAWS:
        cases = list(law.cases(material, spec))
        broken = [told for kept, told in cases if not kept]
        trials.append(Trial(law=law.title, cases=len(cases), broken=len(broken), example=broken[0] if broken else ""))
    return trials


def small_answers(verifier: Verifier) -> list[Answer]:
    """Evaluates right and wrong answers of a line or two, to the attacked problems: laws hold for short answers too."""
    found = []
    for target in TARGETS.values():
        texts = [("short right answer", target.problem.reference), ("short wrong answer", target.wrong)]
        texts.append(("short stub that raises", target.raising))
        found += evaluated_many(target.problem, [(kind, dressed(code), None) for kind, code in texts], verifier)
    return found


def forms(answer: Answer, verifier: Verifier) -> Forms:
    """Makes the variants of an answer with code, and evaluates them."""
    code = answer.extraction.code or ""
    code = code.removesuffix(END_MARKER).rstrip()
    bare, renamed = dressed(code), _renamed(answer.problem, code)
    texts: dict[str, list[str]] = {
        "comments": [_COMMENT + bare, f"{code}\n{_COMMENT}{END_MARKER}"],
        "blanks": [f"\n\n  {bare}".replace("\n", "\r\n"), f"{code} \n\t\n\n{END_MARKER}\n\n", _spread(code)],
        "renamed": [] if renamed is None else [dressed(renamed)],
        "fences": [bare, *(f"{fence}\n{bare}\n{end}" for fence, end in (("```", "```"), ("```ocaml", "```")))],
        "repeated": [dressed(f"{code}\n\n{code}"), dressed("\n\n".join([code] * 4))],
    }
    texts["fences"].append(f"```ocaml\n{bare}")
    plan = [(f"{answer.kind}, {name}", Completion(text), None) for name, many in texts.items() for text in many]
    found = iter(evaluated_many(answer.problem, plan, verifier))
    made = {name: [next(found) for _ in many] for name, many in texts.items()}
    return Forms(answer=answer, **made)


def _spread(code: str) -> str:
    # A quoted string may contain an empty line.
    return dressed(code if "{|" in code else code.replace("\n\n", "\n \t\n\n\n"))


def _renamed(problem: Problem, code: str) -> str | None:
    """Renames a local ``let`` binding in the code; None if a text search cannot do so safely.

    It is unsafe near records, labels, objects and strings, and for names in the signature or a test.
    """
    spoken = f"{problem.signature}\n{problem.prelude}\n" + "\n".join(test.code for test in problem.tests)
    if re.search(r'["{~?#]|\bobject\b', code):
        return None
    for name in re.findall(r"\blet (?:rec )?([a-z][a-z0-9_]*)\b", code):
        if name != "rec" and not re.search(rf"\b{name}\b", spoken) and not re.search(rf"\.{name}\b", code):
            return re.sub(rf"\b{name}\b", f"{name}_of_mine", code)
    return None


# --- the laws ---------------------------------------------------------------------------------------------------------


def _bounded(material: Material, spec: RewardSpec) -> Iterator[Case]:
    for answer in (*material.answers, *material.stubs):
        total = answer.total(spec)
        yield 0.0 <= total <= 1.0, _told(answer, spec)


def _repeatable(material: Material, spec: RewardSpec) -> Iterator[Case]:
    for first, second in material.again:
        yield first.total(spec) == second.total(spec), f"{_told(first, spec)}, then {second.total(spec):.3f}"


def _nothing(material: Material, spec: RewardSpec) -> Iterator[Case]:
    for answer in material.answers:
        if answer.kind in SPAM:
            yield answer.total(spec) <= _EPSILON, _told(answer, spec)


def _parsing(material: Material, spec: RewardSpec) -> Iterator[Case]:
    spam: dict[str, Answer] = {}
    for answer in material.answers:
        if answer.kind in SPAM and answer.total(spec) >= (
            spam[answer.problem.id].total(spec) if answer.problem.id in spam else 0.0
        ):
            spam[answer.problem.id] = answer
    best = max(spam.values(), key=lambda answer: answer.total(spec), default=None)
    for answer in (*material.answers, *(form.answer for form in material.forms)):
        worthless = spam.get(answer.problem.id, best)
        if answer.parses and not answer.extraction.truncated and worthless is not None:
            kept = answer.total(spec) > worthless.total(spec) + _EPSILON
            yield kept, f"{_told(answer, spec)}; {worthless.kind} earns {worthless.total(spec):.3f}"


def _repaired(material: Material, spec: RewardSpec) -> Iterator[Case]:
    for levels in ladder(material.answers).values():
        for worse in (Severity.THREE_TYPE_ERRORS, Severity.TWO_TYPE_ERRORS, Severity.ONE_TYPE_ERROR):
            for before in levels.get(worse, ()):
                for after in levels.get(Severity.REFERENCE, ()):
                    yield _rises(before, after, spec)


def _one_more_test(material: Material, spec: RewardSpec) -> Iterator[Case]:
    for answer in material.answers:
        for number, test in enumerate(answer.verdict.tests):
            if not test.passed and not answer.verdict.partial:
                after = replace(answer, kind="the same with one more test", verdict=_with_passed(answer, number))
                yield _rises(answer, after, spec)


def _with_passed(answer: Answer, number: int) -> Verdict:
    tests = list(answer.verdict.tests)
    tests[number] = replace(tests[number], outcome=Outcome.PASSED, returned=True)
    first = next((test.outcome for test in tests if not test.passed), Outcome.PASSED)
    return replace(answer.verdict, tests=tuple(tests), outcome=first)


def _same(pick: Callable[[Forms], Sequence[Answer]]) -> Callable[[Material, RewardSpec], Iterator[Case]]:
    def cases(material: Material, spec: RewardSpec) -> Iterator[Case]:
        for form in material.forms:
            for other in pick(form):
                kept = abs(other.total(spec) - form.answer.total(spec)) <= _EPSILON
                yield kept, f"{_told(form.answer, spec)}, but {other.total(spec):.3f} as {other.kind}"

    return cases


def _repeated(material: Material, spec: RewardSpec) -> Iterator[Case]:
    for form in material.forms:
        for other in form.repeated:
            kept = other.total(spec) <= form.answer.total(spec) + _EPSILON
            yield kept, f"{_told(form.answer, spec)}, but {other.total(spec):.3f} several times over"


def _given_up(material: Material, spec: RewardSpec) -> Iterator[Case]:
    for answer in material.stubs:
        if answer.problem.baseline:
            yield answer.total(spec) <= 0.25 + _EPSILON, _told(answer, spec)


def _attacked(material: Material, spec: RewardSpec) -> Iterator[Case]:
    for attack, answer, _, baseline in material.attacks:
        kept = answer.total(spec) <= baseline.total(spec) + _EPSILON
        told = f"{attack.name} earns {answer.total(spec):.3f}, its baseline {baseline.total(spec):.3f}"
        yield kept, told


def _unsolved(material: Material, spec: RewardSpec) -> Iterator[Case]:
    for answer in (*material.answers, *material.stubs):
        if not answer.verdict.passed and answer.hidden[0] == 0:
            yield answer.total(spec) <= 0.25 + _EPSILON, _told(answer, spec)


def _rises(before: Answer, after: Answer, spec: RewardSpec) -> Case:
    kept = after.total(spec) >= before.total(spec) - _EPSILON
    return kept, f"{_told(before, spec)}, and {after.total(spec):.3f} as {after.kind}"


def _told(answer: Answer, spec: RewardSpec) -> str:
    return f"{answer.problem.id}: {answer.kind} earns {answer.total(spec):.3f}"


LAWS = (
    Law(title="0 <= total <= 1", cases=_bounded),
    Law(title="equal inputs, equal rewards: another order, another process, no cache", cases=_repeatable),
    Law(title="nothing for prose, gibberish, markers, comments, runaways", cases=_nothing),
    Law(title="code that parses gets more than those", cases=_parsing),
    Law(title="type errors planted in a right answer never pay", cases=_repaired),
    Law(title="one more test passed never lowers it", cases=_one_more_test),
    Law(title="comments change nothing", cases=_same(lambda form: form.comments)),
    Law(title="blanks and line endings change nothing", cases=_same(lambda form: form.blanks)),
    Law(title="renaming a local definition changes nothing", cases=_same(lambda form: form.renamed)),
    Law(
        title="no fence, one fence, a labelled and an unclosed one are the same", cases=_same(lambda form: form.fences)
    ),
    Law(title="repeating code never pays", cases=_repeated),
    Law(title="a stub earns at most .25 if baselines are known", cases=_given_up),
    Law(title="no attack earns more than its baseline", cases=_attacked),
    Law(title="code that passes no hidden test earns at most .25", cases=_unsolved),
)
"""The laws of ``staged``.

The baseline of an attack is the raising stub. If the attack must return values, it is a wrong answer that returns; the
attack's file says which. Stubs raise, return a constant, return an argument, or answer the examples from a table.
"""


def sample_forms(answers: Sequence[Answer], rng: random.Random) -> list[Answer]:
    """Draws an answer of each severity that a change of form could affect; all of one problem."""
    wanted = (Severity.REFERENCE, Severity.FAILS_FEW, Severity.FAILS_MOST, Severity.TWO_TYPE_ERRORS)
    by_level = [[answer for answer in answers if answer.severity is severity] for severity in wanted]
    return [rng.choice(level) for level in by_level if level]

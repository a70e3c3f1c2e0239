"""The only place that turns a problem and a completion into a verdict, a reward, feedback and a rollout.

Every front door (Gymnasium environments, the trainer's reward, evaluations, the command) goes through ``evaluate`` or
``evaluate_many``. So equal inputs earn equal rewards behind each of them. ``Episode`` holds the rules of turns, without
Gymnasium.

Every completion can be evaluated: a value of another type than ``str``, or too long a text, is NO_CODE. An
infrastructure error raises an exception and leaves the episode unchanged, so the same turn can be tried again.

Long, because no other module may evaluate a completion, be it alone or in a batch.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from ocaml_env.errors import BatchError, ConfigError, OCamlEnvError, SandboxUnavailable
from ocaml_env.extract import Completion, Extraction, extract
from ocaml_env.problem import Problem
from ocaml_env.prompt import Prompt, PromptSpec
from ocaml_env.reward import Reward, RewardSpec, is_degenerate
from ocaml_env.rollout import Rollout
from ocaml_env.verdict import Outcome, Stage, Verdict
from ocaml_env.verifiers.base import AnyVerifier

__all__ = [
    "MAX_COMPLETION_LENGTH",
    "Episode",
    "EpisodeSpec",
    "Evaluation",
    "Turn",
    "edit_lines",
    "evaluate",
    "evaluate_each",
    "evaluate_many",
]

MAX_COMPLETION_LENGTH = 262_144
"""The most characters of a completion. A longer one is NO_CODE and is not read. Models write far less in a turn."""


_USUAL = PromptSpec()
_MOST_LINES = 400  # of an answer compared line by line, which takes quadratic time


@dataclass(frozen=True, kw_only=True)
class Evaluation:
    """The evaluation of one completion.

    Attributes:
        problem: the problem.
        completion: the answer; empty if it was not a ``str``.
        extraction: the code in it.
        verdict: the result of checking and testing the code.
        reward: the reward for the verdict.
        version: the version of the reward: ``RewardSpec.version``.
        reason: the reason for a missing code; "" if there was code.
    """

    problem: Problem
    completion: Completion
    extraction: Extraction
    verdict: Verdict
    reward: Reward
    version: str
    reason: str = ""

    @cached_property
    def feedback(self) -> str:
        """The text that the model sees on its next turn."""
        return _USUAL.told(self.problem, self.verdict, self.extraction.code, self.reason)

    def told(self, prompts: PromptSpec) -> str:
        """The text for the model: the default feedback, or that of the prompts' own function."""
        if prompts.feedback is None:
            return self.feedback  # cached
        return prompts.told(self.problem, self.verdict, self.extraction.code, self.reason)

    def rollout(
        self,
        *,
        prompt_digest: str,
        step: int = 0,
        epoch: float = 0.0,
        group: int = 0,
        turn: int = 1,
        tokens: int | None = None,
        thinking: int | None = None,
        latency: float | None = None,
    ) -> Rollout:
        """Makes the record of this sample. The arguments are fields of the record that an evaluation lacks."""
        return Rollout(
            step=step,
            epoch=epoch,
            problem_id=self.problem.id,
            problem_digest=self.problem.digest,
            group=group,
            turn=turn,
            prompt_digest=prompt_digest,
            completion=str(self.completion),
            truncated=self.extraction.truncated,
            tokens=tokens,
            thinking=thinking,
            latency=latency,
            outcome=self.verdict.outcome,
            stage=self.verdict.stage,
            errors=self.verdict.errors,
            diagnostics=self.verdict.diagnostics,
            reward=self.version,
            parts={name: float(part) for name, part in self.reward.parts.items()},
            total=float(self.reward.total),
            degenerate=is_degenerate(self.problem, self.verdict),
            tests_passed=self.verdict.tests_passed,
            tests_passed_inside=self.verdict.tests_passed_inside,
            tests_total=self.verdict.tests_total,
            passed=self.verdict.passed,
        )


def evaluate(problem: Problem, completion: object, *, verifier: AnyVerifier, reward: RewardSpec) -> Evaluation:
    """Evaluates one completion.

    Args:
        problem: the problem.
        completion: the answer: a ``str`` or a ``Completion``. Anything else is NO_CODE, and ``reason`` says so.
        verifier: evaluates the code; unused if there is no code.
        reward: pays for the verdict.

    Raises:
        OCamlEnvError: for an infrastructure error.
    """
    text, extraction, reason = _read(problem, completion)
    verdict = _NO_CODE if extraction.code is None else verifier.verify(problem, extraction.code)
    return _evaluation(problem, text, extraction, reason, verdict, reward)


def evaluate_many(
    pairs: Iterable[tuple[Problem, object]], *, verifier: AnyVerifier, reward: RewardSpec, progress: bool = False
) -> list[Evaluation]:
    """Evaluates a batch with all workers busy: ``evaluate`` on each pair, in order.

    Raises:
        BatchError: if infrastructure errors hit some pairs; the verifier remembers the other verdicts.
        OCamlEnvError: if an infrastructure error hit the whole batch.
    """
    read = _read_many(pairs)
    verdicts = _verify_many(read, verifier, progress)
    return [_evaluation(*answer, verdict, reward) for answer, verdict in zip(read, verdicts, strict=True)]


_Read = tuple[Problem, Completion, Extraction, str]
"""A problem, an answer to it, the extraction, and the reason for a missing code."""


def _read_many(pairs: Iterable[tuple[Problem, object]]) -> list[_Read]:
    return [(problem, *_read(problem, completion)) for problem, completion in pairs]


def _verify_many(read: Sequence[_Read], verifier: AnyVerifier, progress: bool = False) -> list[Verdict]:
    """The verdicts of a batch in order; NO_CODE if there is no code. The places of a ``BatchError`` count those too."""
    places = [place for place, (_, _, extraction, _) in enumerate(read) if extraction.code is not None]
    verdicts: list[Any] = [_NO_CODE] * len(read)
    to_verify = [(read[place][0], str(read[place][2].code)) for place in places]
    found: Sequence[Verdict | None] = ()
    failed: BatchError | None = None
    try:
        found = verifier.verify_many(to_verify, progress=progress) if places else ()
    except BatchError as error:
        found, failed = error.verdicts, error
    for place, verdict in zip(places, found, strict=True):
        verdicts[place] = verdict
    if failed is not None:
        errors = {places[place]: error for place, error in failed.errors.items()}
        raise BatchError(str(failed), verdicts=verdicts, errors=errors) from failed
    return verdicts


def evaluate_each(
    pairs: Iterable[tuple[Problem, object]], *, verifier: AnyVerifier, reward: RewardSpec
) -> list[Evaluation | OCamlEnvError]:
    """Evaluates a batch in order. An infrastructure error stands in the place of the evaluation that it prevented.

    Raises:
        ConfigError: if the reward or the verifier cannot be used at all.
        SandboxUnavailable: if this machine lacks the sandbox.
    """
    read = _read_many(pairs)
    verdicts: list[Verdict | OCamlEnvError]
    try:
        verdicts = [*_verify_many(read, verifier)]
    except BatchError as error:
        verdicts = [verdict or error.at(place) for place, verdict in enumerate(error.verdicts)]
    except (ConfigError, SandboxUnavailable):
        raise
    except OCamlEnvError as error:
        verdicts = [_NO_CODE if extraction.code is None else error for _, _, extraction, _ in read]
    return [
        verdict if isinstance(verdict, OCamlEnvError) else _evaluation(*answer, verdict, reward)
        for answer, verdict in zip(read, verdicts, strict=True)
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """The result of one turn of an episode.

    Attributes:
        observation: the next prompt; after the last turn, the feedback on it in the same form.
        reward: the change in total, so the rewards of an episode add up to its last total. If the problem has an
            attempt, the total is the value of the repair (``reward.repair_value``).
        terminated: True on PASSED and after the last turn.
        info: plain values that describe the evaluation. The caller may change it.
    """

    observation: str
    reward: float
    terminated: bool
    info: dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class EpisodeSpec:
    """The rules of an episode.

    Attributes:
        prompts: the form of the prompts.
        max_turns: the most completions of an episode.

    Raises:
        ConfigError: if ``max_turns`` is not a whole number from 1.
    """

    prompts: PromptSpec = field(default_factory=PromptSpec)
    max_turns: int = 1

    def __post_init__(self) -> None:
        if isinstance(self.max_turns, bool) or not isinstance(self.max_turns, int) or self.max_turns < 1:
            raise ConfigError(f"max_turns must be a whole number from 1, not {self.max_turns!r}")


class Episode:
    """Turns on one problem, until it is solved or the turns are used up.

    If the problem has an attempt, the episode begins after that answer: the first observation holds the attempt and the
    feedback on it. The attempt is not a turn.

    Attributes:
        problem: the problem.
        prompt: the first observation.
        turn: completions evaluated so far.
        total: the total of the last one; 0 before the first.
        done: True once the episode has terminated.
    """

    def __init__(self, problem: Problem, spec: EpisodeSpec) -> None:
        self.problem = problem
        self.prompt = spec.prompts.text(problem)
        self.turn = 0
        self.total = 0.0
        self.done = False
        self._spec = spec

    def advance(self, evaluation: Evaluation) -> Turn:
        """Counts the evaluation as the next turn, and returns that turn."""
        reward = self.take(evaluation)
        return Turn(
            observation=self.observation(evaluation), reward=reward, terminated=self.done, info=self._info(evaluation)
        )

    def take(self, evaluation: Evaluation) -> float:
        """Counts the evaluation as the next turn, without making an observation. Returns the change in total."""
        total = float(evaluation.reward.total)
        reward, self.total = total - self.total, total
        self.turn += 1
        self.done = evaluation.verdict.passed or self.turn >= self._spec.max_turns
        return reward

    def observation(self, evaluation: Evaluation) -> Prompt:
        """The observation after the latest turn: the next prompt."""
        prompts, code = self._spec.prompts, evaluation.extraction.code
        # The latest code is shown: the attempt, until an answer has code.
        prompt = self.prompt if code is None or not self.problem.attempt else prompts.question(self.problem)
        return prompts.revision(self.problem, prompt, code, evaluation.told(prompts), last=self.done)

    def _info(self, evaluation: Evaluation) -> dict[str, Any]:
        verdict, reward, attempt = evaluation.verdict, evaluation.reward, self.problem.attempt
        return {
            "problem_id": self.problem.id,
            "turn": self.turn,
            "outcome": verdict.outcome.value,
            "stage": verdict.stage.name,
            "passed": verdict.passed,
            "tests_passed": verdict.tests_passed,
            "tests_passed_inside": verdict.tests_passed_inside,
            "tests_total": verdict.tests_total,
            "errors": verdict.errors,
            "diagnostics": [diagnostic.as_dict() for diagnostic in verdict.diagnostics],
            "parts": {name: float(part) for name, part in reward.parts.items()},
            "total": self.total,
            "degenerate": is_degenerate(self.problem, verdict),
            "partial": list(verdict.partial),
            "given": list(verdict.given),
            "has_baseline": bool(self.problem.baseline),
            "truncated": evaluation.extraction.truncated,
            "code": evaluation.extraction.code,
            "reason": evaluation.reason,
            "feedback": evaluation.told(self._spec.prompts),
            "ocaml_version": verdict.ocaml_version,
            "sandbox": list(verdict.sandbox),
            **({"edit_lines": edit_lines(attempt, evaluation.extraction.code or "")} if attempt else {}),
        }


def edit_lines(before: str, after: str) -> int:
    """The size of an edit: lines removed plus lines added, as ``difflib`` matches them.

    Blanks at the ends of lines do not count. An answer of more than 400 lines counts as fully rewritten.
    """
    old, new = ([line.rstrip() for line in code.strip().splitlines()] for code in (before, after))
    if len(new) > _MOST_LINES:
        return len(old) + len(new)
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    return len(old) + len(new) - 2 * sum(block.size for block in matcher.get_matching_blocks())


_NO_CODE = Verdict(outcome=Outcome.NO_CODE, stage=Stage.EXTRACT)


def _read(problem: Problem, completion: object) -> tuple[Completion, Extraction, str]:
    """The completion as text, the extraction, and the reason for a missing code."""
    if not isinstance(completion, str):
        nothing = extract("", kind=problem.kind)
        return Completion(""), nothing, f"the answer is no text: it is of type {type(completion).__name__}"
    text = completion if isinstance(completion, Completion) else Completion(completion)
    if len(text) > MAX_COMPLETION_LENGTH:
        nothing = extract(Completion("", truncated=text.truncated), kind=problem.kind)
        return text, nothing, f"the answer has {len(text)} characters; at most {MAX_COMPLETION_LENGTH} are read"
    extraction = extract(text, wanted=problem.wanted, kind=problem.kind)
    return text, extraction, extraction.reason.value


def _evaluation(
    problem: Problem, text: Completion, extraction: Extraction, reason: str, verdict: Verdict, reward: RewardSpec
) -> Evaluation:
    return Evaluation(
        problem=problem,
        completion=text,
        extraction=extraction,
        verdict=verdict,
        reward=reward(problem, extraction, verdict),
        version=reward.version,
        reason=reason,
    )

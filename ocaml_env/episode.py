"""The one place where a problem and a completion become verdict, reward, feedback and rollout.

Every front door (the Gymnasium environments, the trainer's reward, the evaluation, the command) goes through
``evaluate`` or ``evaluate_many``, so that equal inputs are worth the same behind each of them by construction.
``Episode`` holds the rule of turns, without Gymnasium.

A completion can always be evaluated: one that is no text, or too long, is NO_CODE. An infrastructure error is an
exception, and leaves an episode as it was, so that the same turn can be tried again.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from ocaml_env.errors import BatchError, ConfigError, OCamlEnvError, SandboxUnavailable
from ocaml_env.extract import Completion, Extraction, extract
from ocaml_env.problem import Problem
from ocaml_env.prompt import Prompt, PromptSpec, digest
from ocaml_env.reward import Reward, RewardSpec, is_degenerate
from ocaml_env.rollout import Rollout
from ocaml_env.verdict import Outcome, Stage, Verdict
from ocaml_env.verifiers.base import AnyVerifier

__all__ = [
    "MAX_COMPLETION_LENGTH",
    "Episode",
    "EpisodeSpec",
    "Evaluation",
    "PendingEvaluation",
    "Turn",
    "edit_lines",
    "evaluate",
    "evaluate_each",
    "evaluate_many",
    "evaluate_or_error",
]

MAX_COMPLETION_LENGTH = 262_144
"""Characters of a completion; a longer one is NO_CODE without being read. Far above what a model writes in a turn."""


_USUAL = PromptSpec()
_MOST_LINES = 400  # of an answer that is compared line by line: the time of that grows with the square


@dataclass(frozen=True, kw_only=True)
class Evaluation:
    """What became of one completion.

    Attributes:
        problem: what was asked.
        completion: what was answered; empty where the answer was no text.
        extraction: the code in it.
        verdict: what happened to the code.
        reward: what that is worth.
        version: of the reward: ``RewardSpec.version``.
        reason: why there was no code to evaluate; "" where there was.
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
        """What is said of it to the model: the feedback, or what the prompts' own function says."""
        if prompts.feedback is None:
            return self.feedback  # It is written once.
        return prompts.told(self.problem, self.verdict, self.extraction.code, self.reason)

    def rollout(
        self,
        *,
        prompt: str,
        step: int = 0,
        epoch: float = 0.0,
        group: int = 0,
        turn: int = 1,
        tokens: int | None = None,
    ) -> Rollout:
        """The record of this sample; ``prompt`` is the text that was answered."""
        return Rollout(
            step=step,
            epoch=epoch,
            problem_id=self.problem.id,
            problem_digest=self.problem.digest,
            group=group,
            turn=turn,
            prompt_digest=digest(prompt),
            completion=self.completion,
            truncated=self.extraction.truncated,
            tokens=tokens,
            outcome=self.verdict.outcome,
            errors=self.verdict.errors,
            diagnostics=self.verdict.diagnostics,
            reward=self.version,
            parts=self.reward.parts,
            total=self.reward.total,
            degenerate=is_degenerate(self.problem, self.verdict),
            tests_passed=self.verdict.tests_passed,
            tests_total=self.verdict.tests_total,
            passed=self.verdict.passed,
        )


class PendingEvaluation:
    """A completion on its way to an evaluation: it is read when this is made, then verified, then paid for.

    After each verdict Python has lost the processor's caches to the engine. Who takes several completions through one
    step after the other needs a third less of its time.

    Args:
        problem: what was asked.
        completion: what was answered.
        verifier: evaluates the code; it is not asked where there is none.
        reward: pays for the verdict.
    """

    def __init__(self, problem: Problem, completion: object, *, verifier: AnyVerifier, reward: RewardSpec) -> None:
        self._problem, self._verifier, self._reward = problem, verifier, reward
        self._text, self._extraction, self._reason = _read(problem, completion)
        self._verdict: Verdict | OCamlEnvError = _NO_CODE

    def verify(self) -> None:
        """Has the code evaluated. An infrastructure error is kept, in place of the evaluation.

        Raises:
            ConfigError: where the verifier cannot be used at all.
            SandboxUnavailable: where nothing may be evaluated on this machine.
        """
        if self._extraction.code is None:
            return
        try:
            self._verdict = self._verifier.verify(self._problem, self._extraction.code)
        except (ConfigError, SandboxUnavailable):
            raise
        except OCamlEnvError as fault:
            self._verdict = fault

    def evaluation(self) -> Evaluation | OCamlEnvError:
        """What became of it, once it was verified."""
        if isinstance(self._verdict, OCamlEnvError):
            return self._verdict
        return _evaluation(self._problem, self._text, self._extraction, self._reason, self._verdict, self._reward)


def evaluate(problem: Problem, completion: object, *, verifier: AnyVerifier, reward: RewardSpec) -> Evaluation:
    """Evaluates one completion.

    Args:
        problem: what was asked.
        completion: what was answered: a ``str`` or a ``Completion``. Anything else is NO_CODE, and ``reason`` says so.
        verifier: evaluates the code; it is not asked where there is none.
        reward: pays for the verdict.

    Raises:
        OCamlEnvError: where we failed, not the candidate.
    """
    text, extraction, reason = _read(problem, completion)
    verdict = _NO_CODE if extraction.code is None else verifier.verify(problem, extraction.code)
    return _evaluation(problem, text, extraction, reason, verdict, reward)


def evaluate_or_error(
    problem: Problem,
    completion: object,
    *,
    verifier: AnyVerifier,
    reward: RewardSpec,
    by: Callable[..., Evaluation] = evaluate,
) -> Evaluation | OCamlEnvError:
    """The evaluation of one completion, or the infrastructure error that came in its place.

    Args:
        problem: what was asked.
        completion: what was answered.
        verifier: evaluates the code.
        reward: pays for the verdict.
        by: the rule to evaluate by, which takes the same.

    Raises:
        ConfigError: where the reward or the verifier cannot be used at all.
        SandboxUnavailable: where nothing may be evaluated on this machine.
    """
    try:
        return by(problem, completion, verifier=verifier, reward=reward)
    except (ConfigError, SandboxUnavailable):
        raise
    except OCamlEnvError as fault:
        return fault


def evaluate_many(
    pairs: Iterable[tuple[Problem, object]], *, verifier: AnyVerifier, reward: RewardSpec, progress: bool = False
) -> list[Evaluation]:
    """Evaluates a batch at once: the same as ``evaluate`` on each pair, in order, with all workers busy.

    Raises:
        BatchError: where we failed on some of them; the verifier remembers the others.
        OCamlEnvError: where we failed on all.
    """
    read = _read_many(pairs)
    verdicts = _verify_many(read, verifier, progress)
    return [_evaluation(*one, verdict, reward) for one, verdict in zip(read, verdicts, strict=True)]


_Read = tuple[Problem, Completion, Extraction, str]
"""A problem, an answer to it, what was found in it, and why there is no code."""


def _read_many(pairs: Iterable[tuple[Problem, object]]) -> list[_Read]:
    return [(problem, *_read(problem, completion)) for problem, completion in pairs]


def _verify_many(read: Sequence[_Read], verifier: AnyVerifier, progress: bool = False) -> list[Verdict]:
    """The verdicts of what was read, also where it has no code; so are the places of a ``BatchError``."""
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
    """The evaluations of a batch, in order. An infrastructure error stands in place of the evaluation it prevented.

    Raises:
        ConfigError: where the reward or the verifier cannot be used at all.
        SandboxUnavailable: where nothing may be evaluated on this machine.
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
        verdict if isinstance(verdict, OCamlEnvError) else _evaluation(*one, verdict, reward)
        for one, verdict in zip(read, verdicts, strict=True)
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """What an episode answers to a completion.

    Attributes:
        observation: the next prompt; after the last turn, the feedback on it in the same form.
        reward: the change in total, so that an episode's rewards add up to its last total. For a problem with an
            attempt the total is the value of the repair (``reward.repair_value``).
        terminated: True on PASSED and after the last turn.
        info: plain values that describe the evaluation; the caller's own.
    """

    observation: str
    reward: float
    terminated: bool
    info: dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class EpisodeSpec:
    """How episodes go.

    Attributes:
        prompts: how problems are asked.
        max_turns: completions that an episode takes at most.

    Raises:
        ConfigError: where ``max_turns`` is not a whole number from 1.
    """

    prompts: PromptSpec = field(default_factory=PromptSpec)
    max_turns: int = 1

    def __post_init__(self) -> None:
        if isinstance(self.max_turns, bool) or not isinstance(self.max_turns, int) or self.max_turns < 1:
            raise ConfigError(f"max_turns must be a whole number from 1, not {self.max_turns!r}")


class Episode:
    """One problem, asked until it is solved or the turns are used up.

    If the problem has an attempt, the episode begins after that answer: the first observation holds it and the feedback
    on it, and it is no turn.

    Attributes:
        problem: what is asked.
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
        """Takes the evaluation of a completion as the next turn."""
        reward = self.take(evaluation)
        return Turn(
            observation=self.observation(evaluation), reward=reward, terminated=self.done, info=self._info(evaluation)
        )

    def take(self, evaluation: Evaluation) -> float:
        """Only counts the evaluation as the next turn, for whoever needs no observation; the change in total."""
        total = float(evaluation.reward.total)
        reward, self.total = total - self.total, total
        self.turn += 1
        self.done = evaluation.verdict.passed or self.turn >= self._spec.max_turns
        return reward

    def observation(self, evaluation: Evaluation) -> Prompt:
        """What is said to the turn that was taken last: the next prompt."""
        prompts, code = self._spec.prompts, evaluation.extraction.code
        # The latest code is shown, which is the attempt until an answer has some.
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
    """How large the step from one code to another is: lines taken out plus lines put in, as ``difflib`` matches them.

    Blanks at the ends of lines make no difference. An answer of more than 400 lines counts as written anew.
    """
    old, new = ([line.rstrip() for line in code.strip().splitlines()] for code in (before, after))
    if len(new) > _MOST_LINES:
        return len(old) + len(new)
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    return len(old) + len(new) - 2 * sum(block.size for block in matcher.get_matching_blocks())


_NO_CODE = Verdict(outcome=Outcome.NO_CODE, stage=Stage.EXTRACT)


def _read(problem: Problem, completion: object) -> tuple[Completion, Extraction, str]:
    """The completion as text, the code in it, and why there is none."""
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

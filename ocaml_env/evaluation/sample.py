"""One sample, from its prompt to its record: an episode of a problem, or the new evaluation of a recorded one."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace

from ocaml_env.episode import Episode, EpisodeSpec, Evaluation
from ocaml_env.errors import ConfigError, OCamlEnvError, SandboxUnavailable
from ocaml_env.evaluation.models.base import Answer, Request, seed_of
from ocaml_env.evaluation.protocols.base import PeerEvaluation, Protocol
from ocaml_env.evaluation.record import Record, TestRecord
from ocaml_env.extract import Completion
from ocaml_env.problem import Problem
from ocaml_env.prompt import Prompt
from ocaml_env.reward import RewardSpec
from ocaml_env.rollout import Rollout
from ocaml_env.verifiers.base import AnyVerifier

__all__ = ["NewSample", "RecordedSample", "Rules", "Sample"]


@dataclass(frozen=True, kw_only=True)
class Rules:
    """The rules by which all answers of a run are evaluated.

    Attributes:
        protocol: evaluates an answer.
        verifier: compiles and tests it.
        reward: pays for the verdict.
    """

    protocol: Protocol
    verifier: AnyVerifier
    reward: RewardSpec


class Sample(ABC):
    """A sample in progress. One thread at a time uses it.

    Attributes:
        problem: its problem.
        rules: the rules of the run.
        answers: answers so far.
        evaluations: evaluations of the answers.
        turns: the records of the answers.
        fault: the infrastructure error that ended the sample; "" if there was none.
    """

    def __init__(self, problem: Problem, rules: Rules) -> None:
        self.problem = problem
        self.rules = rules
        self.answers: list[Answer] = []
        self.evaluations: list[Evaluation] = []
        self.turns: list[Rollout] = []
        self.fault = ""

    @property
    @abstractmethod
    def is_over(self) -> bool: ...

    @abstractmethod
    def record(self) -> Record:
        """Returns the line of ``samples.jsonl``, once the sample is over."""

    def take(self, answer: Answer) -> None:
        """Evaluates the next answer. An infrastructure error ends the sample as its fault.

        Raises:
            ConfigError: if the reward or the verifier cannot be used at all.
            SandboxUnavailable: if this machine lacks the sandbox.
        """
        if answer.fault:
            self.fault = answer.fault
            return
        rules = self.rules
        try:
            evaluation = rules.protocol.evaluate(
                self.problem, answer.completion, verifier=rules.verifier, reward=rules.reward
            )
        except (ConfigError, SandboxUnavailable):
            raise
        except OCamlEnvError as error:
            self.fault = f"verification: {error}"
            return
        self.answers.append(answer)
        self.evaluations.append(evaluation)
        turn = evaluation.rollout(
            prompt_digest=self._prompt_digest(),
            turn=len(self.answers),
            tokens=answer.tokens,
            thinking=answer.thinking,
            latency=answer.latency,
        )
        degenerate = turn.degenerate and not isinstance(evaluation, PeerEvaluation)
        self.turns.append(replace(turn, problem_digest=rules.protocol.digest_of(self.problem), degenerate=degenerate))

    @abstractmethod
    def _prompt_digest(self) -> str:
        """Returns the digest of the prompt of the last answer."""

    def _evaluated(self, record: Record) -> Record:
        """Returns the record with the problem of today and the results of this run."""
        problem, last = self.problem, self.evaluations[-1]
        return replace(
            record,
            problem_digest=self.rules.protocol.digest_of(problem),
            kind=problem.kind,
            topics=problem.topics,
            level=problem.level_name,
            turns=tuple(self.turns),
            tests=tuple(map(TestRecord.of, last.verdict.tests)),
            protocol=last.record if isinstance(last, PeerEvaluation) else None,
            fault="",
        )


class NewSample(Sample):
    """A sample to be drawn from a model.

    Args:
        problem: its problem.
        number: number of the problem's sample, from 0.
        rules: the rules of the run.
        spec: prompts and number of turns.
        seed: seed of the run.
    """

    def __init__(self, problem: Problem, number: int, rules: Rules, *, spec: EpisodeSpec, seed: int) -> None:
        super().__init__(problem, rules)
        self.number = number
        self._run_seed, self._seed = seed, seed_of(seed, problem.id, number, 1)
        self._episode = Episode(problem, spec)
        self._prompt: Prompt = self._episode.prompt

    @property
    def is_over(self) -> bool:
        return self._episode.done or bool(self.fault)

    def request(self) -> Request:
        """Returns the request of the next turn."""
        turn = self._episode.turn + 1
        seed = self._seed if turn == 1 else seed_of(self._run_seed, self.problem.id, self.number, turn)
        return Request(problem=self.problem, sample=self.number, turn=turn, prompt=self._prompt, seed=seed)

    def take(self, answer: Answer) -> None:
        super().take(answer)
        if not self.fault:
            self._episode.take(self.evaluations[-1])
            if not self._episode.done:
                self._prompt = self._episode.observation(self.evaluations[-1])

    def _prompt_digest(self) -> str:
        return self._prompt.digest

    def record(self) -> Record:
        problem = self.problem
        record = Record(
            problem_id=problem.id,
            sample=self.number,
            problem_digest=self.rules.protocol.digest_of(problem),
            kind=problem.kind,
            topics=problem.topics,
            level=problem.level_name,
            prompt_digest=self._episode.prompt.digest,
            seed=self._seed,
            fault=self.fault,
        )
        return record if self.fault else self._evaluated(record)


class RecordedSample(Sample):
    """A recorded sample to be evaluated again. It ends at its first passing turn.

    It keeps its completions if their evaluation fails, for the next time. Without completions, after a fault, its
    record stays as it is.
    """

    def __init__(self, record: Record, rules: Rules) -> None:
        super().__init__(rules.protocol.problems.by_id[record.problem_id], rules)
        self._before = record

    @property
    def is_over(self) -> bool:
        passed = bool(self.evaluations) and self.evaluations[-1].verdict.passed
        return passed or bool(self.fault) or len(self.answers) == len(self._before.turns)

    def answer(self) -> Answer:
        """Returns the recorded answer of the next turn."""
        turn = self._before.turns[len(self.answers)]
        completion = Completion(turn.completion, truncated=turn.truncated)
        return Answer(completion=completion, tokens=turn.tokens, thinking=turn.thinking, latency=turn.latency)

    def _prompt_digest(self) -> str:
        return self._before.turns[len(self.answers) - 1].prompt_digest

    def record(self) -> Record:
        if self.fault:
            return replace(self._before, fault=self.fault)
        if not self.evaluations:
            return self._before
        return self._evaluated(self._before)

"""Plays the samples that are still missing: while some answers are generated, others are judged.

Threads take batches of samples in order, ask the model, have the answers judged, and hand the records on. There are
enough of them to keep the model's requests and the verifier's workers busy at once, and each waits for what it asked:
memory stays flat.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, TypeVar

from benchmarks.models import Answer, Model, Request, seed_of
from benchmarks.protocol import PeerJudgement, Protocol
from benchmarks.results import Done
from ocaml_env import AnyVerifier, OCamlEnvError, Problem, RewardSpec
from ocaml_env.episode import Episode, EpisodeSpec, Judgement, judge_or_fault
from ocaml_env.extract import Completion
from ocaml_env.prompt import digest

__all__ = ["Asked", "GaveUp", "Rejudge", "Run", "work_through"]

T = TypeVar("T")

FAULTS_IN_A_ROW = 30
"""So many samples that cannot be had, with none between that could, end a run: whoever is asked is not there."""

_GRACE = 5.0  # seconds that requests in hand have to end, before what they use is closed


class GaveUp(OCamlEnvError, RuntimeError):
    """One sample after another could not be had."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One sample: an episode of a problem."""

    problem: Problem
    sample: int

    @property
    def key(self) -> tuple[str, int]:
        return self.problem.id, self.sample


@dataclass(kw_only=True)
class _Playing:
    """An episode in hand."""

    asked: Asked
    episode: Episode
    prompt: str
    seed: int
    answers: list[Answer] = field(default_factory=list)
    judgements: list[Judgement] = field(default_factory=list)
    fault: str = ""


@dataclass(frozen=True, kw_only=True)
class Run:
    """How samples are asked and judged.

    Attributes:
        model: answers.
        protocol: says how answers are judged.
        verifier: judges.
        reward: pays.
        spec: how problems are asked, and for how many turns.
        seed: of the run.
        judges: threads that judge, one for each answer that the verifier can take at a time: a worker that is done has
            the next answer from the thread that it just served, and none of those that ask has to wake up between. None
            judges in the thread that asks.
    """

    model: Model
    protocol: Protocol
    verifier: AnyVerifier
    reward: RewardSpec
    spec: EpisodeSpec
    seed: int
    judges: Executor | None = None

    def play(self, batch: Sequence[Asked]) -> list[dict[str, Any]]:
        """One episode of each, side by side, as records for ``samples.jsonl``."""
        all_of_them = [self._begin(asked) for asked in batch]
        while playing := [one for one in all_of_them if not one.episode.done and not one.fault]:
            answers = self.model.answer([self._request(one) for one in playing])
            each = map if self.judges is None else self.judges.map
            for one, answer, judgement in zip(playing, answers, each(self._judge, playing, answers), strict=True):
                if judgement is None:
                    one.fault = answer.fault
                    continue
                if isinstance(judgement, OCamlEnvError):
                    one.fault = f"verification: {judgement}"
                    continue
                one.answers.append(answer)
                one.judgements.append(judgement)
                one.episode.take(judgement)
                if not one.episode.done:
                    one.prompt = one.episode.observation(judgement)
        return [_record(one, self.protocol) for one in all_of_them]

    def _judge(self, one: _Playing, answer: Answer) -> Judgement | OCamlEnvError | None:
        if answer.fault:
            return None
        return judge_or_fault(
            one.asked.problem,
            answer.completion,
            verifier=self.verifier,
            reward=self.reward,
            by=self.protocol.judge,
        )

    def _begin(self, asked: Asked) -> _Playing:
        episode = Episode(asked.problem, self.spec)
        seed = seed_of(self.seed, asked.problem.id, asked.sample, 1)
        return _Playing(asked=asked, episode=episode, prompt=episode.prompt, seed=seed)

    def _request(self, one: _Playing) -> Request:
        problem, sample, turn = one.asked.problem, one.asked.sample, one.episode.turn + 1
        seed = one.seed if turn == 1 else seed_of(self.seed, problem.id, sample, turn)
        return Request(problem=problem, sample=sample, turn=turn, prompt=one.prompt, seed=seed)


@dataclass(frozen=True, kw_only=True)
class Rejudge:
    """Judges the completions of records anew. An episode ends at the first turn that passes now.

    A record whose completions we fail to judge keeps them, for the next time.
    """

    protocol: Protocol
    verifier: AnyVerifier
    reward: RewardSpec

    def again(self, record: dict[str, Any]) -> dict[str, Any]:
        """The record with what the completions are worth now; one that has none, for a fault, as it is."""
        if not record["turns"]:
            return record
        problem = self.protocol.problems.by_id[record["problem_id"]]
        answers, judgements = [], []
        for turn in record["turns"]:
            completion = Completion(turn["completion"], truncated=turn["truncated"])
            judgement = judge_or_fault(
                problem, completion, verifier=self.verifier, reward=self.reward, by=self.protocol.judge
            )
            if isinstance(judgement, OCamlEnvError):
                kept = {name: record[name] for name in ("completion", "turns")}
                return record | _NOTHING | kept | {"fault": f"verification: {judgement}"}
            answers.append(Answer(completion=completion, tokens=turn["tokens"], latency=turn["latency"]))
            judgements.append(judgement)
            if judgement.verdict.passed:
                break
        return record | _about(problem, self.protocol) | _became(answers, judgements) | {"fault": ""}


def batches_of(samples: Iterable[Asked], size: int, done: Done) -> Iterator[Sequence[Asked]]:
    """Batches with something to do, cut from the whole list: a resumed run has the batches of an unbroken one."""
    samples = iter(samples)
    while batch := list(islice(samples, size)):
        if any(asked.key not in done for asked in batch):
            yield batch


def work_through(
    todo: Iterator[T],
    work: Callable[[T], Sequence[dict[str, Any]]],
    *,
    threads: int,
    took: Callable[[dict[str, Any]], None],
    failed: Callable[[dict[str, Any]], bool] = lambda record: bool(record["fault"]),
) -> None:
    """Does everything, some at a time, and hands the records to ``took``, one at a time, in whichever thread has them.

    Args:
        todo: taken from by one thread at a time.
        work: makes records of one of them.
        threads: how many work.
        took: takes a record.
        failed: whether a record is one that could not be had.

    Raises:
        GaveUp: where one fault follows another.
        BaseException: the first one of the work, or of ``took``; what is in hand then is given up.
    """
    taking, handing, stop, ended = threading.Lock(), threading.Lock(), threading.Event(), threading.Semaphore(0)
    errors: list[BaseException] = []
    faults = 0

    def labour() -> None:
        try:
            while not stop.is_set():
                with taking:
                    one = next(todo, None)
                if one is None:
                    break
                records = work(one)
                with handing:
                    for record in records:
                        hand(record)
        except BaseException as error:  # noqa: BLE001 - the thread's caller raises it
            errors.append(error)
            stop.set()
        finally:
            ended.release()

    def hand(record: dict[str, Any]) -> None:
        nonlocal faults
        if stop.is_set():
            return
        took(record)
        faults = faults + 1 if failed(record) else 0
        if faults >= FAULTS_IN_A_ROW:
            raise GaveUp(f"{faults} samples in a row could not be had; the last one: {record['fault']}")

    for _ in range(threads):
        threading.Thread(target=labour, daemon=True).start()
    left = threads
    try:
        while left and not errors:
            ended.acquire()
            left -= 1
        until = time.monotonic() + _GRACE
        while left and ended.acquire(timeout=max(0.0, until - time.monotonic())):
            left -= 1
    finally:
        stop.set()  # on Ctrl-C nobody is waited for
    if errors:
        raise errors[0]


def _about(problem: Problem, protocol: Protocol) -> dict[str, Any]:
    return {
        "problem_digest": protocol.digest_of(problem),
        "kind": problem.kind,
        "topics": list(problem.topics),
        "difficulty": problem.difficulty,
    }


_NOTHING: dict[str, Any] = {
    "completion": None,
    "turns": [],
    "outcome": None,
    "stage": None,
    "passed": None,
    "solved_at": None,
    "total": None,
    "parts": None,
    "errors": None,
    "diagnostics": [],
    "tests": [],
    "tests_passed": None,
    "tests_total": None,
    "truncated": None,
    "tokens": None,
    "latency": None,
}


def _record(one: _Playing, protocol: Protocol) -> dict[str, Any]:
    problem = one.asked.problem
    became = _NOTHING if one.fault else _became(one.answers, one.judgements)
    return {
        "problem_id": problem.id,
        "sample": one.asked.sample,
        **_about(problem, protocol),
        "prompt_digest": digest(one.episode.prompt),
        **became,
        "seed": one.seed,
        "fault": one.fault,
    }


def _became(answers: Sequence[Answer], judgements: Sequence[Judgement]) -> dict[str, Any]:
    turns = [_turn(answer, judgement) for answer, judgement in zip(answers, judgements, strict=True)]
    last = turns[-1]
    verdict = judgements[-1].verdict
    return {
        "completion": last["completion"],
        "turns": turns,
        "outcome": last["outcome"],
        "stage": last["stage"],
        "passed": verdict.passed,
        "solved_at": len(turns) if verdict.passed else None,
        "total": last["total"],
        "parts": last["parts"],
        "errors": last["errors"],
        "diagnostics": last["diagnostics"],
        "tests": [{"name": test.name, "public": test.public, "outcome": test.outcome.value} for test in verdict.tests],
        "tests_passed": last["tests_passed"],
        "tests_total": last["tests_total"],
        "truncated": last["truncated"],
        "tokens": _sum([answer.tokens for answer in answers]),
        "latency": _sum([answer.latency for answer in answers]),
        **({"protocol": judgements[-1].record} if isinstance(judgements[-1], PeerJudgement) else {}),
    }


def _turn(answer: Answer, judgement: Judgement) -> dict[str, Any]:
    verdict, reward = judgement.verdict, judgement.reward
    return {
        "completion": str(judgement.completion),
        "truncated": judgement.completion.truncated,
        "outcome": verdict.outcome.value,
        "stage": verdict.stage.name,
        "errors": verdict.errors,
        "diagnostics": [diagnostic.as_dict() for diagnostic in verdict.diagnostics],
        "parts": {name: float(part) for name, part in reward.parts.items()},
        "total": float(reward.total),
        "tests_passed": verdict.tests_passed,
        "tests_total": verdict.tests_total,
        "tokens": answer.tokens,
        "latency": answer.latency,
    }


def _sum(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) if len(known) == len(values) else None

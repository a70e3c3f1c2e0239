"""TRL: a reward function for ``GRPOTrainer``, a ``rollout_func`` for several turns, and an ``environment_factory``.

    from trl import GRPOConfig, GRPOTrainer
    from ocaml_env.integrations.trl import dataset, reward_function

    model, settings = "Qwen/Qwen2.5-Coder-0.5B-Instruct", GRPOConfig("run", max_steps=100)
    problems = dataset("bundled:train")  # the columns prompt and problem_id
    GRPOTrainer(model, reward_function("bundled:train"), settings, problems).train()

For several turns, add ``rollout_func=rollout_function("bundled:train", max_turns=3)``. The episodes of a batch run side
by side, the feedback between answers is masked out of the loss, and the same reward function pays for the last answer.
For a model that calls tools, ``environment_factory=environment_factory("bundled:train")`` offers ``submit`` instead,
and needs no reward function.

Not scored: the reward of that sample is None, and TRL leaves it out of the loss. The run ends if too many samples are
lost (``max_fault_share``).

A completion counts as cut off if its last token is not in ``end_tokens``; without ``end_tokens`` each counts as whole.

Long, because an integration is one file, and TRL has three interfaces.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from ocaml_env.env import Problems, read_problems
from ocaml_env.episode import Episode, EpisodeSpec, Evaluation, evaluate_each
from ocaml_env.errors import ConfigError, OCamlEnvError, SandboxUnavailable
from ocaml_env.extract import Completion
from ocaml_env.integrations.common import Examiner, Faults, missing
from ocaml_env.problem import Problem
from ocaml_env.prompt import PromptSpec, PromptStyle

__all__ = [
    "Answer",
    "Conversation",
    "Rollouts",
    "between_turns",
    "dataset",
    "environment_factory",
    "episode_reward",
    "evaluate_answers",
    "reward_function",
    "rollout_function",
]

Evaluated = Evaluation | OCamlEnvError

_LOST = 64  # infrastructure errors in a row, over all submissions to environments, after which a run ends


def dataset(
    problems: Problems = "bundled:train", *, prompt_style: str | PromptSpec = PromptStyle.TEXT, chat: bool = True
) -> Any:
    """The problems as a ``datasets.Dataset`` with the columns ``prompt`` and ``problem_id``.

    Args:
        problems: a source for ``load_problems``, or a sequence of problems.
        prompt_style: the form of the prompts.
        chat: True gives prompts as chat messages; False as texts, for a tokenizer without a chat template.
    """
    try:
        from datasets import Dataset
    except ImportError as error:
        raise missing("trl", error) from error
    prompts = PromptSpec.of(prompt_style)
    ask = prompts.messages if chat else prompts.text
    return Dataset.from_list(
        [{"prompt": ask(problem), "problem_id": problem.id} for problem in read_problems(problems)]
    )


# --- one answer -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """One evaluated answer; an episode is a list of them, one for each turn.

    Attributes:
        problem: its problem.
        completion: the model's text.
        tokens: the number of its tokens.
        evaluated: its evaluation, or an infrastructure error.
    """

    problem: Problem
    completion: Completion
    tokens: int
    evaluated: Evaluated


def reward_function(
    problems: Problems = "bundled:train",
    *,
    end_tokens: int | Sequence[int] | None = None,
    name: str = "ocaml_reward",
    total: Callable[[Sequence[float]], float] = lambda totals: totals[-1],
    max_fault_share: float = 0.2,
    on_answers: Callable[[Sequence[list[Answer]], Callable[[str, float], None]], None] | None = None,
    **settings: Any,
) -> Callable[..., list[float | None]]:
    """Makes a reward function that verifies a batch at once. The data set must have the column ``problem_id``.

    The function also logs ``pass_rate``, because a reward may rise while the pass rate falls, and the outcome of each
    completion. It pays episodes that ``Rollouts`` has evaluated without evaluating them again.

    Args:
        problems: a source for ``load_problems``, or a sequence of problems.
        end_tokens: tokens that end a completion: ``trainer.eos_token_ids``, or the tokenizer's ``eos_token_id``.
        name: the name of the function in TRL's logs.
        total: computes the reward of an episode from the totals of its turns; by default it is the last.
        max_fault_share: the run ends if infrastructure errors lose more than this share of the last four batches.
        on_answers: called with the episodes of each batch and TRL's ``log_metric``, to keep records.
        settings: ``reward``, ``verifier``, ``workers`` and ``sandbox`` of ``Examiner``.

    Raises:
        ConfigError: if a setting cannot be used.
    """
    examiner = Examiner(problems, **settings)
    ends = None if end_tokens is None else {end_tokens} if isinstance(end_tokens, int) else set(end_tokens)
    evaluate = partial(evaluate_each, verifier=examiner.verifier, reward=examiner.reward)
    faults = Faults(most=max_fault_share)

    def ocaml_reward(
        *,
        completions: Sequence[Any],
        completion_ids: Sequence[Sequence[int]] | None = None,
        problem_id: Sequence[str] | None = None,
        evaluated: Sequence[list[Answer]] | None = None,
        log_extra: Callable[[str, list[Any]], None] = _no_log,
        log_metric: Callable[[str, float], None] = _no_log,
        **_: Any,
    ) -> list[float | None]:
        if evaluated is None:
            if problem_id is None:
                raise ConfigError("the data set has no column problem_id: make it with dataset(), or add it")
            asked = [examiner.problem(each) for each in problem_id]
            evaluated = evaluate_answers(asked, completions, completion_ids, ends, evaluate)
        last = [turns[-1].evaluated for turns in evaluated]
        faults.add(last)
        passed = [result.verdict.passed for result in last if isinstance(result, Evaluation)]
        if passed:
            log_metric("pass_rate", sum(passed) / len(passed))
        log_extra("outcome", list(map(_outcome, last)))
        if on_answers is not None:
            on_answers(evaluated, log_metric)
        return [episode_reward(turns, total) for turns in evaluated]

    ocaml_reward.__name__ = name
    return ocaml_reward


def evaluate_answers(
    problems: Sequence[Problem],
    completions: Sequence[Any],
    completion_ids: Sequence[Sequence[int]] | None,
    end_tokens: Collection[int] | None,
    evaluate: Callable[[Sequence[tuple[Problem, Completion]]], Sequence[Evaluated]],
) -> list[list[Answer]]:
    """Evaluates a batch of episodes of one turn.

    Args:
        problems: the problem of each completion.
        completions: texts or chats, as TRL gives them.
        completion_ids: their tokens, if they are known.
        end_tokens: a completion whose last token is another counts as cut off; without ``end_tokens`` none does.
        evaluate: evaluates the pairs, in order.
    """
    ends = None if completion_ids is None else end_tokens
    ids = [()] * len(completions) if completion_ids is None else completion_ids
    texts = [
        Completion(_text(completion), truncated=ends is not None and (not tokens or tokens[-1] not in ends))
        for completion, tokens in zip(completions, ids, strict=True)
    ]
    evaluated = evaluate(list(zip(problems, texts, strict=True)))
    return [
        [Answer(problem=problem, completion=text, tokens=len(tokens), evaluated=result)]
        for problem, text, tokens, result in zip(problems, texts, ids, evaluated, strict=True)
    ]


def episode_reward(turns: Sequence[Answer], total: Callable[[Sequence[float]], float]) -> float | None:
    """The reward of an episode by the totals of its turns; None if an infrastructure error ended it."""
    totals = [float(turn.evaluated.reward.total) for turn in turns if isinstance(turn.evaluated, Evaluation)]
    return total(totals) if len(totals) == len(turns) else None


def _no_log(name: str, value: Any) -> None:
    """Stands for TRL's loggers in a call without them."""


def _outcome(evaluated: Evaluated) -> str:
    return evaluated.verdict.outcome.value if isinstance(evaluated, Evaluation) else f"not scored: {evaluated}"


def _text(completion: Any) -> str:
    """The answer in a completion: a text, or the last message of the assistant."""
    if isinstance(completion, str):
        return completion
    content = next((message.get("content") for message in reversed(completion) if message["role"] == "assistant"), "")
    if isinstance(content, list):
        return "".join(part.get("text", "") for part in content)
    return content or ""


# --- several turns ----------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Conversation:
    """One episode as the model reads it.

    Attributes:
        problem: the problem.
        prompt_ids: the tokens of the prompt.
        episode: counts the turns.
        ids: the tokens after the prompt: answers, and the environment's messages between them.
        mask: 1 for each token of an answer, 0 for the others.
        logprobs: the log-probability of each token under the policy that drew it; 0 for other tokens; without vLLM, 0
            for all.
        answers: one for each turn.
    """

    problem: Problem
    prompt_ids: list[int]
    episode: Episode
    ids: list[int] = field(default_factory=list)
    mask: list[int] = field(default_factory=list)
    logprobs: list[float] = field(default_factory=list)
    answers: list[Answer] = field(default_factory=list)

    @property
    def over(self) -> bool:
        """True if the episode is done. An infrastructure error also ends it: the answer has no evaluation."""
        return self.episode.done or (bool(self.answers) and isinstance(self.answers[-1].evaluated, OCamlEnvError))


class Rollouts:
    """A ``rollout_func`` that runs the episodes of a batch side by side.

    In each turn, the unfinished episodes generate together and are verified together. An episode is over when it passes
    or has used up its turns. The environment's messages between the turns are part of the sequence that the model
    reads, with ``env_mask`` 0.
    """

    def __init__(
        self,
        problems: Iterable[Problem],
        *,
        spec: EpisodeSpec,
        evaluate: Callable[[Sequence[tuple[Problem, Completion]]], Sequence[Evaluated]],
    ) -> None:
        """Usually made by ``rollout_function``.

        Args:
            problems: the problems.
            spec: the rules of the episodes.
            evaluate: evaluates the answers of one turn.
        """
        asked = ((spec.prompts.text(problem), problem) for problem in problems)
        # In a chat, solved examples are separate messages before the last one.
        self._problems = {key: problem for text, problem in asked for key in (text, _observation(text.messages))}
        self._spec = spec
        self._evaluate = evaluate

    def __call__(self, prompts: Sequence[Any], trainer: Any) -> dict[str, Any]:
        """Runs one episode for each prompt. The prompts of a group are equal, one after the other.

        Raises:
            ConfigError: if a prompt belongs to none of the problems.
        """
        return self.play([self._problem(prompt) for prompt in prompts], prompts, trainer)

    def play(self, problems: Sequence[Problem], prompts: Sequence[Any], trainer: Any) -> dict[str, Any]:
        """The same if it is known which problem each prompt asks."""
        ids, _, _ = trainer._tokenize_prompts(list(prompts))
        conversations = [
            Conversation(problem, list(tokens), Episode(problem, self._spec))
            for problem, tokens in zip(problems, ids, strict=True)
        ]
        suffix = between_turns(trainer.processing_class)
        while playing := [conversation for conversation in conversations if not conversation.over]:
            self._turn(playing, trainer, suffix)
        return {
            "prompt_ids": [conversation.prompt_ids for conversation in conversations],
            "completion_ids": [conversation.ids for conversation in conversations],
            "logprobs": [conversation.logprobs for conversation in conversations] if trainer.use_vllm else None,
            "env_mask": [conversation.mask for conversation in conversations],
            "evaluated": [conversation.answers for conversation in conversations],
        }

    def _problem(self, prompt: Any) -> Problem:
        try:
            return self._problems[_observation(prompt)]
        except KeyError:
            raise ConfigError(
                f"no problem is asked like this: {_observation(prompt)[:80]!r}; make the data set with dataset(), from "
                "the same problems and with the same prompt_style"
            ) from None

    def _turn(self, playing: Sequence[Conversation], trainer: Any, suffix: Callable[[str, bool], list[int]]) -> None:
        ends = trainer.eos_token_ids
        for conversation in playing:
            if conversation.answers:
                evaluated = conversation.answers[-1].evaluated
                assert isinstance(evaluated, Evaluation)
                told = evaluated.told(self._spec.prompts)
                said = suffix(self._spec.prompts.follow_up(conversation.problem, told), conversation.ids[-1] in ends)
                conversation.ids += said
                conversation.mask += [0] * len(said)
                conversation.logprobs += [0.0] * len(said)
        drawn, logprobs = trainer._generate_single_turn(
            [conversation.prompt_ids + conversation.ids for conversation in playing], None, {}, num_generations=1
        )
        completions = []
        for index, (conversation, ids) in enumerate(zip(playing, drawn, strict=True)):
            conversation.ids += ids
            conversation.mask += [1] * len(ids)
            conversation.logprobs += logprobs[index] if logprobs is not None else [0.0] * len(ids)
            text = trainer.processing_class.decode(ids, skip_special_tokens=True)
            completions.append(Completion(text, truncated=ids[-1] not in ends))
        problems = [conversation.problem for conversation in playing]
        results = self._evaluate(list(zip(problems, completions, strict=True)))
        for conversation, ids, completion, evaluated in zip(playing, drawn, completions, results, strict=True):
            conversation.answers.append(
                Answer(problem=conversation.problem, completion=completion, tokens=len(ids), evaluated=evaluated)
            )
            if isinstance(evaluated, Evaluation):
                conversation.episode.advance(evaluated)


def rollout_function(
    problems: Problems = "bundled:train",
    *,
    max_turns: int = 2,
    prompt_style: str | PromptSpec = PromptStyle.TEXT,
    **settings: Any,
) -> Rollouts:
    """Makes a ``rollout_func`` over problems, for use with ``reward_function``.

    Args:
        problems: a source for ``load_problems``, or a sequence of problems.
        max_turns: the most answers of an episode.
        prompt_style: that of the data set.
        settings: ``reward``, ``verifier``, ``workers`` and ``sandbox`` of ``Examiner``.

    Raises:
        ConfigError: if a setting cannot be used.
    """
    examiner = Examiner(problems, prompt_style=prompt_style, **settings)
    return Rollouts(
        examiner.problems,
        spec=EpisodeSpec(prompts=examiner.prompts, max_turns=max_turns),
        evaluate=partial(evaluate_each, verifier=examiner.verifier, reward=examiner.reward),
    )


def between_turns(tokenizer: Any) -> Callable[[str, bool], list[int]]:
    """Makes a function for the tokens between an answer and the next one. Its arguments are the environment's message,
    and True if the answer ended with its end token.

    With a chat template, the tokens are the end of the assistant's message, the user's next message, and the head of
    the assistant's answer. Without one, they are the message with blank lines around it.
    """
    if tokenizer.chat_template is None:
        return lambda said, ended: list(tokenizer(f"\n\n{said}\n\n", add_special_tokens=False)["input_ids"])

    def suffix(said: str, ended: bool) -> list[int]:
        marker = "\u241fanswer\u241f"  # a placeholder for the answer: the template's text after it is wanted
        messages = [
            {"role": "user", "content": "question"},
            {"role": "assistant", "content": marker},
            {"role": "user", "content": said},
        ]
        text: str = tokenizer.apply_chat_template(messages, tokenize=False, add_generation_prompt=True)
        after = text.split(marker, 1)[1]
        if ended and tokenizer.eos_token and after.startswith(tokenizer.eos_token):
            after = after[len(tokenizer.eos_token) :]  # the model has already written it
        return list(tokenizer(after, add_special_tokens=False)["input_ids"])

    return suffix


def _observation(prompt: Any) -> str:
    """The observation in a prompt: a text, or the last message of a chat."""
    return prompt if isinstance(prompt, str) else str(prompt[-1]["content"])


# --- tools ------------------------------------------------------------------------------------------------------------


def environment_factory(
    problems: Problems = "bundled:train", *, max_turns: int = 3, **settings: Any
) -> Callable[[], Any]:
    """Makes environments for a model that calls the tool ``submit``. The reward is that of the last submission; 0 if
    there was none.

    Args:
        problems: a source for ``load_problems``, or a sequence of problems.
        max_turns: the most submissions to evaluate.
        settings: ``reward``, ``verifier``, ``workers`` and ``sandbox`` of ``Examiner``.

    Raises:
        ConfigError: if a setting cannot be used.
    """
    examiner = Examiner(problems, **settings)
    spec = EpisodeSpec(prompts=examiner.prompts, max_turns=max_turns)
    lost = 0  # infrastructure errors in a row, over all rollouts

    class OCamlEnvironment:
        """One rollout. TRL offers every public method except ``reset`` and ``get_reward`` as a tool."""

        def reset(self, *, problem_id: str, **_: Any) -> None:
            self._episode = Episode(examiner.problem(problem_id), spec)
            self._fault: OCamlEnvError | None = None

        def submit(self, code: str) -> str:
            """
            Compiles OCaml code and runs the tests of the problem on it.

            Args:
                code: The whole OCaml module or program.

            Returns:
                What the compiler and the tests say.
            """
            nonlocal lost
            if self._episode.done:
                return "The task is over: nothing more is evaluated."
            self._fault = None
            try:
                evaluation = examiner.evaluate(self._episode.problem.id, code)
            except OCamlEnvError as fault:
                self._fault = fault  # raised, it would become TRL's message to the model, and the rollout would go on
                lost += 1
                return "The code could not be evaluated, which is not your fault."
            lost = 0
            self._episode.advance(evaluation)
            return evaluation.told(examiner.prompts)

        def get_reward(self) -> float | None:
            if self._fault is None:
                return self._episode.total
            if lost >= _LOST or isinstance(self._fault, ConfigError | SandboxUnavailable):
                raise self._fault
            return None

    return OCamlEnvironment

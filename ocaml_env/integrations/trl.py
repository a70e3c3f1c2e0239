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

Not scored: the reward of that sample is None, and TRL leaves it out of the loss. If several batches in a row have no
reward at all, the infrastructure error ends the run, because it would learn nothing.

A completion counts as cut off if its last token is not in ``end_tokens``; without ``end_tokens`` each counts as whole.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from ocaml_env.env import Problems, read_problems
from ocaml_env.episode import Episode, EpisodeSpec, Evaluation
from ocaml_env.errors import ConfigError, OCamlEnvError, SandboxUnavailable
from ocaml_env.extract import Completion
from ocaml_env.integrations.common import Examiner, missing
from ocaml_env.problem import Problem
from ocaml_env.prompt import PromptSpec, PromptStyle

__all__ = [
    "Answer",
    "Conversation",
    "Rollouts",
    "between_turns",
    "dataset",
    "environment_factory",
    "reward_function",
    "rollout_function",
]

Evaluated = Evaluation | OCamlEnvError

_PATIENCE = 3  # batches in a row without any reward, after which a run ends
_LOST = 64  # submissions to an environment, likewise


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


def reward_function(
    problems: Problems = "bundled:train", *, end_tokens: int | Sequence[int] | None = None, **settings: Any
) -> Callable[..., list[float | None]]:
    """Makes a reward function that verifies a batch at once. The data set must have the column ``problem_id``.

    The function also logs ``pass_rate``, because a reward may rise while the pass rate falls, and the outcome of each
    completion.

    Args:
        problems: a source for ``load_problems``, or a sequence of problems.
        end_tokens: tokens that end a completion: ``trainer.eos_token_ids``, or the tokenizer's ``eos_token_id``.
        settings: ``reward``, ``verifier``, ``workers`` and ``sandbox`` of ``Examiner``.

    Raises:
        ConfigError: if a setting cannot be used.
    """
    examiner = Examiner(problems, **settings)
    ends = None if end_tokens is None else {end_tokens} if isinstance(end_tokens, int) else set(end_tokens)
    lost = 0

    def ocaml_reward(
        *,
        completions: Sequence[Any],
        completion_ids: Sequence[Sequence[int]] | None = None,
        problem_id: Sequence[str] | None = None,
        evaluated: Sequence[Evaluated] | None = None,
        log_extra: Callable[[str, list[Any]], None] | None = None,
        log_metric: Callable[[str, float], None] | None = None,
        **_: Any,
    ) -> list[float | None]:
        nonlocal lost
        if evaluated is None:
            if problem_id is None:
                raise ConfigError("the data set has no column problem_id: make it with dataset(), or add it")
            texts = [_text(completion) for completion in completions]
            if ends is not None and completion_ids is not None:
                cut = [not ids or ids[-1] not in ends for ids in completion_ids]
                texts = [Completion(text, truncated=is_cut) for text, is_cut in zip(texts, cut, strict=True)]
            evaluated = examiner.evaluate_each(zip(problem_id, texts, strict=True))
        known = [result for result in evaluated if isinstance(result, Evaluation)]
        lost = 0 if known else lost + 1
        if lost >= _PATIENCE:
            raise next(result for result in evaluated if isinstance(result, OCamlEnvError))
        if log_metric is not None and known:
            log_metric("pass_rate", sum(result.verdict.passed for result in known) / len(known))
        if log_extra is not None:
            log_extra("outcome", [_outcome(result) for result in evaluated])
        return [float(result.reward.total) if isinstance(result, Evaluation) else None for result in evaluated]

    return ocaml_reward


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """One turn of a conversation.

    Attributes:
        completion: the model's answer.
        tokens: the number of its tokens.
        evaluated: its evaluation, or an infrastructure error.
    """

    completion: Completion
    tokens: int
    evaluated: Evaluated


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
    def prompt(self) -> str:
        """The first observation."""
        return self.episode.prompt

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
        evaluate: Callable[[Sequence[tuple[Problem, Completion]], Any], Sequence[Evaluated]],
        on_records: Callable[[Sequence[Conversation]], None] | None = None,
    ) -> None:
        """Usually made by ``rollout_function``.

        Args:
            problems: the problems.
            spec: the rules of the episodes.
            evaluate: evaluates the answers of one turn; its second argument is the trainer.
            on_records: called with the conversations of each batch.
        """
        asked = ((spec.prompts.text(problem), problem) for problem in problems)
        # In a chat, solved examples are separate messages before the last one.
        self._problems = {key: problem for text, problem in asked for key in (text, _observation(text.messages))}
        self._spec = spec
        self._evaluate = evaluate
        self._took = on_records

    def __call__(self, prompts: Sequence[Any], trainer: Any) -> dict[str, Any]:
        """Runs one episode for each prompt. The prompts of a group are equal, one after the other.

        Raises:
            ConfigError: if a prompt belongs to none of the problems.
        """
        problems = [self._problem(prompt) for prompt in prompts]
        ids, _, _ = trainer._tokenize_prompts(list(prompts))
        conversations = [
            Conversation(problem, list(tokens), Episode(problem, self._spec))
            for problem, tokens in zip(problems, ids, strict=True)
        ]
        suffix = between_turns(trainer.processing_class)
        while playing := [conversation for conversation in conversations if not conversation.over]:
            self._turn(playing, trainer, suffix)
        if self._took is not None:
            self._took(conversations)
        return {
            "prompt_ids": [conversation.prompt_ids for conversation in conversations],
            "completion_ids": [conversation.ids for conversation in conversations],
            "logprobs": [conversation.logprobs for conversation in conversations] if trainer.use_vllm else None,
            "env_mask": [conversation.mask for conversation in conversations],
            "evaluated": [conversation.answers[-1].evaluated for conversation in conversations],
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
        asked = [
            (conversation.problem, completion) for conversation, completion in zip(playing, completions, strict=True)
        ]
        verdicts = self._evaluate(asked, trainer)
        for conversation, ids, completion, evaluated in zip(playing, drawn, completions, verdicts, strict=True):
            conversation.answers.append(Answer(completion=completion, tokens=len(ids), evaluated=evaluated))
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
        evaluate=lambda asked, _: examiner.evaluate_each((problem.id, completion) for problem, completion in asked),
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

"""TRL: a reward function for ``GRPOTrainer``, a ``rollout_func`` for several turns, and an ``environment_factory``.

    from trl import GRPOConfig, GRPOTrainer
    from ocaml_env.integrations.trl import dataset, reward_function

    model, settings = "Qwen/Qwen2.5-Coder-0.5B-Instruct", GRPOConfig("run", max_steps=100)
    problems = dataset("bundled:train")  # the columns prompt and problem_id
    GRPOTrainer(model, reward_function("bundled:train"), settings, problems).train()

For several turns add ``rollout_func=rollout_function("bundled:train", max_turns=3)``: the episodes of a batch go side
by side, the feedback between answers is masked out of the loss, and the same reward function pays what the last answer
earned. To a model that calls tools ``environment_factory=environment_factory("bundled:train")`` offers ``submit``
instead, and needs no reward function.

Not scored: the reward of that sample is None, which TRL leaves out of the loss. When batch after batch has not one
reward, our exception ends the run: it would learn nothing.

A completion counts as cut off where its last token is none of ``end_tokens``; without them each counts as whole.
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

_PATIENCE = 3  # batches without one reward, one after another, that a run survives
_LOST = 64  # submissions to an environment, likewise


def dataset(
    problems: Problems = "bundled:train", *, prompt_style: str | PromptSpec = PromptStyle.TEXT, chat: bool = True
) -> Any:
    """The problems as a ``datasets.Dataset`` with the columns ``prompt`` and ``problem_id``.

    Args:
        problems: what ``load_problems`` takes, or problems.
        prompt_style: how they are asked.
        chat: prompts as chat messages; else as texts, for a tokenizer without a chat template.
    """
    try:
        from datasets import Dataset
    except ImportError as error:
        raise missing("trl", error) from error
    prompts = PromptSpec.of(prompt_style)
    ask = prompts.messages if chat else prompts.text
    return Dataset.from_list([{"prompt": ask(one), "problem_id": one.id} for one in read_problems(problems)])


# --- one answer -------------------------------------------------------------------------------------------------------


def reward_function(
    problems: Problems = "bundled:train", *, end_tokens: int | Sequence[int] | None = None, **settings: Any
) -> Callable[..., list[float | None]]:
    """A reward function that verifies a batch at once. The data set must have the column ``problem_id``.

    It logs ``pass_rate`` beside the reward, because a reward may rise while the pass rate falls, and the outcome of
    each completion.

    Args:
        problems: what ``load_problems`` takes, or problems.
        end_tokens: what ends a completion: ``trainer.eos_token_ids``, or the tokenizer's ``eos_token_id``.
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
                texts = [Completion(text, truncated=one) for text, one in zip(texts, cut, strict=True)]
            evaluated = examiner.evaluate_each(zip(problem_id, texts, strict=True))
        known = [one for one in evaluated if isinstance(one, Evaluation)]
        lost = 0 if known else lost + 1
        if lost >= _PATIENCE:
            raise next(one for one in evaluated if isinstance(one, OCamlEnvError))
        if log_metric is not None and known:
            log_metric("pass_rate", sum(one.verdict.passed for one in known) / len(known))
        if log_extra is not None:
            log_extra("outcome", [_outcome(one) for one in evaluated])
        return [float(one.reward.total) if isinstance(one, Evaluation) else None for one in evaluated]

    return ocaml_reward


def _outcome(evaluated: Evaluated) -> str:
    return evaluated.verdict.outcome.value if isinstance(evaluated, Evaluation) else f"not scored: {evaluated}"


def _text(completion: Any) -> str:
    """The answer in a completion: a text, or the last message of the assistant."""
    if isinstance(completion, str):
        return completion
    content = next((one.get("content") for one in reversed(completion) if one["role"] == "assistant"), "")
    if isinstance(content, list):
        return "".join(part.get("text", "") for part in content)
    return content or ""


# --- several turns ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """One turn of a conversation.

    Attributes:
        completion: what was answered.
        tokens: how many tokens that was.
        evaluated: what became of it, or an infrastructure error.
    """

    completion: Completion
    tokens: int
    evaluated: Evaluated


@dataclass(slots=True)
class Conversation:
    """One episode as the model reads it.

    Attributes:
        problem: what is asked.
        prompt_ids: the tokens of the prompt.
        episode: the rule of turns.
        ids: the tokens after them: answers, and what the environment says between them.
        mask: 1 for each token of an answer, 0 for the others.
        logprobs: of each token under the policy that drew it; 0 where it was not drawn; None without vLLM.
        answers: one a turn.
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
        """An episode also ends where we fail: nothing can be said about its answer."""
        return self.episode.done or (bool(self.answers) and isinstance(self.answers[-1].evaluated, OCamlEnvError))


class Rollouts:
    """A ``rollout_func``: plays the episodes of a batch side by side.

    In each turn those that are not over generate together and are verified together; an episode is over when it passes
    or has used up its turns. What the environment says between the turns is part of the sequence that the model reads,
    and ``env_mask`` is 0 there.
    """

    def __init__(
        self,
        problems: Iterable[Problem],
        *,
        spec: EpisodeSpec,
        evaluate: Callable[[Sequence[tuple[Problem, Completion]], Any], Sequence[Evaluated]],
        on_records: Callable[[Sequence[Conversation]], None] | None = None,
    ) -> None:
        """``rollout_function`` makes the usual one.

        Args:
            problems: that are asked.
            spec: how episodes go.
            evaluate: evaluates the answers of one turn; is also given the trainer.
            on_records: is given the conversations of each batch.
        """
        asked = ((spec.prompts.text(problem), problem) for problem in problems)
        # In a chat, solved examples are messages of their own before the last one.
        self._problems = {key: problem for text, problem in asked for key in (text, _observation(text.messages))}
        self._spec = spec
        self._evaluate = evaluate
        self._took = on_records

    def __call__(self, prompts: Sequence[Any], trainer: Any) -> dict[str, Any]:
        """Plays one episode for each prompt: those of a group come as equal prompts, one after the other.

        Raises:
            ConfigError: if a prompt is none of the problems'.
        """
        problems = [self._problem(prompt) for prompt in prompts]
        ids, _, _ = trainer._tokenize_prompts(list(prompts))
        conversations = [
            Conversation(problem, list(tokens), Episode(problem, self._spec))
            for problem, tokens in zip(problems, ids, strict=True)
        ]
        suffix = between_turns(trainer.processing_class)
        while playing := [one for one in conversations if not one.over]:
            self._turn(playing, trainer, suffix)
        if self._took is not None:
            self._took(conversations)
        return {
            "prompt_ids": [one.prompt_ids for one in conversations],
            "completion_ids": [one.ids for one in conversations],
            "logprobs": [one.logprobs for one in conversations] if trainer.use_vllm else None,
            "env_mask": [one.mask for one in conversations],
            "evaluated": [one.answers[-1].evaluated for one in conversations],
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
        for one in playing:
            if one.answers:
                evaluated = one.answers[-1].evaluated
                assert isinstance(evaluated, Evaluation)
                said = suffix(
                    self._spec.prompts.follow_up(one.problem, evaluated.told(self._spec.prompts)), one.ids[-1] in ends
                )
                one.ids += said
                one.mask += [0] * len(said)
                one.logprobs += [0.0] * len(said)
        drawn, logprobs = trainer._generate_single_turn(
            [one.prompt_ids + one.ids for one in playing], None, {}, num_generations=1
        )
        completions = []
        for index, (one, ids) in enumerate(zip(playing, drawn, strict=True)):
            one.ids += ids
            one.mask += [1] * len(ids)
            one.logprobs += logprobs[index] if logprobs is not None else [0.0] * len(ids)
            text = trainer.processing_class.decode(ids, skip_special_tokens=True)
            completions.append(Completion(text, truncated=ids[-1] not in ends))
        asked = [(one.problem, completion) for one, completion in zip(playing, completions, strict=True)]
        verdicts = self._evaluate(asked, trainer)
        for one, ids, completion, evaluated in zip(playing, drawn, completions, verdicts, strict=True):
            one.answers.append(Answer(completion=completion, tokens=len(ids), evaluated=evaluated))
            if isinstance(evaluated, Evaluation):
                one.episode.advance(evaluated)


def rollout_function(
    problems: Problems = "bundled:train",
    *,
    max_turns: int = 2,
    prompt_style: str | PromptSpec = PromptStyle.TEXT,
    **settings: Any,
) -> Rollouts:
    """A ``rollout_func`` over problems, for use with ``reward_function``.

    Args:
        problems: what ``load_problems`` takes, or problems.
        max_turns: answers that an episode may take.
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
    """What stands between an answer and the next one, as tokens: of the text that the environment says, and of whether
    the answer ended with its end token.

    With a chat template that is the end of the assistant's message, the user's next one, and the head of the
    assistant's answer, as the template writes them; without one, the text with blank lines around it.
    """
    if tokenizer.chat_template is None:
        return lambda said, ended: list(tokenizer(f"\n\n{said}\n\n", add_special_tokens=False)["input_ids"])

    def suffix(said: str, ended: bool) -> list[int]:
        marker = "\u241fanswer\u241f"  # stands for the answer, so that the template's text around it can be cut out
        messages = [
            {"role": "user", "content": "question"},
            {"role": "assistant", "content": marker},
            {"role": "user", "content": said},
        ]
        text: str = tokenizer.apply_chat_template(messages, tokenize=False, add_generation_prompt=True)
        after = text.split(marker, 1)[1]
        if ended and tokenizer.eos_token and after.startswith(tokenizer.eos_token):
            after = after[len(tokenizer.eos_token) :]  # the model has written it
        return list(tokenizer(after, add_special_tokens=False)["input_ids"])

    return suffix


def _observation(prompt: Any) -> str:
    """The observation in a prompt: a text, or the last message of a chat."""
    return prompt if isinstance(prompt, str) else str(prompt[-1]["content"])


# --- tools ------------------------------------------------------------------------------------------------------------


def environment_factory(
    problems: Problems = "bundled:train", *, max_turns: int = 3, **settings: Any
) -> Callable[[], Any]:
    """Makes environments that a model uses by calling the tool ``submit``. The reward is what the last submission
    earned; 0 where there was none.

    Args:
        problems: what ``load_problems`` takes, or problems.
        max_turns: submissions that are evaluated.
        settings: ``reward``, ``verifier``, ``workers`` and ``sandbox`` of ``Examiner``.

    Raises:
        ConfigError: if a setting cannot be used.
    """
    examiner = Examiner(problems, **settings)
    spec = EpisodeSpec(prompts=examiner.prompts, max_turns=max_turns)
    lost = 0  # submissions in a row, of any rollouts, that we failed to evaluate

    class OCamlEnvironment:
        """One rollout. TRL offers every public method but ``reset`` and ``get_reward`` as a tool."""

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
                self._fault = fault  # TRL would make it a message to the model, and go on
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

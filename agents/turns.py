"""Episodes of several turns inside TRL: a ``rollout_func`` that plays them, with the feedback masked out of the loss.

The episodes of a batch go side by side. In each turn those that are not over generate together and are verified
together; an episode is over when it passes or has used up its turns. What the environment says between the turns is
part of the sequence that the model reads, and ``env_mask`` is 0 there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from agents.policy import end_tokens
from agents.scoring import Sample, Scoring
from ocaml_env import Completion, OCamlEnvError, Problem, RewardSpec
from ocaml_env.episode import Episode, EpisodeSpec, Judgement

__all__ = ["Conversation", "Rollouts", "between_turns"]


@dataclass(slots=True)
class Conversation:
    """One episode as the model reads it.

    Attributes:
        problem: what is asked.
        prompt: the first observation.
        prompt_ids: its tokens.
        ids: the tokens after them: answers, and what the environment says between them.
        mask: 1 for each token of an answer, 0 for the others.
        logprobs: of each token under the policy that drew it; 0 where it was not drawn; None without vLLM.
        judged: for each turn, the sample and its judgement, or our fault.
    """

    problem: Problem
    prompt: str
    prompt_ids: list[int]
    episode: Episode
    ids: list[int] = field(default_factory=list)
    mask: list[int] = field(default_factory=list)
    logprobs: list[float] = field(default_factory=list)
    judged: list[tuple[Sample, Judgement | OCamlEnvError]] = field(default_factory=list)

    @property
    def over(self) -> bool:
        """An episode also ends where we fail: nothing can be said about its answer."""
        return self.episode.done or (bool(self.judged) and isinstance(self.judged[-1][1], OCamlEnvError))


class Rollouts:
    """The ``rollout_func`` of a trainer."""

    def __init__(
        self,
        problems: Mapping[str, Problem],
        *,
        spec: EpisodeSpec,
        scoring: Scoring,
        reward: Callable[[Any], RewardSpec],
        took: Callable[[Sequence[Conversation]], None],
    ) -> None:
        """Made by the agent.

        Args:
            problems: by the text of their first observation.
            spec: how episodes go.
            scoring: verifies the answers.
            reward: what is paid at the state of a trainer.
            took: is given the conversations of each batch, from which the rewards and records are taken.
        """
        self._problems = problems
        self._spec = spec
        self._scoring = scoring
        self._reward = reward
        self._took = took

    def __call__(self, prompts: Sequence[Any], trainer: Any) -> dict[str, Any]:
        """Plays one episode for each prompt: those of a group come as equal prompts, one after the other."""
        tokenizer = trainer.processing_class
        ends = end_tokens(trainer.accelerator.unwrap_model(trainer.model), tokenizer)
        ids, _, _ = trainer._tokenize_prompts(list(prompts))
        conversations = [
            Conversation(problem, text, list(tokens), Episode(problem, self._spec))
            for text, tokens in zip(map(_text, prompts), ids, strict=True)
            for problem in [self._problems[text]]
        ]
        suffix = between_turns(tokenizer)
        while playing := [one for one in conversations if not one.over]:
            self._turn(playing, trainer, ends, suffix)
        self._took(conversations)
        drawn = trainer.use_vllm
        return {
            "prompt_ids": [one.prompt_ids for one in conversations],
            "completion_ids": [one.ids for one in conversations],
            "logprobs": [one.logprobs for one in conversations] if drawn else None,
            "env_mask": [one.mask for one in conversations],
        }

    def _turn(
        self,
        playing: Sequence[Conversation],
        trainer: Any,
        ends: Sequence[int],
        suffix: Callable[[str, bool], list[int]],
    ) -> None:
        for one in playing:
            if one.judged:
                judgement = one.judged[-1][1]
                assert isinstance(judgement, Judgement)
                asked = self._spec.prompts.follow_up(one.problem, judgement.feedback)
                said = suffix(asked, one.ids[-1] in ends)
                one.ids += said
                one.mask += [0] * len(said)
                one.logprobs += [0.0] * len(said)
        answers, logprobs = trainer._generate_single_turn(
            [one.prompt_ids + one.ids for one in playing], None, {}, num_generations=1
        )
        samples = []
        for index, (one, answer) in enumerate(zip(playing, answers, strict=True)):
            one.ids += answer
            one.mask += [1] * len(answer)
            one.logprobs += logprobs[index] if logprobs is not None else [0.0] * len(answer)
            text = trainer.processing_class.decode(answer, skip_special_tokens=True)
            completion = Completion(text, truncated=answer[-1] not in ends)
            turn = len(one.judged) + 1
            samples.append(
                Sample(problem=one.problem, prompt=one.prompt, completion=completion, tokens=len(answer), turn=turn)
            )
        batch = self._scoring.begin(samples, self._reward(trainer.state))
        for one, sample, judgement in zip(playing, samples, self._scoring.finish(batch), strict=True):
            one.judged.append((sample, judgement))
            if isinstance(judgement, Judgement):
                one.episode.advance(judgement)


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


def _text(prompt: Any) -> str:
    """The observation in a prompt: a text, or the last message of a chat."""
    return prompt if isinstance(prompt, str) else str(prompt[-1]["content"])

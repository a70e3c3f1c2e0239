"""Episodes of several turns inside TRL: who goes on, what is masked, what the model reads between its answers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from agents.policy import load_tokenizer
from agents.scoring import Scoring
from agents.turns import Conversation, Rollouts, between_turns
from ocaml_env import Problem, PromptSpec, RewardSpec, Verifier
from ocaml_env.episode import EpisodeSpec


class Scripted:
    """What ``Rollouts`` needs of a trainer; its answers are written beforehand, turn by turn."""

    use_vllm = False
    state = SimpleNamespace(global_step=0)

    def __init__(self, tokenizer: Any, script: Sequence[Sequence[str]]) -> None:
        self.processing_class = tokenizer
        self.model = SimpleNamespace(generation_config=SimpleNamespace(eos_token_id=tokenizer.eos_token_id))
        self.accelerator = SimpleNamespace(unwrap_model=lambda model: model)
        self.script = list(script)
        self.asked: list[list[list[int]]] = []

    def _tokenize_prompts(self, prompts: list[Any]) -> tuple[list[list[int]], None, dict[str, Any]]:
        return [self.processing_class(prompt)["input_ids"] for prompt in prompts], None, {}

    def _generate_single_turn(
        self, prompt_ids: list[list[int]], *_: Any, num_generations: int
    ) -> tuple[list[list[int]], None]:
        self.asked.append([list(ids) for ids in prompt_ids])
        answers = self.script.pop(0)
        assert len(answers) == len(prompt_ids)
        eos = [self.processing_class.eos_token_id]
        return [self.processing_class(answer)["input_ids"] + eos for answer in answers], None


@pytest.fixture
def tokenizer(model_folder: Path) -> Any:
    return load_tokenizer(str(model_folder))


def test_an_episode_ends_when_it_passes_and_what_the_environment_says_is_masked(
    tokenizer: Any, verifier: Verifier, add: Problem
) -> None:
    spec = EpisodeSpec(prompts=PromptSpec(style="brief"), max_turns=3)
    prompt = spec.prompts.text(add)
    wrong, cheat, right = "let add a b = a", "let add = Obj.magic 1", add.reference
    trainer = Scripted(tokenizer, [[right, wrong, cheat], [right, wrong], [wrong]])
    taken: list[Sequence[Conversation]] = []
    scoring = Scoring(verifier)
    rollouts = Rollouts(
        {prompt: add}, spec=spec, scoring=scoring, reward=lambda _: RewardSpec.preset("staged"), took=taken.append
    )
    output = rollouts([prompt] * 3, trainer)
    scoring.close()
    assert trainer.script == []
    episodes = [[judgement.verdict.passed for _, judgement in one.judged] for one in taken[0]]  # type: ignore[union-attr]
    assert episodes == [[True], [False, True], [False, False, False]]
    assert [[sample.turn for sample, _ in one.judged] for one in taken[0]] == [[1], [1, 2], [1, 2, 3]]
    for ids, mask, one in zip(output["completion_ids"], output["env_mask"], taken[0], strict=True):
        assert len(ids) == len(mask)
        drawn = [token for token, own in zip(ids, mask, strict=True) if own]
        written = [str(sample.completion) for sample, _ in one.judged]
        assert tokenizer.decode(drawn, skip_special_tokens=True) == "".join(written)
        assert sum(mask) == sum(sample.tokens for sample, _ in one.judged)
    said = [token for token, own in zip(output["completion_ids"][2], output["env_mask"][2], strict=True) if not own]
    assert "Obj.magic" in tokenizer.decode(said)
    assert output["env_mask"][0] == [1] * len(output["completion_ids"][0])
    assert output["logprobs"] is None
    # The second turn reads the prompt, the first answer and the feedback on it.
    second = trainer.asked[1][0]
    assert tokenizer.decode(second).startswith(prompt + wrong)


def test_between_turns_stands_what_the_chat_template_writes(chat_folder: Path) -> None:
    tokenizer = load_tokenizer(str(chat_folder))
    suffix = between_turns(tokenizer)
    assert tokenizer.decode(suffix("It fails.", True)) == "<|user|>It fails.<eos><|assistant|>"
    assert tokenizer.decode(suffix("It fails.", False)) == "<eos><|user|>It fails.<eos><|assistant|>"


def test_without_a_template_stand_blank_lines(tokenizer: Any) -> None:
    assert tokenizer.decode(between_turns(tokenizer)("It fails.", True)) == "\n\nIt fails.\n\n"

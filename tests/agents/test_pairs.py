"""Pairs for preference training: their choice, and TRL's own trainer on them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from datasets import load_dataset
from trl import DPOConfig, DPOTrainer

from agents import pairs
from agents.config import Config
from ocaml_env import Completion, Problem, PromptSpec, Verifier
from ocaml_env.evaluation.models.hf import load_policy
from tests.agents.kept import keep

pytestmark = pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::UserWarning", "ignore::DeprecationWarning")


@pytest.fixture
def folder(config: Callable[..., Config], verifier: Verifier, problems: list[Problem], tmp_path: Path) -> Path:
    """A run on four problems: one with answers of every kind, one always passed, one never, one passed too late."""
    first, second, third, fourth = problems[:4]
    answers = [
        (first, "no code", 1),
        (first, wrong(first), 1),
        (first, first.reference, 1),
        (first, first.reference + "\n(* the same *)", 1),
        (first, Completion(first.reference + "\nlet more = 1", truncated=True), 1),
        (second, second.reference, 1),
        (third, "no code", 1),
        (fourth, "no code", 1),
        (fourth, fourth.reference, 2),
    ]
    return keep(tmp_path / "kept", config(), answers, verifier)


def wrong(problem: Problem) -> str:
    return "".join(f"let {name} = fun _ -> raise Not_found\n" for name in problem.wanted)


def written(*arguments: str | Path) -> list[dict[str, object]]:
    assert pairs.main([str(argument) for argument in arguments]) == 0
    return [json.loads(line) for line in Path(arguments[2]).read_text().splitlines()]


def test_a_passing_answer_is_paired_with_the_best_failing_one(
    folder: Path, problems: list[Problem], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first = problems[0]
    (pair,) = written(folder, "--out", tmp_path / "pairs.jsonl")
    assert pair == {
        "prompt": PromptSpec(style="brief").messages(first),
        "chosen": [{"role": "assistant", "content": first.reference}],
        "rejected": [{"role": "assistant", "content": wrong(first)}],
    }
    assert "holds 1 pairs of 9 answers" in capsys.readouterr().out


def test_no_pair_is_written_twice_and_no_problem_exceeds_its_number(
    folder: Path, problems: list[Problem], tmp_path: Path
) -> None:
    made = written(folder, "--out", tmp_path / "pairs.jsonl", "--plain", "--per_problem", "5")
    assert [pair["rejected"] for pair in made] == [wrong(problems[0]), "no code"]
    assert {pair["chosen"] for pair in made} == {problems[0].reference}
    assert {pair["prompt"] for pair in made} == {str(PromptSpec(style="brief").text(problems[0]))}


def test_a_folder_without_pairs_is_refused(
    config: Callable[..., Config],
    verifier: Verifier,
    problems: list[Problem],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    kept = keep(tmp_path / "kept", config(), [(problems[0], problems[0].reference, 1)], verifier)
    assert pairs.main([str(kept), "--out", str(tmp_path / "pairs.jsonl")]) == 2
    assert "no problem with an answer that passed and one that did not" in capsys.readouterr().err
    assert not (tmp_path / "pairs.jsonl").exists()


@pytest.mark.parametrize("plain", [False, True])
def test_trl_learns_from_them(plain: bool, folder: Path, chat_folder: Path, model_folder: Path, tmp_path: Path) -> None:
    written(folder, "--out", tmp_path / "pairs.jsonl", "--per_problem", "2", *["--plain"][: int(plain)])
    policy = load_policy(str(model_folder if plain else chat_folder))
    arguments = DPOConfig(
        output_dir=str(tmp_path / "dpo"),
        max_steps=1,
        per_device_train_batch_size=2,
        use_cpu=True,
        bf16=False,
        report_to="none",
        save_strategy="no",
        disable_tqdm=True,
    )
    data = load_dataset("json", data_files=str(tmp_path / "pairs.jsonl"), split="train", cache_dir=str(tmp_path))
    trainer = DPOTrainer(model=policy.model, args=arguments, train_dataset=data, processing_class=policy.tokenizer)
    assert trainer.train().training_loss > 0

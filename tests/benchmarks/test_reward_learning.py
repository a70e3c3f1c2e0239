"""The study of rewards: the files of a run, no run twice, and the comparisons of the table."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.reward_learning import REWARDS, main, strict_typecheck, table
from ocaml_env import Problem, RewardSpec, Verifier, extract

pytest.importorskip("torch")


def test_strict_typecheck_pays_useless_code_as_much_as_one_type_error(verifier: Verifier, last: Problem) -> None:
    def totals(code: str) -> list[float]:
        verdict = verifier.verify(last, code)
        rewards = (strict_typecheck, RewardSpec.preset("staged"))
        return [round(reward(last, extract(code), verdict).total, 6) for reward in rewards]

    assert totals("let last _ = raise Exit") == [0.22, 0.25]
    assert totals("let last (l : 'a list) : 'a option = match l with [] -> None | _ -> 1") == [0.22, 0.22]
    assert totals(last.reference) == [1.0, 1.0]


def test_a_run_is_made_once_and_its_figures_are_kept(
    tmp_path: Path, model_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = tmp_path / "small.yaml"
    config.write_text(
        "problems: tiny:grpo?n=12\neval_problems: tiny:held_out?n=6\nprompt_style: brief\nhealth: off\nworkers: 1\n"
        "max_completion_length: 8\nnum_generations: 4\nper_device_train_batch_size: 8\ntuning: full\n"
        "gradient_accumulation_steps: 1\n",
        encoding="utf-8",
    )
    out = tmp_path / "out"
    asked = ["--model", str(model_folder), "--out", str(out), "--config", str(config), "--seeds", "0", "--steps", "1"]
    assert main([*asked, "--rewards", "binary"]) == 0
    (result,) = out.glob("*/result.json")
    first = json.loads(result.read_text())
    assert (first["reward"], first["seed"], len(first["after"]["by_problem"])) == ("binary", 0, 6)
    written = result.stat().st_mtime_ns
    assert main([*asked, "--rewards", "binary"]) == 0
    assert result.stat().st_mtime_ns == written
    assert "| binary | 1 |" in capsys.readouterr().out
    assert main([*asked, "--rewards", "golden"]) == 2
    assert "known are staged; " in capsys.readouterr().err


def test_differences_are_paired_by_problem_over_common_seeds() -> None:
    def run(reward: str, seed: int, rates: list[float]) -> dict[str, object]:
        by_problem = {f"p{number}": rate for number, rate in enumerate(rates)}
        figures = {"pass@1": {"estimate": sum(rates) / len(rates)}, "by_problem": by_problem}
        before = figures | {"pass@1": {"estimate": 0.05}}
        return {"reward": reward, "seed": seed, "before": before, "after": figures} | {
            "degenerate": 0.5,
            "no_code_or_syntax": 0.1,
        }

    first, second, *_ = REWARDS
    results = {
        first: [run(first, 0, [0.0, 0.2, 0.4, 0.6]), run(first, 1, [0.0, 0.0, 0.0, 0.0])],
        second: [run(second, 0, [0.1, 0.3, 0.5, 0.7])],
    }
    (_, _, staged, other) = table(results)
    assert [cell.strip() for cell in staged.split("|")[2:5]] == ["2", "5.0%", "15.0%"]
    assert "+10.0 (+10.0 to +10.0)" in other

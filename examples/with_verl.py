"""Writes the data sets of a training with verl, scores an answer as its workers do, prints the trainer's command."""

from __future__ import annotations

import tempfile
from pathlib import Path

import datasets

from ocaml_env import load_problems
from ocaml_env.integrations.verl import compute_score, rows

TRAIN, EVAL = "bundled:train", "bundled:eval"


def main() -> None:
    folder = Path(tempfile.mkdtemp())
    for name, problems in (("train", TRAIN), ("eval", EVAL)):
        datasets.Dataset.from_list(rows(problems)).to_parquet(folder / f"{name}.parquet")

    problem, row = load_problems(TRAIN)[0], rows(TRAIN)[0]
    for answer in (problem.reference, "let rec f x = f x"):
        score = compute_score(
            row["data_source"], answer, row["reward_model"]["ground_truth"], row["extra_info"], problems=TRAIN
        )
        print(f"{score['outcome']:<12} score {score['score']:.2f}")

    print("python -m verl.trainer.main_ppo algorithm.adv_estimator=grpo")
    print(f"  data.train_files={folder}/train.parquet data.val_files={folder}/eval.parquet")
    print("  reward.custom_reward_function.path=pkg://ocaml_env.integrations.verl")
    print("  '+reward.custom_reward_function.reward_kwargs.problems=bundled'")


if __name__ == "__main__":
    main()

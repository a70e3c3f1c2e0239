"""Plays an episode of two turns as SkyRL's generator does; the rows are those of a training's data set."""

from __future__ import annotations

import skyrl_gym

from ocaml_env import load_problems
from ocaml_env.integrations.skyrl_gym import ENV_CLASS, rows

PROBLEMS = "bundled:train?level=1-2"


def main() -> None:
    row = rows(PROBLEMS)[0]  # for a training, write all rows to a parquet file
    problem = load_problems(PROBLEMS).get(row["problem_id"])
    settings = {"problems": PROBLEMS, "reward": "staged"}
    env = skyrl_gym.make(ENV_CLASS, env_config=settings, extras={**row, "max_turns": 2})
    prompt, _ = env.init(row["prompt"])
    print(prompt[-1]["content"])
    total = 0.0
    for answer in ("let rec f x = f x", problem.reference):
        step = env.step(answer)
        total += step["reward"]
        print(f"{step['metadata']['outcome']}, reward {step['reward']:+.2f}, total {total:.2f}, done {step['done']}")


if __name__ == "__main__":
    main()

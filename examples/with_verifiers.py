"""Loads the problems as an environment of verifiers, and prints the commands that check and evaluate it."""

from __future__ import annotations

import verifiers.v1 as vf

from ocaml_env.integrations.verifiers import OCamlTasksetConfig, OCamlTurnsConfig

PROBLEMS = "bundled:eval?level=1-2"


def main() -> None:
    problems = OCamlTasksetConfig(id="ocaml-env", problems=PROBLEMS, task={"reward": "staged"})
    env = vf.load_environment(OCamlTurnsConfig(taskset=problems, max_turns=2))
    tasks = list(env.taskset)
    print(tasks[0].data.prompt)
    print(f"{len(tasks)} problems")
    print(f"vf-validate ocaml-env --runtime.type subprocess --taskset.problems '{PROBLEMS}'")
    print(f"vf-eval ocaml-env --env.taskset.problems '{PROBLEMS}' --env.max-turns 2 -m MODEL --client.base-url URL")


if __name__ == "__main__":
    main()

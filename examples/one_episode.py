"""Plays one episode of two turns: a broken answer, the feedback on it, and the repair."""

from __future__ import annotations

import gymnasium

import ocaml_env  # registers OCamlCode-v0


def main() -> None:
    problem = ocaml_env.Problem(
        id="double",
        statement="Write `double`, which doubles every number of a list.",
        signature="val double : int list -> int list",
        tests=(
            ocaml_env.Test("double [1; 2] = [2; 4]", public=True),
            "double [] = []",
            "double [-3; 0; 7] = [-6; 0; 14]",
        ),
    )
    env = gymnasium.make("OCamlCode-v0", problems=[problem], max_turns=2)
    try:
        observation, _ = env.reset(seed=0)
        print(observation)
        for answer in ("let double l = List.map (fun x -> x ^ x) l", "let double l = List.map (fun x -> 2 * x) l"):
            observation, reward, terminated, _, info = env.step(f"```ocaml\n{answer}\n```")
            print(f"\n>>> {answer}\n{info['outcome']}, reward {reward:+.2f}")
            if not terminated:
                print(observation)
    finally:
        env.close()


if __name__ == "__main__":
    main()

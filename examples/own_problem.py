"""Evaluates three answers to a problem of your own: a right one, a wrong one, and one with a type error."""

from __future__ import annotations

from ocaml_env import Problem, RewardSpec, Verifier, extract

ANSWERS = {
    "right": "let rec sum = function [] -> 0 | x :: rest -> x + sum rest",
    "wrong": "let sum = List.length",
    "ill typed": 'let sum l = String.concat "" l',
}


def main() -> None:
    problem = Problem(
        id="sum",
        statement="Write `sum`, the sum of a list.",
        signature="val sum : int list -> int",
        tests=("sum [] = 0", "sum [5] = 5", "sum [1; 2; 3] = 6"),
        reference=ANSWERS["right"],
    )
    reward = RewardSpec.preset("staged")
    with Verifier(workers=1) as verifier:
        for name, code in ANSWERS.items():
            verdict = verifier.verify(problem, code)
            total = reward(problem, extract(code), verdict).total
            passed = f"{verdict.tests_passed} of {verdict.tests_total} tests"
            print(f"{name:<10} {verdict.outcome.value:<13} {passed}  reward {total:.2f}")


if __name__ == "__main__":
    main()

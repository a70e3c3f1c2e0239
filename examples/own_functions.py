"""Uses your own reward, prompt and feedback in place of the built-in ones."""

from __future__ import annotations

import gymnasium

from ocaml_env import Extraction, Problem, RewardSpec, Verdict

RIGHT = "let is_vowel c = String.contains \"aeiou\" c"  # fmt: skip


def short_answers(problem: Problem, extraction: Extraction, verdict: Verdict) -> float:
    """Pays only for a pass, and more for a shorter one."""
    return 0.5 + 0.5 / (1 + len(extraction.code or "") / 100) if verdict.passed else 0.0


def question(problem: Problem) -> str:
    """Builds the prompt in a format that your model was trained on."""
    return f"### Task\n{problem.statement}\n### Interface\n{problem.signature}\n### Solution\n"


def feedback(problem: Problem, verdict: Verdict, code: str | None, reason: str) -> str:
    """Shows only the number of passed tests."""
    return f"{verdict.tests_passed} of {verdict.tests_total} tests pass."


def main() -> None:
    problem = Problem(
        id="is_vowel",
        statement="Write `is_vowel`, which tells whether a small letter is a vowel.",
        signature="val is_vowel : char -> bool",
        tests=("is_vowel 'a' = true", "is_vowel 'b' = false", "is_vowel 'o' = true"),
        reference=RIGHT,
    )
    # A name works as well: reward="my_module:short_answers".
    env = gymnasium.make(
        "OCamlCode-v0", problems=[problem], reward=short_answers, prompt=question, feedback=feedback, max_turns=2
    )
    prompt, _ = env.reset(seed=0)
    print(prompt)
    for code in ("let is_vowel c = c = 'a'", RIGHT):
        _, reward, _, _, info = env.step(code)
        print(f"{info['feedback']} reward {float(reward):.2f}")
    env.close()

    # Other weights for the parts of a preset need no function.
    tests_count = RewardSpec.preset("staged").reweighted(structure=0.0, typecheck=0.05, compile=0.05, tests=0.9)
    print(tests_count.version)


if __name__ == "__main__":
    main()

"""verl: ``compute_score`` for ``custom_reward_function``, and the rows of verl's parquet files.

    import datasets
    from ocaml_env.integrations.verl import compute_score, rows

    datasets.Dataset.from_list(rows("bundled:train")).to_parquet("train.parquet")
    row = rows("bundled:train")[0]
    problem_id = row["reward_model"]["ground_truth"]
    print(compute_score(row["data_source"], "let rec f x = f x", problem_id, row["extra_info"]))

For verl's trainer, set

    reward.custom_reward_function.path=pkg://ocaml_env.integrations.verl
    +reward.custom_reward_function.reward_kwargs.problems=bundled:train

and likewise ``reward``, ``workers`` and ``sandbox``. Each of verl's reward workers is a process with its own verifier,
with one worker by default. verl does not tell that generation was cut off; if your agent loop knows, it can put
``truncated`` into the ``extra_fields`` of its output.

Not scored: ``compute_score`` raises after a second try, and the step fails. verl has no place for a sample without a
reward, and 0 would be wrong. This module does not import verl.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ocaml_env.env import Problems, Sandbox, read_problems
from ocaml_env.errors import EngineError
from ocaml_env.extract import Completion
from ocaml_env.integrations.common import shared_examiner
from ocaml_env.prompt import PromptSpec, PromptStyle

__all__ = ["DATA_SOURCE", "compute_score", "rows"]

DATA_SOURCE = "ocaml_env"


def compute_score(
    data_source: str,
    solution_str: str,
    ground_truth: str,
    extra_info: Mapping[str, Any] | None = None,
    *,
    problems: str = "bundled:train",
    reward: str = "staged",
    workers: int = 1,
    sandbox: Sandbox = "required",
    **_: Any,
) -> dict[str, Any]:
    """Returns the reward of one completion, in verl's form.

    Args:
        data_source: of the row; not read.
        solution_str: the completion.
        ground_truth: the id of the problem.
        extra_info: of the row; its ``truncated`` says that generation was cut off.
        problems: a source for ``load_problems``.
        reward: the name of a preset.
        workers: worker processes of this process's verifier.
        sandbox: the sandbox of this process's verifier.

    Returns:
        ``score``, the reward, and further values for verl to log: ``acc`` (1.0 if every test passed), ``outcome``,
        ``tests_passed`` (a share) and the parts of the reward.

    Raises:
        OCamlEnvError: for an infrastructure error.
    """
    examiner = shared_examiner(problems, reward=reward, workers=workers, sandbox=sandbox)
    truncated = bool((extra_info or {}).get("truncated", False))
    completion = Completion(solution_str, truncated=truncated)
    try:
        evaluation = examiner.evaluate(ground_truth, completion)
    except EngineError:
        evaluation = examiner.evaluate(ground_truth, completion)
    verdict = evaluation.verdict
    return {
        "score": float(evaluation.reward.total),
        "acc": float(verdict.passed),
        "outcome": verdict.outcome.value,
        "tests_passed": verdict.tests_passed / max(verdict.tests_total, 1),
        **{f"part/{name}": float(part) for name, part in evaluation.reward.parts.items()},
    }


def rows(
    problems: Problems = "bundled:train", *, prompt_style: str | PromptSpec = PromptStyle.TEXT
) -> list[dict[str, Any]]:
    """Makes the rows of verl's data set: chat messages, and the problem's id as the ground truth."""
    prompts = PromptSpec.of(prompt_style)
    return [
        {
            "data_source": DATA_SOURCE,
            "prompt": prompts.messages(problem),
            "ability": "code",
            "reward_model": {"style": "rule", "ground_truth": problem.id},
            "extra_info": {"index": index, "split": problem.split, "level": problem.level_name},
        }
        for index, problem in enumerate(read_problems(problems))
    ]

"""verl: ``compute_score`` for ``custom_reward_function``, and the rows of the parquet files that verl reads.

    import datasets
    from ocaml_env.integrations.verl import compute_score, rows

    datasets.Dataset.from_list(rows("bundled:train")).to_parquet("train.parquet")
    row = rows("bundled:train")[0]
    problem_id = row["reward_model"]["ground_truth"]
    print(compute_score(row["data_source"], "let rec f x = f x", problem_id, row["extra_info"]))

For verl's part, give its trainer

    reward.custom_reward_function.path=pkg://ocaml_env.integrations.verl
    +reward.custom_reward_function.reward_kwargs.problems=bundled:train

and in the same way ``reward``, ``workers`` and ``sandbox``. Each of verl's reward workers is a process with a verifier
of its own, of one worker unless you say otherwise. verl says nothing of generation that was cut off; an agent loop that
knows puts ``truncated`` into the ``extra_fields`` of its output.

Not scored: ``compute_score`` raises, after a second try, and the step fails: verl has no place for a sample without a
reward, and 0 would be a lie. It needs nothing of verl itself.
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
    """The reward of one completion, as verl asks for it.

    Args:
        data_source: of the row; not read.
        solution_str: the completion.
        ground_truth: the id of the problem.
        extra_info: of the row; ``truncated`` in it says that generation was cut off.
        problems: what ``load_problems`` takes.
        reward: the name of a preset.
        workers: of the verifier of this process.
        sandbox: of the verifier of this process.

    Returns:
        ``score``, which verl pays, and what it logs beside it: ``acc`` (1.0 where every test passed), ``outcome``,
        ``tests_passed`` (a share) and the parts of the reward.

    Raises:
        OCamlEnvError: if we failed, not the candidate.
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
    """The rows of verl's data set: chat messages, and the id of the problem as the ground truth."""
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

"""Makes pairs for preference training from the answers of a run or an evaluation: one prompt with a passing and a
failing answer.

    python -m agents.pairs grpo_runs/first --out pairs.jsonl
    trl dpo --model_name_or_path MODEL --dataset_name json --data_files pairs.jsonl ...

A line has ``prompt``, ``chosen`` and ``rejected`` in the form of TRL's ``DPOTrainer``: chat messages, or texts with
``--plain``. Chosen are distinct passing answers, not cut off. Rejected are distinct failing answers, those of the
highest reward first, so that a pair differs in little else. Answers of later turns are left out: their prompts differ.
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from agents.answers import Answer, Kept, distinct, read_answers
from agents.training_set import episode_spec
from ocaml_env import ConfigError, PromptSpec
from ocaml_env.commands import natural, parser_of, reports_errors
from ocaml_env.evaluation.files import write_whole

__all__ = ["main", "pairs"]


def pairs(kept: Kept, *, per_problem: int = 1, plain: bool = False) -> Iterator[dict[str, Any]]:
    """Yields pairs in TRL's form, by problem, in the order of their first answers.

    Args:
        kept: the answers.
        per_problem: the most pairs of one problem.
        plain: True for texts in place of chat messages, for a model without a chat template.
    """
    prompts = episode_spec(kept.asked).prompts
    by_problem: dict[str, list[Answer]] = defaultdict(list)
    for answer in kept.answers:
        if answer.turn == 1:
            by_problem[answer.problem.id].append(answer)
    for answers in by_problem.values():
        chosen = list(distinct(answer for answer in answers if answer.passed and not answer.completion.truncated))
        rejected = sorted(distinct(answer for answer in answers if not answer.passed), key=lambda answer: -answer.total)
        if not (chosen and rejected):
            continue
        # Only the shorter list begins again, so no two pairs are the same.
        for place in range(min(per_problem, max(len(chosen), len(rejected)))):
            yield _pair(chosen[place % len(chosen)], rejected[place % len(rejected)], prompts, plain)


def _pair(chosen: Answer, rejected: Answer, prompts: PromptSpec, plain: bool) -> dict[str, Any]:
    prompt = prompts.text(chosen.problem)
    answers = {"chosen": str(chosen.completion), "rejected": str(rejected.completion)}
    if plain:
        return {"prompt": str(prompt), **answers}
    said = {name: [{"role": "assistant", "content": text}] for name, text in answers.items()}
    return {"prompt": list(prompt.messages), **said}


@reports_errors()
def main(arguments: Sequence[str] | None = None) -> int:
    """Writes pairs. Returns the exit code: 0 done, 2 wrong usage, 3 an infrastructure error."""
    parser = parser_of("python -m agents.pairs", __doc__)
    parser.add_argument("folder", type=Path, help="folder of a run of agents.grpo, or of an evaluation")
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help="JSONL file to write, one pair a line")
    parser.add_argument("--per_problem", type=natural, default=1, help="the most pairs of one problem (default: 1)")
    parser.add_argument(
        "--plain",
        action="store_true",
        help="write texts in place of chat messages, for a model without a chat template",
    )
    options = parser.parse_args(arguments)
    kept = read_answers(options.folder)
    made = list(pairs(kept, per_problem=options.per_problem, plain=options.plain))
    if not made:
        raise ConfigError(f"{options.folder} holds no problem with an answer that passed and one that did not")
    for note in kept.notes:
        print(f"note: {note}")
    write_whole(options.out, _lines(made))
    print(f"{options.out} holds {len(made)} pairs of {len(kept.answers)} answers")
    return 0


def _lines(made: Iterable[dict[str, Any]]) -> str:
    return "".join(json.dumps(pair) + "\n" for pair in made)


if __name__ == "__main__":
    sys.exit(main())

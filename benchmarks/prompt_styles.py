"""Compares prompt styles for a model: parse, typecheck and pass rates by style and level.

    python -m benchmarks.prompt_styles --model SPEC --out DIR [options of benchmarks.evaluate]
    python -m benchmarks.prompt_styles --out DIR                # the table of finished evaluations

Each style is an evaluation in a folder of DIR. The same command continues interrupted evaluations. The style completion
asks the model to continue a plain text (--endpoint completions); the others use the model's chat, if it has one.

Exit codes: 0 done; 2 wrong usage; 3 an infrastructure error.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

import agents  # noqa: F401 - registers the model and the problems called tiny
from ocaml_env import Outcome
from ocaml_env.commands import parser_of
from ocaml_env.commands.cli import leave
from ocaml_env.commands.evaluate import main as evaluate

__all__ = ["STYLES", "main", "table"]

STYLES = {
    "text": ("--prompt-style", "text"),
    "completion": ("--prompt-style", "completion", "--endpoint", "completions"),
    "brief": ("--prompt-style", "brief"),
    "brief, begun": ("--prompt-style", "brief", "--prefill"),
}
"""The options of each style, by its name in the table."""

_UNREAD = {Outcome.NO_CODE, Outcome.SYNTAX_ERROR}
_UNTYPED = {*_UNREAD, Outcome.TYPE_ERROR}


def main(arguments: Sequence[str] | None = None) -> int:
    """Evaluates each style if a model is given, and prints the table. Returns the exit code."""
    parser = parser_of("python -m benchmarks.prompt_styles", __doc__)
    parser.add_argument(
        "--model", metavar="SPEC", help="evaluate this model; options of benchmarks.evaluate may follow"
    )
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="a folder for the evaluations")
    options, others = parser.parse_known_args(arguments)
    folders = {name: options.out / name.replace(", ", "-") for name in STYLES}
    for name, folder in folders.items() if options.model else ():
        code = evaluate(["--model", options.model, "--out", str(folder), *STYLES[name], *others])
        if code:
            return code
    if others and not options.model:
        parser.error(f"{others[0]} is an option of an evaluation, which needs --model")
    there = {name: folder for name, folder in folders.items() if (folder / "samples.jsonl").exists()}
    if not there:
        parser.error(f"there is no evaluation in {options.out}: give --model to make some")
    print("\n".join(table(there)))
    return 0


def table(folders: dict[str, Path]) -> Iterator[str]:
    """Makes the table as lines of Markdown.

    Args:
        folders: evaluations by the name of their style.
    """
    rows = [["style", "level", "samples", "parse", "typecheck", "pass@1"], ["---"] * 6]
    for name, folder in folders.items():
        for level, outcomes in sorted(_outcomes(folder).items()):
            count = outcomes.total()
            shares = (
                sum(outcomes[outcome] for outcome in Outcome if outcome not in failed)
                for failed in (_UNREAD, _UNTYPED, set(Outcome) - {Outcome.PASSED})
            )
            rows.append([name, level, str(count), *(f"{share / count:.1%}" for share in shares)])
    return (f"| {' | '.join(row)} |" for row in rows)


def _outcomes(folder: Path) -> dict[str, Counter[Outcome]]:
    """Counts the outcomes of the samples of each level."""
    found: dict[str, Counter[Outcome]] = defaultdict(Counter)
    with (folder / "samples.jsonl").open(encoding="utf-8") as file:
        for sample in map(json.loads, file):
            if not sample["fault"]:
                found[str(sample["level"])][Outcome(sample["outcome"])] += 1
    return found


if __name__ == "__main__":
    leave(main())

"""Find the level to begin training a model at: pass rates by level, causes of failures, and settings to paste.

    python -m agents.check_model --model Qwen/Qwen2.5-Coder-1.5B-Instruct --problems bundled:train

Evaluates some problems of each level, from the easiest up, until two levels in a row are solved below 5%. The first
advice is against the cause of most failures. For all levels of an evaluation, with a plot: python -m benchmarks.levels.

Exit codes: 0 a level is solved at 20% or more; 1 none is; 2 wrong usage; 3 an infrastructure error.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace

from agents.config import Config
from agents.evaluation import evaluate
from agents.lengths import prompt_length, reference_lengths
from agents.machine import context_of
from agents.play import Played
from agents.processes import quiet_libraries
from agents.starting_point import ENOUGH, Asked, Look, advice, climb, rounded
from agents.training_set import episode_spec
from ocaml_env import ConfigError, Problem, RewardSpec, Verifier
from ocaml_env.commands import natural, parser_of, reports_errors
from ocaml_env.display.terminal import columns
from ocaml_env.evaluation.models.hf import Sampling, load_policy, locate, set_threads
from ocaml_env.problems.sources import read_sets

__all__ = ["main", "told"]


@reports_errors(interrupted="interrupted")
def main(arguments: Sequence[str] | None = None) -> int:
    """Evaluates the levels, and prints advice. Returns the exit code."""
    parser = parser_of("python -m agents.check_model", __doc__)
    parser.add_argument(
        "--model", default=Config.model, help="folder, hub id, .gguf file, or tiny (default: %(default)s)"
    )
    parser.add_argument("--problems", default="bundled:train", help="a source for load_problems (default: %(default)s)")
    parser.add_argument("--n", type=natural, default=20, help="random problems of each level (default: 20)")
    parser.add_argument(
        "--max_lines",
        type=int,
        default=0,
        help="only problems with references of at most this many lines (default: any)",
    )
    parser.add_argument("--shots", type=int, default=0, help="solved problems in the prompt (default: 0)")
    parser.add_argument(
        "--prompt_style", default="text", help="form of the prompt: text, completion or brief (default: text)"
    )
    parser.add_argument("--prefill", action="store_true", help="begin each answer with a fence and `let rec f a b =`")
    parser.add_argument("--temperature", type=float, default=0.0, help="temperature of sampling (default: 0, greedy)")
    parser.add_argument(
        "--max_completion_length",
        type=int,
        default=0,
        help="the most tokens of an answer (default: at each level twice its longest reference)",
    )
    parser.add_argument("--seed", type=int, default=0, help="seed for choosing problems (default: 0)")
    parser.add_argument("--verbose", action="store_true", help="show every answer with its feedback")
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args(arguments)
    quiet_libraries()
    set_threads(0)
    return _check(options)


def _check(options: argparse.Namespace) -> int:
    everything = read_sets(options.problems)
    if options.max_lines:
        everything = everything.filter(lines=(0, options.max_lines))
    if not everything:
        raise ConfigError(f"no problem of {options.problems!r} has a reference of at most {options.max_lines} lines")
    config = Config(
        model=options.model, problems=options.problems, shots=options.shots, prompt_style=options.prompt_style
    )
    levels = _by_level(everything)
    with Verifier() as verifier:
        asker = _Asker(options, config, levels, verifier)
        looks = []
        for look in climb(asker.chosen, asker.ask):
            looks.append(look)
            if options.verbose and not options.json:
                print("\n".join(told(asker.played)))
    enough = any(look.passed >= ENOUGH for look in looks)
    if any(problem.split == "eval" for problem in everything):  # training on these is refused
        config = replace(config, problems="bundled:train")
    advised = advice(looks, config)
    if options.json:
        record = {"levels": [asdict(look) for look in looks], "enough": enough, "advice": advised}
        print(json.dumps(record))
        return int(not enough)
    print(f"{options.model} on {sum(look.problems for look in looks)} of the {len(everything)} problems of", end=" ")
    print(f"{options.problems}\n")
    print("\n".join(_table(looks)))
    for note in asker.notes:
        print(f"note: {note}")
    print()
    for number, line in enumerate(advised, start=1):
        print(f"{number}. {line}")
    return int(not enough)


def _by_level(problems: Sequence[Problem]) -> dict[str, list[Problem]]:
    """Groups problems by level, from 1 up; then problems of other labels, by these."""
    levels: dict[str, list[Problem]] = defaultdict(list)
    for problem in sorted(problems, key=lambda problem: (problem.level is None, problem.level_name)):
        levels[problem.level_name].append(problem)
    return levels


class _Asker:
    """Evaluates a model on the problems of a level.

    Attributes:
        chosen: the drawn problems, by level.
        played: the episodes of the latest level.
        notes: notes of problems without room in the context.
    """

    def __init__(
        self,
        options: argparse.Namespace,
        config: Config,
        levels: Mapping[str, Sequence[Problem]],
        verifier: Verifier,
    ) -> None:
        self.played: Sequence[Played] = ()
        self.notes: list[str] = []
        self._options, self._levels, self._verifier = options, levels, verifier
        spec = episode_spec(config)
        self._spec = replace(spec, prompts=replace(spec.prompts, prefill=options.prefill))
        self._policy = load_policy(
            config.model, sampling=Sampling(temperature=options.temperature, seed=options.seed, batch_size=8)
        )
        if options.prefill or self._policy.tokenizer.chat_template is None:
            self._policy = self._policy.with_sampling(stop=self._spec.prompts.stop)
        self._context = context_of(locate(config.model))
        draw = random.Random(options.seed)
        self.chosen = {
            level: draw.sample(problems, min(options.n, len(problems))) for level, problems in levels.items()
        }

    def ask(self, level: str, problems: Sequence[Problem]) -> Asked:
        """Evaluates the problems that fit into the context of the model.

        Raises:
            ConfigError: if none fits.
        """
        limit = self._options.max_completion_length or self._usual_limit(level)
        lengths = {
            problem.id: prompt_length(problem, self._spec.prompts, self._policy.tokenizer)
            for problem in self._levels[level]
        }
        fitting = [problem for problem in problems if lengths[problem.id] + limit <= self._context]
        if len(fitting) < len(problems):
            self.notes.append(
                f"level {level}: {len(problems) - len(fitting)} of {len(problems)} problems are left out, for prompt "
                f"and answer ({limit} tokens) have more than the {self._context} tokens that the model reads"
            )
        if not fitting:
            raise ConfigError(
                f"no problem of level {level} fits into the {self._context} tokens that {self._options.model!r} reads: "
                "--max_completion_length, --shots or --prompt_style brief may shorten them"
            )
        reached = evaluate(
            self._policy.with_sampling(max_tokens=limit),
            fitting,
            verifier=self._verifier,
            reward=RewardSpec.preset("staged"),
            spec=self._spec,
            batch=8,
            keep=True,
            progress=f"level {level}",
        )
        self.played = reached.played
        longest = max(tokens for tokens in lengths.values() if tokens + limit <= self._context)
        return Asked(reached=reached, limit=limit, longest_prompt=longest)

    def _usual_limit(self, level: str) -> int:
        references = reference_lengths(self._levels[level], self._options.prompt_style, self._policy.tokenizer)
        return rounded(2 * max(references)) or Config.max_completion_length


def _table(looks: Sequence[Look]) -> list[str]:
    rows = [["level", "problems", "passed", "parse", "typecheck", "cut off", "limit"]]
    for look in looks:
        shares = (look.passed, look.parsed, look.typechecked, look.cut_off)
        rows.append([look.level, str(look.problems), *(f"{share:.0%}" for share in shares), f"{look.limit} tokens"])
    return columns(rows, right=range(1, 7))


def told(played: Sequence[Played]) -> Iterator[str]:
    """Yields lines with every answer, cut after 40 lines, and its feedback."""
    for episode in played:
        if episode.fault:
            yield f"not evaluated: infrastructure error  {episode.problem.id}: {episode.fault}"
            continue
        yield f"{episode.last.verdict.outcome.value}  {episode.problem.id} (level {episode.problem.level_name})"
        yield from (f"    | {line}" for line in episode.last.completion.splitlines()[:40])
        yield from (f"    {line}" for line in episode.last.feedback.splitlines())


if __name__ == "__main__":
    sys.exit(main())

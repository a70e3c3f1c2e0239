"""Can a model solve these problems at all? The seed's `test_base_model.py`.

    python -m agents.check_model --model Qwen/Qwen2.5-Coder-1.5B-Instruct --problems bundled:train

Asks random problems, shows how each answer ended, and says what to do where fewer than a fifth are solved: GRPO learns
from differences within a group, and a model that fails at nearly everything has none.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import transformers

from agents.config import Config
from agents.evaluation import evaluate
from agents.play import Played
from agents.preflight import episode_spec, read_sets
from ocaml_env import ConfigError, OCamlEnvError, Outcome, Problem, RewardSpec, Verifier
from ocaml_env.evaluation.models.hf import Sampling, load_policy, set_threads

__all__ = ["ENOUGH", "advice", "main"]

ENOUGH = 0.20
"""The success rate below which the seed's document tells to change the model, the problems or the prompt."""

_MEANINGS = {
    Outcome.NO_CODE: "no OCaml in the answer",
    Outcome.SYNTAX_ERROR: "does not parse",
    Outcome.TYPE_ERROR: "does not typecheck, or does not fit the signature",
    Outcome.FORBIDDEN: "uses what is withheld",
    Outcome.COMPILE_ERROR: "does not compile",
    Outcome.TEST_FAILURE: "a wrong value",
    Outcome.RUNTIME_ERROR: "an exception",
    Outcome.TIMEOUT: "too slow",
    Outcome.MEMORY_LIMIT: "too much memory",
    Outcome.OUTPUT_LIMIT: "too much output",
}

# The next larger one of a family, for a model that is too weak.
_STRONGER = {
    "0.5B": "Qwen/Qwen2.5-Coder-1.5B-Instruct",
    "135M": "Qwen/Qwen2.5-Coder-0.5B-Instruct",
    "360M": "Qwen/Qwen2.5-Coder-1.5B-Instruct",
    "1.5B": "Qwen/Qwen2.5-Coder-7B-Instruct",
    "3B": "Qwen/Qwen2.5-Coder-7B-Instruct",
}


def advice(model: str, problems: Sequence[Problem], source: str, shots: int) -> list[str]:
    """The seed's three recommendations, with the settings that carry them out."""
    stronger = next((better for size, better in _STRONGER.items() if size.lower() in model.lower()), None)
    stronger = stronger or "Qwen/Qwen2.5-Coder-7B-Instruct"
    lengths = sorted(problem.reference_lines for problem in problems if problem.reference.strip())
    lines = []
    lines.append(f"a stronger base model: --model {stronger}")
    if lengths:
        short = lengths[len(lengths) // 3]
        count = sum(length <= short for length in lengths)
        lines.append(
            f"easier problems, those with shorter solutions: --max_lines {short} keeps {count} of {len(problems)}; "
            f"or --problems 'generated:all?level=1&n=2000'"
        )
    else:
        lines.append(
            f"easier problems: {source} has no references to tell by; --problems 'generated:all?level=1&n=2000'"
        )
    lines.append(f"more few-shot examples in the prompt: --shots {max(shots + 2, 3)}")
    return lines


def main(arguments: Sequence[str] | None = None) -> int:
    """Returns the exit code: 0 at least a fifth solved, 1 fewer, 2 wrong usage, 3 an infrastructure error."""
    parser = argparse.ArgumentParser(
        prog="python -m agents.check_model",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--model", default=Config.model, help="folder, hub id, .gguf file, or tiny (default: %(default)s)"
    )
    parser.add_argument("--problems", default="bundled:train", help="what load_problems takes (default: %(default)s)")
    parser.add_argument("--n", type=int, default=10, help="random problems (default: 10)")
    parser.add_argument(
        "--max_lines", type=int, default=0, help="only problems with references of at most so many lines"
    )
    parser.add_argument("--shots", type=int, default=0, help="solved problems in the prompt (default: 0)")
    parser.add_argument("--prompt_style", default="text", help="text, completion or brief (default: text)")
    parser.add_argument("--prefill", action="store_true", help="begin each answer: a fence, and `let rec f a b =`")
    parser.add_argument("--temperature", type=float, default=0.0, help="of drawing (default: 0, greedy)")
    parser.add_argument("--max_completion_length", type=int, default=512, help="tokens (default: 512)")
    parser.add_argument("--seed", type=int, default=0, help="of the choice of problems (default: 0)")
    parser.add_argument("--verbose", action="store_true", help="show every answer and what was wrong with it")
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args(arguments)
    if options.n < 1:
        parser.error("--n must be 1 or more")
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    set_threads(0)
    try:
        return _check(options)
    except ConfigError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except OCamlEnvError as error:
        print(f"error: {error}", file=sys.stderr)
        return 3
    except KeyboardInterrupt:
        print("\ninterrupted", file=sys.stderr)
        return 130


def _check(options: argparse.Namespace) -> int:
    everything = read_sets(options.problems)
    if options.max_lines:
        everything = everything.filter(lines=(0, options.max_lines))
    chosen = random.Random(options.seed).sample(list(everything), min(options.n, len(everything)))
    if not chosen:
        raise ConfigError(f"no problem of {options.problems!r} has a reference of at most {options.max_lines} lines")
    spec = episode_spec(Config(shots=options.shots, prompt_style=options.prompt_style))
    spec = replace(spec, prompts=replace(spec.prompts, prefill=options.prefill))
    policy = load_policy(
        options.model,
        sampling=Sampling(temperature=options.temperature, max_tokens=options.max_completion_length, seed=options.seed),
    )
    if options.prefill or policy.tokenizer.chat_template is None:
        policy = policy.with_sampling(stop=spec.prompts.stop)
    with Verifier() as verifier:
        reached = evaluate(
            policy,
            chosen,
            verifier=verifier,
            reward=RewardSpec.preset("staged"),
            spec=spec,
            batch=8,
            keep=True,
            progress="checking",
        )
    recommended = advice(options.model, list(everything), options.problems, options.shots)
    weak = reached.pass_rate < ENOUGH
    if options.json:
        print(json.dumps(reached.to_dict() | {"enough": not weak, "recommended": recommended if weak else []}))
        return int(weak)
    print(f"{options.model} on {len(chosen)} of the {len(everything)} problems of {options.problems}\n")
    for one in reached.played:
        print(_line(one))
        if options.verbose and not one.fault:
            print("\n".join(f"    | {line}" for line in one.last.completion.splitlines()[:40]))
            print("\n".join(f"    {line}" for line in one.last.feedback.splitlines()))
    failures = Counter({outcome: count for outcome, count in reached.outcomes.items() if outcome is not Outcome.PASSED})
    evaluated = sum(not one.fault for one in reached.played)
    print(f"\nsuccess rate {reached.pass_rate:.0%} ({round(reached.pass_rate * evaluated)} of {evaluated})")
    for outcome, count in failures.most_common():
        print(f"  {count:>3}  {outcome.value:<14} {_MEANINGS[outcome]}")
    if reached.truncated:
        print(f"  {reached.truncated:.0%} of the answers were cut off at {options.max_completion_length} tokens")
    if not weak:
        print(f"\nAt least {ENOUGH:.0%}: groups will differ, and GRPO has something to learn from.")
        return 0
    print(f"\nBelow {ENOUGH:.0%}: most groups will be all-failed and teach nothing. What helps:")
    for number, line in enumerate(recommended, start=1):
        print(f"  {number}. {line}")
    print(
        f"  A warm start on references, where there are some, comes first: python -m agents.sft --model {options.model}"
    )
    return 1


def _line(one: Played) -> str:
    if one.fault:
        return f"  not evaluated: infrastructure error  {one.problem.id}: {one.fault}"
    verdict = one.last.verdict
    mark = "passed" if verdict.passed else "failed"
    tests = f"{verdict.tests_passed}/{verdict.tests_total} tests" if verdict.tests_total else ""
    return f"  {mark}  {one.problem.id:<32} {one.problem.level_name:<6} {verdict.outcome.value:<14} {tests}"


if __name__ == "__main__":
    sys.exit(main())

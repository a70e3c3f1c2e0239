"""Evaluates a model: n samples of each problem, pass@k with intervals, and the stages at which the others fail.

    ocaml-env evaluate --model agent:reference --problems bundled:eval --n 1 --out results/reference
    ocaml-env evaluate --model openai:NAME --base-url http://localhost:8000/v1 --n 10 --k 1,5,10 --out DIR
    ocaml-env evaluate --model completions:FILE.jsonl --out DIR
    ocaml-env evaluate --model hf:PATH --benchmark ocamlcode-1 --out DIR
    ocaml-env evaluate --model hf:PATH --benchmark multipl-e:humaneval --out DIR
    ocaml-env evaluate --rescore DIR

The results directory holds ``samples.jsonl``, ``config.json``, ``summary.json``, and ``report.html`` to look at. The
same command continues a stopped run. ``--benchmark`` fixes problems, prompts and sampling, for figures to publish:
see docs/benchmark.md. A server's key is read from OPENAI_API_KEY, and written nowhere.

Exit codes: 0 done; 2 wrong usage; 3 an infrastructure error, and samples are missing; 130 Ctrl-C.
"""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from ocaml_env.commands import AddParser, ExitCode, count, describe, natural, reports_errors
from ocaml_env.display.terminal import Paint, screen_width
from ocaml_env.evaluation.benchmark.tracks import FRESH
from ocaml_env.evaluation.protocols.choose import PEERS
from ocaml_env.evaluation.protocols.multipl_e import MultiPLE
from ocaml_env.prompt import PromptStyle
from ocaml_env.reward import RewardSpec
from ocaml_env.verifiers.choose import HELP as WHICH_VERIFIER

__all__ = ["add_to", "main", "run"]

_NAME = "ocaml-env evaluate"

# Options and their defaults. Their parser has None, so that given options are known: --rescore and --benchmark refuse
# some of them.
_DEFAULTS: Mapping[str, Any] = {
    "problems": "bundled:eval",
    "protocol": None,
    "limit": 0,
    "n": None,
    "k": None,
    "temperature": 0.8,
    "top_p": 0.95,
    "max_tokens": 2048,
    "thinking": 0,
    "turns": 1,
    "prompt_style": None,
    "shots": 0,
    "shot_problems": "bundled:train",
    "instruction": "",
    "prefill": False,
    "prompt": "",
    "feedback": "",
    "reward": None,
    "seed": 0,
    "stop": [],
    "threads": 0,
    "sandbox": "required",
    "inside": "accept",
}
# --rescore can change only these of them.
_OF_RESCORING = frozenset({"k", "reward", "sandbox", "inside"})


def add_to(add_parser: AddParser) -> None:
    """Declares the subcommand."""
    make = partial(
        add_parser, "evaluate", help="evaluate a model: how many problems does it solve, and where do the others fail?"
    )
    _options(describe(make, __doc__, _NAME, _NAME)).set_defaults(run=run)


def main(arguments: Sequence[str] | None = None, *, prog: str = _NAME) -> int:
    """Runs the command by itself, under the name ``prog``. Returns the exit code."""
    parser = describe(partial(argparse.ArgumentParser, prog=prog), __doc__, _NAME, prog)
    return run(_options(parser).parse_args(arguments))


@reports_errors("evaluate", interrupted="evaluate: stopped; what is done is kept, and the same command goes on")
def run(options: argparse.Namespace) -> ExitCode:
    """Evaluates the model, or its completions again, and prints the summary."""
    _settle(options)
    from ocaml_env.evaluation.run import evaluate, rescore  # late, so that --help is fast
    from ocaml_env.evaluation.text import show

    summary, directory = rescore(options) if options.rescore is not None else evaluate(options)
    with contextlib.suppress(BrokenPipeError):  # a reader such as `head` has stopped; the directory has everything
        print(show(summary, Paint.choose(sys.stdout), width=screen_width(sys.stdout)))
        print(f"  written to {directory}", flush=True)
    if summary.faults.count:
        again = "requests them" if options.rescore is None else "evaluates those that have completions"
        print(f"evaluate: samples are missing; the same command {again} again", file=sys.stderr)
        return ExitCode.INFRASTRUCTURE
    return ExitCode.PASSED


def _settle(options: argparse.Namespace) -> None:
    """Sets options that are not given. Exits with 2 if the options contradict each other."""
    parser = options.parser
    given = [name for name in _DEFAULTS if getattr(options, name) is not None]
    if options.rescore is None and (options.model is None or options.out is None):
        parser.error("--model and --out are needed, or --rescore")
    if options.rescore is not None and (options.model is not None or options.out is not None):
        parser.error("--rescore takes the model from the directory, and writes there")
    if options.rescore is not None:
        for name in (*given, *(["benchmark"] if options.benchmark else [])):
            if name not in _OF_RESCORING:
                parser.error(f"--rescore takes {_option(name)} from the directory")
    if options.protocol == MultiPLE.name and options.prompt_style is not None:
        parser.error("--protocol multipl-e has prompts of its own: no --prompt-style")
    if options.secret is not None and options.benchmark != FRESH:
        parser.error(f"--secret is for --benchmark {FRESH}")
    if options.weights is not None and options.benchmark is None:
        parser.error("--weights is for --benchmark")
    defaults = {**_DEFAULTS, **(_fixed(options, given) if options.benchmark else {})}
    for name, default in defaults.items():
        if name not in given:
            setattr(options, name, default)


def _fixed(options: argparse.Namespace, given: Sequence[str]) -> Mapping[str, Any]:
    """The settings of the benchmark, fixed or usual. Exits with 2 if an option contradicts a fixed one."""
    from ocaml_env.evaluation.benchmark.entry import open_entry

    entry = open_entry(options.benchmark, model=options.model, secret=options.secret, weights=options.weights)
    for name in given:
        if name in entry.settings and getattr(options, name) != entry.settings[name]:
            value = entry.settings[name]
            rule = f"fixes it at {value}" if value else "allows none"
            options.parser.error(f"{_option(name)} cannot be given: --benchmark {options.benchmark} {rule}")
    options.recorded_benchmark = entry.record
    return {**entry.usual, **entry.settings}


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _options(parser: argparse.ArgumentParser) -> argparse.ArgumentParser:
    add = parser.add_argument
    add("--model", metavar="SPEC", help="openai:NAME, hf:PATH_OR_ID, vllm:ID, agent:NAME (reference, tiny; stub, "
        "constant, commonest, argument, examples, which give up), completions:FILE.jsonl, or "
        "MODULE:ATTRIBUTE of an Agent")  # fmt: skip
    add("--benchmark", metavar="NAME", help="ocamlcode-1, or a track of it: -two-turns, -repair, -quick, -fresh; "
        "or multipl-e:humaneval, multipl-e:mbpp, livecodebench:SOURCE, exercism:PATH; problems, prompts and "
        "sampling are fixed")  # fmt: skip
    add("--secret", metavar="FILE", type=Path, help="for the track -fresh: the file with the secret of its seed")
    add("--weights", metavar="SHA256", help="for --benchmark: the digest of the model's weights (of hf: and vllm:, "
        "that of their files)")  # fmt: skip
    add("--problems", metavar="SET", help="a source for load_problems; several, joined by + (bundled:eval)")
    add(
        "--protocol",
        choices=PEERS,
        help="prompt and evaluate as the set's own harness does, with this package's verdict beside it",
    )
    add("--out", metavar="DIR", type=Path, help="the results directory; a stopped run there is continued")
    add("--rescore", metavar="DIR", type=Path, help="evaluate the completions of a results directory again")
    add("--n", type=natural, help="samples of each problem (10; for completions:FILE, as many as it has)")
    add("--k", type=_numbers, help="the k of pass@k, such as 1,5,10 (those of 1,5,10 that n allows)")
    add("--temperature", type=float, help="0 is greedy (0.8)")
    add("--top-p", type=float, help="the share of probability to draw from (0.95)")
    add("--max-tokens", type=natural, help="the most tokens of one answer, without its thinking (2048)")
    add("--thinking", type=count, metavar="TOKENS", help="the most tokens of its thinking, in addition (0)")
    add("--turns", type=natural, help="the most answers of an episode, with feedback between them (1)")
    add("--prompt-style", choices=[style.value for style in PromptStyle], help="(text; for agent:tiny, brief)")
    add("--shots", type=count, help="solved problems in each prompt (0)")
    add("--shot-problems", metavar="SET", help="their source (bundled:train)")
    add(
        "--prefill",
        action="store_true",
        default=None,
        help="begin each answer: a fence, and `let rec f a b =` by the interface",
    )
    add("--instruction", help="a sentence at the end of each question")
    add("--reward", metavar="NAME", help=f"{', '.join(RewardSpec.presets())}, or module:attribute of a function "
        "(staged; with --rescore, the run's)")  # fmt: skip
    add("--prompt", metavar="NAME", help="module:attribute of a function from a problem to its question")
    add("--feedback", metavar="NAME",
        help="module:attribute of a function from (problem, verdict, code, reason) to the feedback")  # fmt: skip
    add("--seed", type=int, help="the seed of sampling (0)")
    add("--verifier", metavar="SPEC", default="local", help=f"{WHICH_VERIFIER} (local)")
    add("--workers", type=natural, help="worker processes (one for each CPU)")
    add(
        "--sandbox",
        choices=("required", "best-effort"),
        help="best-effort: run without missing layers (required)",
    )
    add(
        "--inside",
        choices=("accept", "refuse"),
        help="refuse: reject problems with tests that run inside (accept)",
    )
    add("--limit", type=count, help="only this many problems, evenly chosen (0: all)")
    add("--base-url", metavar="URL", default="", help="of openai:, up to /v1 (OPENAI_BASE_URL)")
    add("--endpoint", choices=("chat", "completions"), help="completions: prompts as raw text, without a chat or its "
        "template (chat; completions if the protocol continues a text); also for hf: and vllm:")  # fmt: skip
    add("--concurrency", type=natural, default=16, help="requests at a time, for openai: (16)")
    add("--retries", type=count, default=7, help="tries after the first, for openai: (7)")
    add("--timeout", type=float, default=600, help="seconds of one try (600)")
    add("--requests-per-minute", type=float, default=0, help="at most (0: no limit)")
    add("--stream", action="store_true", help="receive the answers in pieces, for openai:")
    add("--batch", type=natural, default=32, help="prompts at a time, for hf:, vllm: and agents (32)")
    add("--threads", type=count, help="torch's threads, for hf: (0: one on up to 4 cores without a GPU, "
        "else torch's own number)")  # fmt: skip
    add("--stop", metavar="TEXT", action="append", help="end each answer before this text; may be repeated")
    add("--dtype", choices=("auto", "float32", "bfloat16", "float16"), default="auto",
        help="for hf: and vllm: (auto: bfloat16 if this machine computes it faster)")  # fmt: skip
    parser.set_defaults(parser=parser)
    return parser


def _numbers(text: str) -> list[int]:
    return sorted({natural(part.strip()) for part in text.split(",")})

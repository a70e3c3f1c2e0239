"""Evaluates a model: n samples of each problem, pass@k with intervals, and where the others fail.

    python -m benchmarks.evaluate --model agent:reference --problems bundled:eval --n 1 --out results/reference
    python -m benchmarks.evaluate --model openai:NAME --base-url http://localhost:8000/v1 --n 10 --k 1,5,10 --out DIR
    python -m benchmarks.evaluate --model completions:FILE.jsonl --out DIR
    python -m benchmarks.evaluate --model hf:PATH --problems humaneval-ml.jsonl --protocol multipl-e --out DIR
    python -m benchmarks.evaluate --rescore DIR

The results directory holds ``samples.jsonl``, ``config.json``, ``summary.json``, and ``report.html`` to look at. A run
that was stopped goes on with the same command. The key of a server is read from OPENAI_API_KEY, and written nowhere.

Exit codes: 0 done; 2 wrong usage; 3 something failed that is not the model's, and samples are missing; 130 Ctrl-C.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import os
import platform
import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from importlib.metadata import version
from itertools import islice
from pathlib import Path
from typing import Any, Literal

from tqdm import tqdm

from agents.sets import solved_examples
from benchmarks.asking import ask_for_all
from benchmarks.batches import batches_of, work_through
from benchmarks.intake import Intake
from benchmarks.models import AT_A_TIME, Completions, Model, Sampling, ServedModel, load_model
from benchmarks.multipl_e import MultiPLE
from benchmarks.openai_api import OpenAIModel, Server
from benchmarks.playing import Asked, Judge, Rejudge, Run
from benchmarks.protocol import Protocol, show_protocol
from benchmarks.protocols import PEERS, open_protocol
from benchmarks.report import write_report
from benchmarks.report.census import Census
from benchmarks.results import Done, Results, read_config, read_samples, write_json
from benchmarks.summary import Tally, show
from ocaml_env import AnyVerifier, ConfigError, OCamlEnvError, Problem, RewardSpec
from ocaml_env.episode import EpisodeSpec
from ocaml_env.prompt import PromptSpec, PromptStyle
from ocaml_env.terminal import Paint, printable, screen_width
from ocaml_env.verifiers import HELP as WHICH_VERIFIER
from ocaml_env.verifiers import open_verifier

__all__ = ["main"]

_K = (1, 5, 10)
_SAMPLED = ("openai:", "hf:", "vllm:", "agent:tiny")  # that draw as --temperature and so on say
_LOCAL = ("hf:", "vllm:", "agent:tiny")  # their answers depend on those that they are batched with


def main(arguments: Sequence[str] | None = None) -> int:
    """Returns the exit code."""
    parser = _parser()
    options = parser.parse_args(arguments)
    if options.rescore is None and (options.model is None or options.out is None):
        parser.error("--model and --out are needed, or --rescore")
    if options.rescore is not None and (options.model is not None or options.out is not None):
        parser.error("--rescore takes the model from the directory, and writes there")
    if options.rescore is not None:
        for name in _OF_THE_RUN:
            if getattr(options, name) != parser.get_default(name):
                parser.error(f"--rescore takes --{name.replace('_', '-')} from the directory")
    if options.protocol == MultiPLE.name and options.prompt_style is not None:
        parser.error("--protocol multipl-e has prompts of its own: no --prompt-style")
    try:
        summary, directory = _rescore(options) if options.rescore is not None else _evaluate(options)
    except (OCamlEnvError, OSError) as error:  # OSError: a full disk
        print(f"evaluate: {printable(str(error))}", file=sys.stderr)
        return 2 if isinstance(error, ConfigError) else 3
    except KeyboardInterrupt:
        print("evaluate: stopped; what is done is kept, and the same command goes on", file=sys.stderr)
        return 130
    with contextlib.suppress(BrokenPipeError):  # a reader such as `head` had enough; all is in the directory
        shown = [show, show_protocol] if "protocol" in summary else [show]
        for part in shown:
            print(part(summary, Paint.choose(sys.stdout), width=screen_width(sys.stdout)))
        print(f"  written to {directory}", flush=True)
    if summary["faults"]["count"]:
        again = "asks them" if options.rescore is None else "judges those that have completions"
        print(f"evaluate: samples are missing; the same command {again} again", file=sys.stderr)
        return 3
    return 0


def _evaluate(options: argparse.Namespace) -> tuple[dict[str, Any], Path]:
    reward = RewardSpec.preset(options.reward or "staged")
    with contextlib.ExitStack() as stack:
        verifier = stack.enter_context(
            open_verifier(options.verifier, workers=options.workers, sandbox=options.sandbox)
        )
        protocol = open_protocol(options.protocol, options.problems, options.limit, verifier)
        spec = protocol.episodes(_episodes(options))
        problems = protocol.problems
        model = _model(options, protocol, verifier)
        stack.callback(model.close)
        if isinstance(model, Completions) and spec.max_turns > 1:
            raise ConfigError("a file of completions has one turn: --turns must be 1")
        counts = model.counts if isinstance(model, Completions) else None
        n = options.n or (max(counts.values()) if counts else 10)
        asked = problems if counts is None else [problem for problem in problems if problem.id in counts]
        left_out = [] if counts is None else [problem.id for problem in problems if problem.id not in counts]
        if left_out:
            print(f"evaluate: {len(left_out)} of {len(problems)} problems have no completion, and are "
                  "left out of every figure", file=sys.stderr)  # fmt: skip
        each = {problem.id: n if counts is None else min(n, counts[problem.id]) for problem in asked}
        samples = (Asked(problem, number) for problem in asked for number in range(each[problem.id]))
        style = str(spec.prompts.style)
        digest = protocol.digest(asked)
        config = _config(options, protocol, n=n, digest=digest, left_out=left_out, style=style, verifier=verifier)
        config |= {"base_url": model.address, "completions": model.digest}
        callers = _callers(options, verifier)
        run = Run(judge=Judge(protocol=protocol, verifier=verifier, reward=reward), spec=spec, seed=options.seed)
        count = _Count()
        with Results(options.out, config, seen=count.add) as results:
            with _Progress(sum(each.values()), results.done, options.model) as bar:

                def took(records: Sequence[dict[str, Any]]) -> None:
                    new = [one for one in records if (one["problem_id"], one["sample"]) not in results.done]
                    results.write(new)
                    bar.take(new)

                _play(samples, run, model, done=results.done, judges=callers, intake=Intake(took))
            return _summarised(results.path, config, protocol, options.k, asked, count), results.path


def _play(
    samples: Iterator[Asked], run: Run, model: Model | ServedModel, *, done: Done, judges: int, intake: Intake
) -> None:
    gc.freeze()  # problems and code stay: the collector need not go through them again and again
    if isinstance(model, ServedModel):
        missing = (asked for asked in samples if asked.key not in done)
        ask_for_all(missing, run, model=model, judges=judges, intake=intake)
        return
    with contextlib.ExitStack() as stack:
        executor = None
        if model.at_once:
            executor = ThreadPoolExecutor(judges)
            stack.callback(executor.shutdown, wait=False, cancel_futures=True)
        batches = batches_of(samples, model.batch, done)
        play = partial(run.play, model=model, judges=executor)
        work_through(batches, play, threads=model.at_once + judges, intake=intake)


def _rescore(options: argparse.Namespace) -> tuple[dict[str, Any], Path]:
    config = read_config(options.rescore)
    reward_name = options.reward or config["reward"]
    with (
        open_verifier(options.verifier, workers=options.workers, sandbox=options.sandbox) as verifier,
        Results(options.rescore, config, keep_faults=True) as results,
    ):
        protocol = open_protocol(config.get("protocol"), config["problems"], config["limit"], verifier)
        problems = protocol.problems
        if lost := sorted(set(results.done.problems) - problems.by_id.keys()):
            raise ConfigError(f"{config['problems']} no longer has the problem {lost[0]!r}")
        kept = [problem for problem in problems if problem.id not in config["left_out"]]
        count = _Count()
        records = read_samples(options.rescore)
        rejudge = Rejudge(judge=Judge(protocol=protocol, verifier=verifier, reward=RewardSpec.preset(reward_name)))
        with _Progress(len(results.done), None, f"again: {config['model']}") as bar, results.replacing() as write:

            def took(records: Sequence[dict[str, Any]]) -> None:
                write(records)
                for record in records:
                    count.add(record)
                bar.take(records)

            work_through(
                iter(lambda: list(islice(records, AT_A_TIME)), []),
                rejudge.again,
                threads=_callers(options, verifier),
                # Those without an answer were faults before.
                intake=Intake(took, failed=lambda record: bool(record["fault"] and record["turns"])),
            )
        config |= {"reward": reward_name, "digest": protocol.digest(kept), "versions": _versions(verifier)}
        write_json(results.path / "config.json", config)
        k = options.k or [number for number in _K if number <= config["n"]]
        return _summarised(results.path, config, protocol, k, kept, count), results.path


def _callers(options: argparse.Namespace, verifier: AnyVerifier) -> int:
    """Threads that keep a verifier busy: one on other machines needs several for each worker."""
    return verifier.workers * (1 if options.verifier == "local" else 4)


class _Count:
    """What is counted of samples as they are written, so that nobody needs to read them again."""

    def __init__(self) -> None:
        self.tally, self.census = Tally(), Census()

    def add(self, record: Mapping[str, Any]) -> None:
        self.tally.add(record)
        self.census.add(record)


def _summarised(
    path: Path,
    config: Mapping[str, Any],
    protocol: Protocol,
    k: Sequence[int] | None,
    problems: Sequence[Problem],
    count: _Count,
) -> dict[str, Any]:
    k = k or [number for number in _K if number <= config["n"]]
    summary = count.tally.summary(config=config, k=k, problems=[problem.id for problem in problems])
    if protocol.name is not None:
        summary["protocol"] = protocol.summarise(read_samples(path), k=k, problems=list(summary["by_problem"]))
    write_json(path / "summary.json", summary)
    count.census.settle()
    write_report(path, summary=summary, problems=problems, census=count.census)
    return summary


def _episodes(options: argparse.Namespace) -> EpisodeSpec:
    style = options.prompt_style or ("brief" if options.model in ("agent:tiny", "hf:tiny") else "text")
    shots = solved_examples(options.shots, options.shot_problems)
    prompts = PromptSpec(style=style, shots=shots, instruction=options.instruction)
    return EpisodeSpec(prompts=prompts, max_turns=options.turns)


def _model(options: argparse.Namespace, protocol: Protocol, verifier: AnyVerifier) -> Model | ServedModel:
    sampling = Sampling(
        temperature=options.temperature,
        top_p=options.top_p,
        max_tokens=options.max_tokens,
        continues=protocol.continues,
        stop=protocol.stop,
    )
    kind, _, name = options.model.partition(":")
    if kind == "openai" and name:
        server = Server(
            base_url=options.base_url,
            endpoint=_endpoint(options, protocol),
            concurrency=options.concurrency,
            retries=options.retries,
            timeout=options.timeout,
            requests_per_minute=options.requests_per_minute,
            stream=options.stream,
        )
        return OpenAIModel(name, server, sampling)
    return load_model(
        options.model,
        problems=protocol.problems,
        whole=protocol.whole,
        verifier=verifier,
        sampling=sampling,
        batch=options.batch,
        dtype=options.dtype,
    )


def _endpoint(options: argparse.Namespace, protocol: Protocol) -> Literal["chat", "completions"]:
    if not protocol.continues:
        return "completions" if options.endpoint == "completions" else "chat"
    if options.endpoint == "chat":
        raise ConfigError(
            f"--protocol {protocol.name} has a text gone on with: --endpoint completions; chat is for our own protocol"
        )
    return "completions"


def _config(
    options: argparse.Namespace,
    protocol: Protocol,
    *,
    n: int,
    digest: str,
    left_out: list[str],
    style: str,
    verifier: AnyVerifier,
) -> dict[str, Any]:
    """The settings that decide what the samples are."""
    sampled, local = options.model.startswith(_SAMPLED), options.model.startswith(_LOCAL)
    return {
        "model": options.model,
        "problems": options.problems,
        "protocol": protocol.name,
        "digest": digest,
        "limit": options.limit,
        "left_out": left_out,
        "n": n,
        "temperature": options.temperature if sampled else None,
        "top_p": options.top_p if sampled else None,
        "max_tokens": options.max_tokens if sampled else None,
        "turns": options.turns,
        "prompt_style": style,
        "shots": options.shots,
        "shot_problems": options.shot_problems if options.shots else "",
        "instruction": options.instruction,
        "reward": options.reward or "staged",
        "seed": options.seed,
        "sandbox": options.sandbox,
        "endpoint": _endpoint(options, protocol) if options.model.startswith("openai:") else None,
        "batch": options.batch if local else None,
        "dtype": options.dtype if local else None,
        "versions": _versions(verifier),
    }


def _versions(verifier: AnyVerifier) -> dict[str, str]:
    found = {"ocaml": verifier.ocaml_version, "ocaml_env": version("ocaml-env"), "python": platform.python_version()}
    if "torch" in sys.modules:
        found |= {"torch": version("torch"), "transformers": version("transformers")}
    return found


class _Progress:
    """A bar on a terminal, with the running pass@1 and the faults; nothing in a file or a pipe."""

    def __init__(self, total: int, done: Done | None, title: str) -> None:
        self._passed, self._there, self._faults = (done.passed, len(done), 0) if done is not None else (0, 0, 0)
        self._bar = tqdm(total=total, initial=self._there, desc=title[:40], unit=" samples", leave=False, disable=None)

    def take(self, records: Sequence[Mapping[str, Any]]) -> None:
        for record in records:
            if record["fault"]:
                self._faults += 1
            else:
                self._there += 1
                self._passed += record["passed"]
        text = f"pass@1 {self._passed / self._there:.1%}" if self._there else ""
        self._bar.set_postfix_str(text + (f", {self._faults} faults" if self._faults else ""), refresh=False)
        self._bar.update(len(records))

    def __enter__(self) -> _Progress:
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.close()


# What a run was asked with, which judging it again cannot change.
_OF_THE_RUN = (
    *("problems", "protocol", "limit", "n", "temperature", "top_p", "max_tokens", "turns", "prompt_style"),
    *("shots", "instruction", "seed"),
)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.evaluate", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--model", metavar="SPEC", help="openai:NAME, hf:PATH_OR_ID, vllm:ID, agent:reference|stub|tiny, "
        "completions:FILE.jsonl, or MODULE:ATTRIBUTE of an Agent")  # fmt: skip
    add("--problems", metavar="SET", default="bundled:eval", help="as load_problems takes it; several with + between")
    add(
        "--protocol",
        choices=PEERS,
        help="ask and judge as the set's own harness does, with our verdict beside",
    )
    add("--out", metavar="DIR", type=Path, help="the results directory; a stopped run there goes on")
    add("--rescore", metavar="DIR", type=Path, help="judge the completions of a results directory again")
    add("--n", type=_natural, help="samples of each problem (10; of a file: as many as it has)")
    add("--k", type=_numbers, help="of pass@k, such as 1,5,10 (those of 1,5,10 that n allows)")
    add("--temperature", type=float, default=0.8, help="0 is greedy (0.8)")
    add("--top-p", type=float, default=0.95, help="the share of probability that is drawn from (0.95)")
    add("--max-tokens", type=_natural, default=1024, help="of one answer (1024)")
    add("--turns", type=_natural, default=1, help="answers of an episode at most; between them goes feedback (1)")
    add("--prompt-style", choices=[style.value for style in PromptStyle], help="(text; of agent:tiny brief)")
    add("--shots", type=_count, default=0, help="solved problems in each prompt (0)")
    add("--shot-problems", metavar="SET", default="bundled:train", help="where they come from (bundled:train)")
    add("--instruction", default="", help="a sentence at the end of each question")
    add("--reward", choices=RewardSpec.presets(), help="the reward preset (staged; of --rescore: as it was)")
    add("--seed", type=int, default=0, help="of the drawing (0)")
    add("--verifier", metavar="SPEC", default="local", help=f"{WHICH_VERIFIER} (local)")
    add("--workers", type=_natural, help="processes that judge (one a CPU)")
    add(
        "--sandbox",
        choices=("required", "best-effort"),
        default="required",
        help="best-effort: without what is missing",
    )
    add("--limit", type=_count, default=0, help="only so many problems, evenly chosen (0: all)")
    add("--base-url", metavar="URL", default="", help="of openai:, up to /v1 (OPENAI_BASE_URL)")
    add("--endpoint", choices=("chat", "completions"), help="completions: for models without a chat (chat; completions "
        "where the protocol has a text gone on with)")  # fmt: skip
    add("--concurrency", type=_natural, default=16, help="requests of openai: at a time (16)")
    add("--retries", type=_count, default=7, help="tries of openai: after the first (7)")
    add("--timeout", type=float, default=600, help="seconds of one try (600)")
    add("--requests-per-minute", type=float, default=0, help="at most (0: no limit)")
    add("--stream", action="store_true", help="take the answers of openai: in pieces")
    add("--batch", type=_natural, default=32, help="prompts that hf:, vllm: and agents get together (32)")
    add("--dtype", choices=("auto", "float32", "bfloat16", "float16"), default="auto", help="of hf: and vllm: (auto)")
    return parser


def _count(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"a whole number from 0, not {text!r}")
    return int(text)


def _natural(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"a whole number from 1, not {text!r}")
    return int(text)


def _numbers(text: str) -> list[int]:
    return sorted({_natural(part.strip()) for part in text.split(",")})


if __name__ == "__main__":
    code = main()
    sys.stderr.flush()
    # Threads that still wait for a server or generate would hold up the end of the interpreter, or crash it.
    os._exit(code)

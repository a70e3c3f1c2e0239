"""What can be asked of an evaluation: its options, and what they stand for."""

from __future__ import annotations

import argparse
import platform
import sys
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any, Literal

from agents.sets import solved_examples
from benchmarks.models import Model, Sampling, ServedModel, load_model
from benchmarks.multipl_e import MultiPLE
from benchmarks.openai_api import OpenAIModel, Server
from benchmarks.protocol import Protocol
from benchmarks.protocols import PEERS
from ocaml_env import AnyVerifier, ConfigError, RewardSpec
from ocaml_env.episode import EpisodeSpec
from ocaml_env.prompt import PromptSpec, PromptStyle
from ocaml_env.verifiers import HELP as WHICH_VERIFIER

__all__ = ["config_of", "episodes", "open_model", "parse", "versions_of"]

_SAMPLED = ("openai:", "hf:", "vllm:", "agent:tiny")  # that draw as --temperature and so on say
_LOCAL = ("hf:", "vllm:", "agent:tiny")  # their answers depend on those that they are batched with

# What a run was asked with, which judging it again cannot change.
_OF_THE_RUN = (
    *("problems", "protocol", "limit", "n", "temperature", "top_p", "max_tokens", "turns", "prompt_style"),
    *("shots", "instruction", "seed"),
)


def parse(arguments: Sequence[str] | None, *, description: str | None) -> argparse.Namespace:
    """The options of a command line.

    Args:
        arguments: the command line; None takes that of this process.
        description: above the options in ``--help``.

    Raises:
        SystemExit: 2, where they are wrong.
    """
    parser = _parser(description)
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
    return options


def episodes(options: argparse.Namespace) -> EpisodeSpec:
    """How problems are asked.

    Raises:
        ConfigError: where there are not as many solved examples.
    """
    style = options.prompt_style or ("brief" if options.model in ("agent:tiny", "hf:tiny") else "text")
    shots = solved_examples(options.shots, options.shot_problems)
    prompts = PromptSpec(style=style, shots=shots, instruction=options.instruction)
    return EpisodeSpec(prompts=prompts, max_turns=options.turns)


def open_model(options: argparse.Namespace, protocol: Protocol, verifier: AnyVerifier) -> Model | ServedModel:
    """What answers. The one who opens it closes it.

    Raises:
        ConfigError: where there is no such model, or not for this protocol.
    """
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


def config_of(
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
        "versions": versions_of(verifier),
    }


def versions_of(verifier: AnyVerifier) -> dict[str, str]:
    """Of OCaml, of this package and of what a model in this process runs on."""
    found = {"ocaml": verifier.ocaml_version, "ocaml_env": version("ocaml-env"), "python": platform.python_version()}
    if "torch" in sys.modules:
        found |= {"torch": version("torch"), "transformers": version("transformers")}
    return found


def _parser(description: str | None) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.evaluate",
        description=description,
        formatter_class=argparse.RawDescriptionHelpFormatter,
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

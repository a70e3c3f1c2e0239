"""Builds an evaluation from its options: the prompts, the model, and the recorded settings."""

from __future__ import annotations

import argparse
import platform
import sys
from importlib.metadata import version

from ocaml_env.episode import EpisodeSpec
from ocaml_env.errors import ConfigError
from ocaml_env.evaluation.config import RunConfig
from ocaml_env.evaluation.models.base import Model, Sampling
from ocaml_env.evaluation.models.choose import Place, Setup, kind_of, load_model
from ocaml_env.evaluation.protocols.base import Protocol
from ocaml_env.problems.sources import solved_examples
from ocaml_env.prompt import PromptSpec, PromptStyle
from ocaml_env.reward import RewardSpec
from ocaml_env.verifiers.base import AnyVerifier

__all__ = ["config_of", "episodes", "open_model", "say_if_spoiled", "versions_of"]


def episodes(options: argparse.Namespace) -> EpisodeSpec:
    """Builds the prompts and the number of turns.

    Raises:
        ConfigError: if there are fewer solved examples than requested.
    """
    style = options.prompt_style or ("brief" if options.model in ("agent:tiny", "hf:tiny") else "text")
    shots = solved_examples(options.shots, options.shot_problems)
    spec = PromptSpec(style=style, shots=shots, instruction=options.instruction, prefill=options.prefill)
    prompts = PromptSpec.of(spec, prompt=options.prompt, feedback=options.feedback)
    return EpisodeSpec(prompts=prompts, max_turns=options.turns)


def open_model(options: argparse.Namespace, protocol: Protocol, prompts: PromptSpec, verifier: AnyVerifier) -> Model:
    """Opens the model; the caller closes it.

    Raises:
        ConfigError: if the model is unknown, does not fit the protocol, or cannot continue a begun answer (prefill).
    """
    sampling = Sampling(
        temperature=options.temperature,
        top_p=options.top_p,
        max_tokens=options.max_tokens,
        thinking=options.thinking,
        continues=_endpoint(options, protocol) == "completions",
        stop=protocol.stop if protocol.continues else prompts.stop,
        always_stop=tuple(options.stop),
        prefills=prompts.prefill,
    )
    place = kind_of(options.model).place
    if prompts.prefill and place is Place.NONE:
        raise ConfigError(f"--prefill is for models that go on with a text, and {options.model} is none")
    if prompts.prefill and place is Place.SERVER and not sampling.continues:
        raise ConfigError(
            "--prefill has an answer gone on with, which a chat at a server does not: --endpoint completions"
        )
    return load_model(Setup(options=options, protocol=protocol, verifier=verifier, sampling=sampling))


def _endpoint(options: argparse.Namespace, protocol: Protocol) -> str:
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
    reward: RewardSpec,
    base_url: str,
    completions: str | None,
) -> RunConfig:
    """Returns the settings that decide the samples, and the versions."""
    place = kind_of(options.model).place
    sampled, local = place is not Place.NONE, place is Place.PROCESS
    return RunConfig(
        model=options.model,
        problems=options.problems,
        protocol=protocol.name,
        digest=digest,
        limit=options.limit,
        left_out=left_out,
        n=n,
        temperature=options.temperature if sampled else None,
        top_p=options.top_p if sampled else None,
        max_tokens=options.max_tokens if sampled else None,
        turns=options.turns,
        prompt_style=style,
        shots=options.shots,
        shot_problems=options.shot_problems if options.shots else "",
        instruction=options.instruction,
        prefill=options.prefill or None,  # None, as in older records without the field
        prompt=options.prompt,
        feedback=options.feedback,
        reward=options.reward or "staged",
        seed=options.seed,
        sandbox=options.sandbox,
        # None if the model's files decide it.
        endpoint=_endpoint(options, protocol) if place is Place.SERVER else options.endpoint if local else None,
        batch=options.batch if local else None,
        dtype=options.dtype if local else None,
        threads=options.threads,
        stop=options.stop,
        thinking=options.thinking,
        benchmark=options.recorded_benchmark if options.benchmark else None,
        versions=versions_of(verifier, reward),
        base_url=base_url,
        completions=completions,
    )


def say_if_spoiled(model: Model, prompts: PromptSpec) -> str:
    """Warns of a completion-style prompt for a chat; "" if there is nothing to warn of."""
    if not model.chats or prompts.style is not PromptStyle.COMPLETION:
        return ""
    return (
        "the prompts of style `completion` begin a file, and the model's chat puts them in a message, so that it "
        "answers where it should go on: --endpoint completions, or --prompt-style text"
    )


def versions_of(verifier: AnyVerifier, reward: RewardSpec) -> dict[str, str]:
    """Returns the versions of OCaml, this package, the reward, Python, and the libraries of a model in this process."""
    found = {
        "reward": reward.version,
        "ocaml": verifier.ocaml_version,
        "ocaml_env": version("ocaml-env"),
        "python": platform.python_version(),
    }
    if "torch" in sys.modules:
        found |= {"torch": version("torch"), "transformers": version("transformers")}
    return found

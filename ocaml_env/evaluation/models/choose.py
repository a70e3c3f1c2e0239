"""Opens the model named by ``--model``.

    openai:NAME              any OpenAI-compatible server, at --base-url or OPENAI_BASE_URL
    hf:PATH_OR_ID            transformers: a folder, an adapter, a GGUF file or a hub id
    vllm:ID                  vLLM in this process, if it is installed
    agent:reference          the problems' own solutions; all must pass
    agent:stub               code of the right signature that solves nothing
    agent:tiny               the tiny policy of the checkout
    completions:FILE.jsonl   completions from elsewhere: a task_id or problem_id and a completion a line
    MODULE:ATTRIBUTE         any Agent: an object with ``act``, a class or function to make one, or a function from
                             a list of observations to a list of answers

An answer depends only on its request and the rest of its batch, not on earlier requests. Batches are cut from the list
of all samples, done or not, so a resumed run repeats an unbroken one: exactly, if the model answers equal requests
equally. For that an ``Agent`` must keep no memory, ``hf`` needs the same machine, threads and --batch, and a server
must honour ``seed`` under any load.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Collection

from ocaml_env.errors import ConfigError
from ocaml_env.evaluation.models.agents import AgentModel, Reference, StubModel, import_agent
from ocaml_env.evaluation.models.base import Model, Sampling
from ocaml_env.evaluation.models.completions import Completions
from ocaml_env.problem.record import nearest
from ocaml_env.problems import ProblemSet
from ocaml_env.verifiers.base import AnyVerifier, AuthoringVerifier

__all__ = ["load_model"]


def load_model(
    spec: str,
    *,
    problems: ProblemSet,
    whole: Collection[str],
    verifier: AnyVerifier,
    sampling: Sampling,
    batch: int,
    dtype: str = "auto",
    threads: int = 0,
) -> Model:
    """Loads any model but ``openai:``, see ``ocaml_env.evaluation.models.openai_api``.

    Raises:
        ConfigError: if there is no such model; the message says what to do.
    """
    kind, _, name = spec.partition(":")
    if not name:
        raise ConfigError(f"--model is KIND:NAME, such as openai:NAME, hf:PATH_OR_ID or agent:reference, not {spec!r}")
    if kind == "completions":
        return Completions(name, problems, whole)
    if kind in ("hf", "vllm") or spec == "agent:tiny":
        return _local(kind, name, sampling, batch, dtype, threads)
    if kind == "agent":
        if name == "reference":
            return Reference(problems)
        if name == "stub":
            if not isinstance(verifier, AuthoringVerifier):
                raise ConfigError("agent:stub asks the verifier for stubs, which a service does not make")
            return StubModel(verifier)
        known = ("reference", "stub", "tiny")
        raise ConfigError(f"there is no agent {name!r}{nearest(name, known)}; known are {', '.join(known)}")
    return AgentModel(import_agent(kind, name), batch)


def _local(kind: str, name: str, sampling: Sampling, batch: int, dtype: str, threads: int) -> Model:
    if importlib.util.find_spec("torch") is None or importlib.util.find_spec("transformers") is None:
        raise ConfigError(
            f"{kind}:{name} needs torch and transformers: pip install 'ocaml-env[{'vllm' if kind == 'vllm' else 'hf'}]'"
        )
    from ocaml_env.evaluation.models.local import Transformers, VLLMModel

    return (VLLMModel if kind == "vllm" else Transformers)(name, sampling, batch, dtype, threads)

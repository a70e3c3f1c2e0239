"""OCaml programming problems as a reinforcement-learning environment.

Importing this package registers ``OCamlCode-v0`` with Gymnasium. Its exports are imported on first use: a program that
needs only a reward does not load the engine.
"""

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import gymnasium

# Not lazy: importing the submodule `extract` would set an attribute of the same name on this package.
from ocaml_env.extract import Completion, Extraction, extract

if TYPE_CHECKING:
    from ocaml_env.curriculum import Curriculum
    from ocaml_env.env import OCamlCodeEnv
    from ocaml_env.errors import (
        BatchError,
        ConfigError,
        EngineError,
        OCamlEnvError,
        ProblemError,
        ProtocolError,
        SandboxUnavailable,
        ServiceUnavailable,
        ToolchainError,
        WorkerCrashed,
    )
    from ocaml_env.problem import Limits, Problem, Test
    from ocaml_env.problems import ProblemSet, load_problems
    from ocaml_env.prompt import PromptSpec, PromptStyle
    from ocaml_env.reward import Reward, RewardSpec
    from ocaml_env.vector import OCamlCodeVectorEnv
    from ocaml_env.verdict import Diagnostic, Outcome, Stage, TestOutcome, Verdict
    from ocaml_env.verifiers.base import AnyVerifier
    from ocaml_env.verifiers.local import Verifier
    from ocaml_env.verifiers.remote.client import RemoteVerifier

__all__ = [
    "AnyVerifier",
    "BatchError",
    "Completion",
    "ConfigError",
    "Curriculum",
    "Diagnostic",
    "EngineError",
    "Extraction",
    "Limits",
    "OCamlCodeEnv",
    "OCamlCodeVectorEnv",
    "OCamlEnvError",
    "Outcome",
    "Problem",
    "ProblemError",
    "ProblemSet",
    "PromptSpec",
    "PromptStyle",
    "ProtocolError",
    "RemoteVerifier",
    "Reward",
    "RewardSpec",
    "SandboxUnavailable",
    "ServiceUnavailable",
    "Stage",
    "Test",
    "TestOutcome",
    "ToolchainError",
    "Verdict",
    "Verifier",
    "WorkerCrashed",
    "__version__",
    "extract",
    "load_problems",
]

__version__ = "0.1.0"

_HOMES = {
    "curriculum": ("Curriculum",),
    "env": ("OCamlCodeEnv",),
    "errors": (
        "BatchError",
        "ConfigError",
        "EngineError",
        "OCamlEnvError",
        "ProblemError",
        "ProtocolError",
        "SandboxUnavailable",
        "ServiceUnavailable",
        "ToolchainError",
        "WorkerCrashed",
    ),
    "problem": ("Limits", "Problem", "Test"),
    "problems": ("ProblemSet", "load_problems"),
    "prompt": ("PromptSpec", "PromptStyle"),
    "reward": ("Reward", "RewardSpec"),
    "vector": ("OCamlCodeVectorEnv",),
    "verdict": ("Diagnostic", "Outcome", "Stage", "TestOutcome", "Verdict"),
    "verifiers.base": ("AnyVerifier",),
    "verifiers.local": ("Verifier",),
    "verifiers.remote.client": ("RemoteVerifier",),
}
if find_spec("verifiers") is not None:
    # `vf-eval ocaml-env` looks for a taskset in the exports of a top-level package.
    _HOMES["integrations.verifiers"] = ("OCamlTaskset", "OCamlTurns")
    __all__ += _HOMES["integrations.verifiers"]
    __all__.sort()
_HOME = {name: f"ocaml_env.{module}" for module, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_HOME[name]), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


if "OCamlCode-v0" not in gymnasium.registry:
    gymnasium.register(
        id="OCamlCode-v0",
        entry_point="ocaml_env.env:OCamlCodeEnv",
        vector_entry_point="ocaml_env.vector:OCamlCodeVectorEnv",
    )

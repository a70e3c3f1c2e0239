"""The shared parts of the integrations: problems by id, one verifier for each process, the count of infrastructure
errors, and a message for imports.

Libraries make an environment for each rollout, or call a plain function: neither can own and close a verifier. So each
process shares one, and its workers end with the process.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, TypeVar

from ocaml_env.env import Problems, Sandbox, read_problems
from ocaml_env.episode import Evaluation, evaluate
from ocaml_env.errors import ConfigError, EngineError, OCamlEnvError
from ocaml_env.problem import Problem
from ocaml_env.problems import ProblemSet
from ocaml_env.prompt import PromptSpec, PromptStyle
from ocaml_env.reward import RewardSpec
from ocaml_env.verifiers.base import AnyVerifier
from ocaml_env.verifiers.local import Verifier

__all__ = ["Examiner", "Faults", "TooManyFaults", "missing", "shared_examiner", "shared_verifier"]


class Examiner:
    """Finds problems by their ids, and evaluates answers to them.

    Attributes:
        problems: the problems.
        prompts: the form of their prompts.
        reward: the reward of an answer.
        verifier: evaluates the code.
    """

    def __init__(
        self,
        problems: Problems = "bundled:train",
        *,
        reward: str | RewardSpec | Callable[..., Any] = "staged",
        prompt_style: str | PromptSpec = PromptStyle.TEXT,
        prompt: str | Callable[[Problem], str] | None = None,
        feedback: str | Callable[..., str] | None = None,
        verifier: AnyVerifier | None = None,
        workers: int | None = None,
        sandbox: Sandbox = "required",
    ) -> None:
        """Starts no OCaml process before the first code is evaluated.

        Args:
            problems: a source for ``load_problems``, or a sequence of problems.
            reward: the name of a preset, a spec, or your own function (``RewardSpec.of``).
            prompt_style: the name of a ``PromptStyle``, or a ``PromptSpec``.
            prompt: your own function from a problem to its question, or its ``module:attribute``.
            feedback: your own function from ``(problem, verdict, code, reason)`` to the text for the model, or its
                ``module:attribute``.
            verifier: your own verifier, in place of ``workers`` and ``sandbox``; you must close it. By default, the
                process's shared one.
            workers: worker processes of the shared verifier; by default, one for each CPU.
            sandbox: the sandbox of the shared verifier.

        Raises:
            ConfigError: if an argument cannot be used.
        """
        if verifier is not None and (workers is not None or sandbox != "required"):
            raise ConfigError("workers and sandbox belong to the verifier: give them to it, not to the examiner")
        self.verifier = verifier if verifier is not None else shared_verifier(workers, sandbox)
        read = read_problems(problems, verifier=self.verifier)
        self.problems = ProblemSet(read, name=str(getattr(problems, "name", "problems")))
        self.prompts = PromptSpec.of(prompt_style, prompt=prompt, feedback=feedback)
        self.reward = RewardSpec.of(reward)

    def problem(self, problem_id: str) -> Problem:
        """Returns the problem with this id.

        Raises:
            ConfigError: if there is none; the message names the most similar id.
        """
        return self.problems.get(problem_id)

    def evaluate(self, problem_id: str, completion: object) -> Evaluation:
        """Evaluates one completion: a ``str`` or a ``Completion``.

        Raises:
            ConfigError: if there is no such problem.
            OCamlEnvError: for an infrastructure error.
        """
        return evaluate(self.problem(problem_id), completion, verifier=self.verifier, reward=self.reward)


class TooManyFaults(EngineError):
    """Infrastructure errors lost more completions than a run may lose."""


@dataclass(slots=True)
class Faults:
    """Counts infrastructure errors, and raises if they are too many. Only the latest batches count: one bad minute of a
    long run does no harm, but a machine that lost its OCaml ends the run.

    Attributes:
        most: the largest share of lost completions.
        window: the number of latest batches.
        total: all faults so far.
    """

    most: float
    window: int = 4
    total: int = 0
    _latest: deque[tuple[int, int]] = field(default_factory=deque)

    def add(self, evaluated: Sequence[Evaluation | OCamlEnvError]) -> None:
        """Counts the faults of one batch. Processes of one training count together, so that all end.

        Raises:
            TooManyFaults: if more than ``most`` of the completions of the latest ``window`` batches are lost; never in
                the first batch.
        """
        found = [f"{type(error).__name__}: {error}" for error in evaluated if isinstance(error, OCamlEnvError)]
        batches = _of_all_processes((found, len(evaluated)))
        reasons = [reason for reasons, _ in batches for reason in reasons]
        self.total += len(reasons)
        self._latest.append((len(reasons), sum(size for _, size in batches)))
        if len(self._latest) > self.window:
            self._latest.popleft()
        lost, asked = (sum(counts) for counts in zip(*self._latest, strict=True))
        if reasons and len(self._latest) > 1 and lost > self.most * asked:
            raise TooManyFaults(
                f"{lost} of the last {asked} completions could not be scored, which is no fault of the model; the last "
                f"reason: {reasons[-1]}. The run stops here and can be resumed from its last checkpoint."
            )


_T = TypeVar("_T")


def _of_all_processes(value: _T) -> list[_T]:
    """The values of all processes of a distributed training; alone, that of this process."""
    distributed: Any = getattr(sys.modules.get("torch"), "distributed", None)
    if distributed is None or not (distributed.is_available() and distributed.is_initialized()):
        return [value]
    values = [value] * distributed.get_world_size()
    distributed.all_gather_object(values, value)
    return values


@cache
def shared_verifier(workers: int | None = None, sandbox: Sandbox = "required") -> Verifier:
    """Returns this process's verifier with these settings. Its workers end with the process."""
    return Verifier(workers=workers, sandbox=sandbox)


@cache
def shared_examiner(
    problems: str = "bundled:train",
    reward: str = "staged",
    prompt_style: str = "text",
    workers: int | None = None,
    sandbox: Sandbox = "required",
) -> Examiner:
    """Returns this process's examiner with these settings, for libraries that call a plain function. Reads files once.

    Raises:
        ConfigError: if a setting cannot be used.
    """
    return Examiner(problems, reward=reward, prompt_style=prompt_style, workers=workers, sandbox=sandbox)


def missing(extra: str, error: ImportError) -> ImportError:
    """Makes the exception for a missing library: the reason, and the command to install it.

    Args:
        extra: the extra of this package that brings the library.
        error: the exception from importing it.
    """
    return ImportError(f"{error}. Install it with: pip install 'ocaml-env[{extra}]'", name=error.name)

"""What the integrations share: problems that are asked for by id, one verifier a process, what a missing package means.

Libraries make an environment for each rollout, or call a plain function: neither has a place that could own and close a
verifier. So all of a process share one, whose workers end with the process.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

from ocaml_env.env import Problems, Sandbox, read_problems
from ocaml_env.episode import Evaluation, evaluate, evaluate_each
from ocaml_env.errors import ConfigError, OCamlEnvError
from ocaml_env.problem import Problem
from ocaml_env.problems import ProblemSet
from ocaml_env.prompt import PromptSpec, PromptStyle
from ocaml_env.reward import RewardSpec
from ocaml_env.verifiers.base import AnyVerifier
from ocaml_env.verifiers.local import Verifier

__all__ = ["Examiner", "missing", "shared_examiner", "shared_verifier"]


class Examiner:
    """Asks problems by their ids, and evaluates what is answered.

    Attributes:
        problems: what is asked.
        prompts: how it is asked.
        reward: what an answer is worth.
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
        """Nothing of OCaml is started before the first code is evaluated.

        Args:
            problems: what ``load_problems`` takes, or problems.
            reward: the name of a preset, a spec, or a function of yours (``RewardSpec.of``).
            prompt_style: the name of a ``PromptStyle``, or a ``PromptSpec``.
            prompt: a function of yours from a problem to its question, or ``module:attribute`` of one.
            feedback: one from ``(problem, verdict, code, reason)`` to what the model is told.
            verifier: one of yours, which you close; without ``workers`` and ``sandbox``. Else that of the process.
            workers: of the verifier of the process; one a CPU by default.
            sandbox: of the verifier of the process.

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
        """The problem of that id.

        Raises:
            ConfigError: if there is none; the message names the id that is most like it.
        """
        return self.problems.get(problem_id)

    def evaluate(self, problem_id: str, completion: object) -> Evaluation:
        """Evaluates one completion: a ``str`` or a ``Completion``.

        Raises:
            ConfigError: if there is no such problem.
            OCamlEnvError: if we failed, not the candidate.
        """
        return evaluate(self.problem(problem_id), completion, verifier=self.verifier, reward=self.reward)

    def evaluate_each(self, pairs: Iterable[tuple[str, object]]) -> list[Evaluation | OCamlEnvError]:
        """Evaluates a batch of (problem id, completion), in order; in place of an evaluation stands an infrastructure
        error, where we failed on one.

        Raises:
            ConfigError: if there is no such problem, or the engine cannot be used as configured.
        """
        asked = [(self.problem(problem_id), completion) for problem_id, completion in pairs]
        return evaluate_each(asked, verifier=self.verifier, reward=self.reward)


@cache
def shared_verifier(workers: int | None = None, sandbox: Sandbox = "required") -> Verifier:
    """The verifier of this process with these settings. Its workers end with the process."""
    return Verifier(workers=workers, sandbox=sandbox)


@cache
def shared_examiner(
    problems: str = "bundled:train",
    reward: str = "staged",
    prompt_style: str = "text",
    workers: int | None = None,
    sandbox: Sandbox = "required",
) -> Examiner:
    """The examiner of this process with these settings: for libraries that call a plain function. Files are read once.

    Raises:
        ConfigError: if a setting cannot be used.
    """
    return Examiner(problems, reward=reward, prompt_style=prompt_style, workers=workers, sandbox=sandbox)


def missing(extra: str, error: ImportError) -> ImportError:
    """What an integration raises where its library cannot be imported: the reason, and what to install.

    Args:
        extra: the extra of this package that brings the library.
        error: what importing it raised.
    """
    return ImportError(f"{error}. Install it with: pip install 'ocaml-env[{extra}]'", name=error.name)

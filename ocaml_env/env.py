"""``OCamlCodeEnv``: a problem as a Gymnasium episode. This is the protocol only; ``episode`` does the evaluation."""

from __future__ import annotations

import string
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from os import PathLike
from typing import Any, Literal

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded

from ocaml_env.curriculum import Curriculum
from ocaml_env.display.terminal import printable
from ocaml_env.episode import MAX_COMPLETION_LENGTH, Episode, EpisodeSpec, Evaluation, Turn, evaluate
from ocaml_env.errors import ConfigError
from ocaml_env.problem import Limits, Problem
from ocaml_env.problem.record import nearest
from ocaml_env.problems import load_problems
from ocaml_env.prompt import PromptSpec, PromptStyle, shorten
from ocaml_env.reward import RewardSpec
from ocaml_env.verifiers.base import AnyVerifier
from ocaml_env.verifiers.local import Verifier

__all__ = ["MAX_OBSERVATION_LENGTH", "FreeText", "OCamlCodeEnv", "read_problems"]

MAX_OBSERVATION_LENGTH = 1_048_576
"""The most characters of an observation: the prompt, the quoted part of the last answer, and its feedback."""

_MAX_SHOWN = 4_000  # characters of a completion shown in a frame

Problems = str | PathLike[str] | Sequence[Problem]
Sandbox = Literal["required", "best-effort"]


class FreeText(spaces.Text):
    """Any text up to a length. It samples printable ASCII and contains every short enough ``str``.

    ``spaces.Text`` needs a list of all allowed characters and checks each character of a text. With all of Unicode,
    Gymnasium's environment checker takes half a minute.
    """

    def __init__(self, max_length: int, *, seed: int | np.random.Generator | None = None) -> None:
        super().__init__(max_length, min_length=0, charset=string.printable, seed=seed)

    def contains(self, x: Any) -> bool:
        return isinstance(x, str) and len(x) <= self.max_length

    def __repr__(self) -> str:
        return f"FreeText({self.max_length})"


class OCamlCodeEnv(gymnasium.Env[str, str]):
    """One programming problem an episode: the observation is a prompt, the action is a model's completion.

    A turn's reward is the change in the total of the verdict's reward, so the rewards of an episode add up to its last
    total. The episode terminates when a completion passes, or after ``max_turns``. It is never truncated.

    Every observation holds the problem's statement verbatim. From the second on, it also holds the last answer's code
    and the feedback on it (``PromptSpec.revision``). If the problem has an attempt, the first observation shows the
    attempt in the same way, and the total is the value of the repair (``reward.repair_value``). The latest observation
    is all a policy needs.

    No action raises. An action of another type than ``str``, or longer than the action space allows, is NO_CODE, and
    ``info["reason"]`` says why. An infrastructure error raises an ``OCamlEnvError`` and leaves the episode unchanged.

    ``info`` holds plain values and no times. After ``reset``: ``problem_id``, ``index``, ``turn`` (0). After ``step``:
    ``problem_id``, ``index``, ``turn``, ``outcome``, ``stage``, ``passed``, ``tests_passed``, ``tests_passed_inside``,
    ``tests_total``, ``errors``, ``diagnostics``, ``parts``, ``total``, ``degenerate`` (the answer does no better than a
    degenerate one, such as a constant), ``has_baseline`` (the score of degenerate answers is known), ``partial`` and
    ``given`` (as in ``Verdict``), ``truncated``, ``code``, ``reason``, ``feedback``, ``ocaml_version``, ``sandbox``. A
    problem with an attempt adds ``edit_lines``, the size of the repair. A curriculum adds ``final_total``, the total
    under its last spec.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi", "human"], "render_fps": 1}  # noqa: RUF012  Gymnasium declares it so

    def __init__(
        self,
        problems: Problems = "bundled:train",
        *,
        reward: str | RewardSpec | Callable[..., Any] = "staged",
        max_turns: int = 1,
        prompt_style: str | PromptSpec = PromptStyle.TEXT,
        prompt: str | Callable[[Problem], str] | None = None,
        feedback: str | Callable[..., str] | None = None,
        limits: Limits | None = None,
        workers: int = 1,
        sandbox: Sandbox = "required",
        verifier: AnyVerifier | None = None,
        curriculum: Curriculum | None = None,
        render_mode: str | None = None,
    ) -> None:
        """Starts no OCaml process before the first code is evaluated, unless the problems are a repair source.

        Args:
            problems: a source for ``load_problems``, or a sequence of problems.
            reward: the name of a preset, a spec, or your own function (``RewardSpec.of``).
            max_turns: the most completions of an episode.
            prompt_style: the name of a ``PromptStyle``, or a ``PromptSpec``.
            prompt: your own function from a problem to its question, or its ``module:attribute``.
            feedback: your own function from ``(problem, verdict, code, reason)`` to the text for the model, or its
                ``module:attribute``.
            limits: replace each problem's own limits.
            workers: worker processes of the environment's own verifier.
            sandbox: the sandbox of the environment's own verifier.
            verifier: a shared verifier, in place of ``workers`` and ``sandbox``. The environment does not close it.
            curriculum: sets the reward by ``set_progress``, in place of ``reward``.
            render_mode: ``ansi`` (``render`` returns a text), ``human`` (printed at each reset and step) or None.

        Raises:
            ConfigError: if an argument cannot be used.
        """
        if render_mode is not None and render_mode not in self.metadata["render_modes"]:
            raise ConfigError(f"render_mode must be None, 'ansi' or 'human', not {render_mode!r}")
        if verifier is not None and (workers != 1 or sandbox != "required"):
            raise ConfigError("workers and sandbox belong to the verifier: give them to it, not to the environment")
        if curriculum is not None and reward != "staged":
            raise ConfigError("give a reward or a curriculum, not both: a curriculum says what is paid")
        self._own_verifier: AnyVerifier | None = None
        if verifier is None:
            verifier = self._own_verifier = Verifier(workers=workers, sandbox=sandbox)
        self._verifier = verifier
        self.problems = read_problems(problems, limits, verifier)
        self.render_mode = render_mode
        self.observation_space = FreeText(MAX_OBSERVATION_LENGTH)
        self.action_space = FreeText(MAX_COMPLETION_LENGTH)
        prompts = PromptSpec.of(prompt_style, prompt=prompt, feedback=feedback)
        self._episode_spec = EpisodeSpec(prompts=prompts, max_turns=max_turns)
        self._curriculum = curriculum
        self._reward = RewardSpec.of(reward)
        if curriculum is not None:
            self._reward = curriculum.at(0.0)
        self._ids = [problem.id for problem in self.problems]
        self._episode: Episode | None = None
        self._index = 0
        self._latest: tuple[Evaluation, Turn] | None = None

    # --- Gymnasium's protocol -----------------------------------------------------------------------------------------

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[str, dict[str, Any]]:
        """Begins an episode. The problem is drawn uniformly, unless the options name one.

        Args:
            seed: seeds the generator of the draws.
            options: ``{"index": i}`` or ``{"problem_id": id}`` names the problem; nothing is drawn then.

        Raises:
            ConfigError: if the options name no problem; the message lists the valid indices.
        """
        super().reset(seed=seed)
        self._index = self._choose(options or {})
        self._episode = Episode(self.problems[self._index], self._episode_spec)
        self._latest = None
        if self.render_mode == "human":
            self.render()
        return self._episode.prompt, {"problem_id": self._episode.problem.id, "index": self._index, "turn": 0}

    def step(self, action: object) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """Evaluates a completion: a ``str``, or a ``Completion`` with its ``truncated`` flag.

        Raises:
            ResetNeeded: before the first ``reset``, and after an episode's end.
            OCamlEnvError: for an infrastructure error.
        """
        return self.settle(evaluate(self.problem, action, verifier=self._verifier, reward=self._reward))

    def render(self) -> str | None:
        """Returns the latest turn as a text (``ansi``), or prints it (``human``)."""
        if self._episode is None:
            raise ResetNeeded("nothing to render yet: call reset() first")
        if self.render_mode is None:
            gymnasium.logger.warn("render() does nothing: give render_mode='ansi' or 'human' to gymnasium.make")
            return None
        frame = printable(self._frame(self._episode))
        if self.render_mode == "ansi":
            return frame
        sys.stdout.write(frame + "\n")
        sys.stdout.flush()
        return None

    def close(self) -> None:
        """Stops the verifier, unless it is shared."""
        if self._own_verifier is not None:
            self._own_verifier.close()

    # --- beyond Gymnasium ---------------------------------------------------------------------------------------------

    @property
    def problem(self) -> Problem:
        """The problem of the current episode.

        Raises:
            ResetNeeded: if no episode is under way.
        """
        if self._episode is None:
            raise ResetNeeded("there is no episode yet: call reset() before step()")
        if self._episode.done:
            raise ResetNeeded("the episode has terminated: call reset() before the next step()")
        return self._episode.problem

    @property
    def reward_spec(self) -> RewardSpec:
        """The current reward."""
        return self._reward

    @property
    def curriculum(self) -> Curriculum | None:
        """The schedule of the reward, or None."""
        return self._curriculum

    @property
    def episode_spec(self) -> EpisodeSpec:
        """The prompts and the number of turns of every episode."""
        return self._episode_spec

    @property
    def verifier(self) -> AnyVerifier:
        """The verifier in use. Others may use it until the environment closes."""
        return self._verifier

    def settle(self, evaluation: Evaluation) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """Does the second half of ``step``, given an evaluation: a vector environment evaluates in batches."""
        problem = self.problem
        if evaluation.problem is not problem:
            raise ConfigError(f"an evaluation of {evaluation.problem.id!r} was given for {problem.id!r}")
        assert self._episode is not None
        turn = self._episode.advance(evaluation)
        turn.info["index"] = self._index
        if self._curriculum is not None:
            final = self._curriculum.final
            turn.info["final_total"] = float(final(problem, evaluation.extraction, evaluation.verdict).total)
        self._latest = (evaluation, turn)
        if self.render_mode == "human":
            self.render()
        return turn.observation, turn.reward, turn.terminated, False, turn.info

    def set_progress(self, progress: float) -> None:
        """Sets the progress of the run for the curriculum.

        Raises:
            ConfigError: if the environment has no curriculum.
        """
        if self._curriculum is None:
            raise ConfigError("set_progress() needs an environment that was made with a curriculum")
        self._reward = self._curriculum.at(progress)

    def _choose(self, options: dict[str, Any]) -> int:
        for name in options:
            if name not in ("index", "problem_id"):
                raise ConfigError(f"unknown option {name!r}; known are 'index' and 'problem_id'")
        index, problem_id = options.get("index"), options.get("problem_id")
        count = len(self.problems)
        if problem_id is not None:
            if problem_id not in self._ids:
                hint = nearest(str(problem_id), self._ids)
                raise ConfigError(f"no problem {problem_id!r} here: indices are 0 to {count - 1}{hint}")
            found = self._ids.index(problem_id)
            if index is not None and index != found:
                raise ConfigError(f"problem {problem_id!r} has index {found}, not {index!r}: give one of the two")
            return found
        if index is None:
            return int(self.np_random.integers(count))
        if isinstance(index, bool) or not isinstance(index, int | np.integer) or not 0 <= index < count:
            raise ConfigError(f"no problem of index {index!r} here: indices are 0 to {count - 1}")
        return int(index)

    def _frame(self, episode: Episode) -> str:
        head = f"== {episode.problem.id}, turn {episode.turn} of {self._episode_spec.max_turns}"
        if self._latest is None:
            return f"{head}\n{episode.prompt}"
        evaluation, turn = self._latest
        verdict = evaluation.verdict
        how = f"{verdict.outcome.value} at {verdict.stage.name}, reward {turn.reward:+.3f}, total {episode.total:.3f}"
        return f"{head}: {how}\n{shorten(evaluation.completion, _MAX_SHOWN)}\n--\n{turn.info['feedback']}"


def read_problems(
    problems: Problems, limits: Limits | None = None, verifier: AnyVerifier | None = None
) -> tuple[Problem, ...]:
    """Loads the problems in order, with ``limits`` in place of their own if given. ``verifier``: see ``load_problems``.

    Raises:
        ConfigError: if there are no problems, an item is not a ``Problem``, or two share an id.
    """
    chosen = tuple(load_problems(problems, verifier=verifier) if isinstance(problems, str | PathLike) else problems)
    for problem in chosen:
        if not isinstance(problem, Problem):
            raise ConfigError(f"problems must be a source that load_problems takes, or Problems, not {problem!r:.80}")
    if not chosen:
        raise ConfigError("an environment needs at least one problem")
    if len({problem.id for problem in chosen}) < len(chosen):
        raise ConfigError("two of the problems have one id")
    return chosen if limits is None else tuple(replace(problem, limits=limits) for problem in chosen)

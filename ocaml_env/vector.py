"""``OCamlCodeVectorEnv``: several episodes at once, with their completions verified in one batch.

It holds ``OCamlCodeEnv``s and differs from ``SyncVectorEnv`` in two ways. It evaluates the whole batch before it steps
any environment: all workers are busy, and an infrastructure error changes no episode. It resets in the step that ended
an episode (SAME_STEP): Gymnasium's default, NEXT_STEP, would ignore every second batch if episodes have one turn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from ocaml_env.curriculum import Curriculum
from ocaml_env.env import OCamlCodeEnv, Problems, Sandbox, read_problems
from ocaml_env.episode import Evaluation, evaluate_many
from ocaml_env.errors import ConfigError
from ocaml_env.problem import Limits, Problem
from ocaml_env.prompt import PromptSpec, PromptStyle
from ocaml_env.reward import RewardSpec
from ocaml_env.verifiers.base import AnyVerifier
from ocaml_env.verifiers.local import Verifier

__all__ = ["OCamlCodeVectorEnv"]

Texts = tuple[str, ...]
Bools = npt.NDArray[np.bool_]


class OCamlCodeVectorEnv(VectorEnv[Texts, Texts, npt.NDArray[Any]]):
    """``num_envs`` episodes of ``OCamlCodeEnv``; observations and actions are tuples of ``str``.

    The same seeds, options and actions give the same results as that many single environments. ``infos`` have
    Gymnasium's form: an array for each key, with a mask ``_key``. In SAME_STEP mode, ``final_info`` and ``final_obs``
    hold an episode's last info and observation; the other keys describe the new episode.
    """

    def __init__(
        self,
        num_envs: int = 1,
        problems: Problems = "bundled:train",
        *,
        reward: str | RewardSpec | Callable[..., Any] = "staged",
        max_turns: int = 1,
        prompt_style: str | PromptSpec = PromptStyle.TEXT,
        prompt: str | Callable[[Problem], str] | None = None,
        feedback: str | Callable[..., str] | None = None,
        limits: Limits | None = None,
        workers: int | None = None,
        sandbox: Sandbox = "required",
        verifier: AnyVerifier | None = None,
        curriculum: Curriculum | None = None,
        render_mode: str | None = None,
        autoreset_mode: str | AutoresetMode = AutoresetMode.SAME_STEP,
    ) -> None:
        """Takes the arguments of ``OCamlCodeEnv``, and two more: ``num_envs`` and ``autoreset_mode``.

        Args:
            num_envs: the number of episodes at once.
            problems: see ``OCamlCodeEnv``, here and for all arguments that say "likewise".
            reward: likewise.
            max_turns: likewise.
            prompt_style: likewise.
            prompt: likewise.
            feedback: likewise.
            limits: likewise.
            workers: worker processes of the environment's own verifier; by default, one for each CPU.
            sandbox: likewise.
            verifier: likewise.
            curriculum: likewise.
            render_mode: likewise.
            autoreset_mode: when the next episode begins after one has ended: in the SAME_STEP, in the NEXT_STEP (which
                ignores its action), or by ``reset`` with a ``reset_mask`` (DISABLED).

        Raises:
            ConfigError: if an argument cannot be used.
        """
        if isinstance(num_envs, bool) or not isinstance(num_envs, int) or num_envs < 1:
            raise ConfigError(f"num_envs must be a whole number from 1, not {num_envs!r}")
        if verifier is not None and (workers is not None or sandbox != "required"):
            raise ConfigError("workers and sandbox belong to the verifier: give them to it, not to the environment")
        self.num_envs = num_envs
        self.render_mode = render_mode
        self._mode = _autoreset_mode(autoreset_mode)
        self.metadata = {**OCamlCodeEnv.metadata, "autoreset_mode": self._mode}
        self._own_verifier: AnyVerifier | None = None
        if verifier is None:
            verifier = self._own_verifier = Verifier(workers=workers, sandbox=sandbox)
        self._verifier = verifier
        chosen = read_problems(problems, limits, verifier)
        self.envs = [
            OCamlCodeEnv(
                chosen,
                reward=reward,
                max_turns=max_turns,
                prompt_style=prompt_style,
                prompt=prompt,
                feedback=feedback,
                verifier=verifier,
                curriculum=curriculum,
                render_mode=render_mode,
            )
            for _ in range(num_envs)
        ]
        self.single_observation_space = self.envs[0].observation_space
        self.single_action_space = self.envs[0].action_space
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._observations = [""] * num_envs
        self._ended = np.zeros(num_envs, dtype=np.bool_)

    @property  # type: ignore[misc]  # Gymnasium's property has a setter, which makes no sense for several generators
    def np_random(self) -> tuple[np.random.Generator, ...]:  # type: ignore[override]
        """The generator of each environment, in the form of ``SyncVectorEnv``."""
        return tuple(env.np_random for env in self.envs)

    @property
    def np_random_seed(self) -> tuple[int, ...]:  # type: ignore[override]
        """The seed of each environment."""
        return tuple(env.np_random_seed for env in self.envs)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Texts, dict[str, Any]]:
        """Begins an episode in each environment.

        Args:
            seed: one for each environment, or the first of ``num_envs`` consecutive ones.
            options: options of ``OCamlCodeEnv.reset``, the same for all: ``{"index": i}`` makes a group of episodes of
                one problem. ``"reset_mask"``, an array of bools, selects the environments to reset; the others go on.

        Raises:
            ConfigError: if the seeds or the options cannot be used.
        """
        seeds: Sequence[int | None]
        if seed is None:
            seeds = [None] * self.num_envs
        elif isinstance(seed, int | np.integer):
            seeds = [int(seed) + i for i in range(self.num_envs)]
        else:
            seeds = seed
        if len(seeds) != self.num_envs:
            raise ConfigError(f"{len(seeds)} seeds for {self.num_envs} environments")
        options = dict(options or {})
        mask = self._mask(options.pop("reset_mask", None))
        infos: dict[str, Any] = {}
        for i in np.flatnonzero(mask).tolist():
            self._observations[i], info = self.envs[i].reset(seed=seeds[i], options=options)
            self._ended[i] = False
            infos = self._add_info(infos, info, i)
        return tuple(self._observations), infos

    def step(self, actions: Iterable[object]) -> tuple[Texts, npt.NDArray[np.float64], Bools, Bools, dict[str, Any]]:
        """Evaluates one completion for each environment, all in one batch.

        Raises:
            ConfigError: if the number of actions is not ``num_envs``.
            ResetNeeded: if an environment has no episode under way.
            OCamlEnvError: for an infrastructure error; every episode is left unchanged.
        """
        given = self._batch(actions)
        resetting = self._ended.copy() if self._mode is AutoresetMode.NEXT_STEP else np.zeros_like(self._ended)
        evaluations = self._evaluate({i: given[i] for i in np.flatnonzero(~resetting).tolist()})
        rewards = np.zeros(self.num_envs, dtype=np.float64)
        terminations = np.zeros(self.num_envs, dtype=np.bool_)
        infos: dict[str, Any] = {}
        for i, env in enumerate(self.envs):
            if i not in evaluations:
                self._observations[i], info = env.reset()
            else:
                self._observations[i], rewards[i], terminations[i], _, info = env.settle(evaluations[i])
                if terminations[i] and self._mode is AutoresetMode.SAME_STEP:
                    infos = self._add_info(infos, {"final_obs": self._observations[i], "final_info": info}, i)
                    self._observations[i], info = env.reset()
            infos = self._add_info(infos, info, i)
        self._ended = terminations.copy()
        return tuple(self._observations), rewards, terminations, np.zeros_like(terminations), infos

    def render(self) -> tuple[str | None, ...]:  # type: ignore[override]
        """Renders each environment."""
        return tuple(env.render() for env in self.envs)

    def set_progress(self, progress: float) -> None:
        """See ``OCamlCodeEnv.set_progress``."""
        for env in self.envs:
            env.set_progress(progress)

    def close_extras(self, **kwargs: Any) -> None:
        """Stops the verifier, unless it is shared."""
        if self._own_verifier is not None:
            self._own_verifier.close()

    def _evaluate(self, actions: dict[int, object]) -> dict[int, Evaluation]:
        pairs = [(self.envs[i].problem, action) for i, action in actions.items()]
        reward = self.envs[0].reward_spec
        return dict(zip(actions, evaluate_many(pairs, verifier=self._verifier, reward=reward), strict=True))

    def _batch(self, actions: Iterable[object]) -> list[object]:
        if isinstance(actions, str | bytes) or not isinstance(actions, Iterable):
            raise ConfigError(f"actions must be a sequence of {self.num_envs} texts, not one {type(actions).__name__}")
        given = list(actions)
        if len(given) != self.num_envs:
            raise ConfigError(f"{len(given)} actions for {self.num_envs} environments")
        return given

    def _mask(self, given: Any) -> Bools:
        if given is None:
            return np.ones(self.num_envs, dtype=np.bool_)
        if not isinstance(given, np.ndarray) or given.shape != (self.num_envs,) or given.dtype != np.bool_:
            raise ConfigError(f"reset_mask must be a numpy array of {self.num_envs} bools, not {given!r:.80}")
        if not given.any():
            raise ConfigError("reset_mask resets no environment")
        return given


def _autoreset_mode(given: str | AutoresetMode) -> AutoresetMode:
    try:
        return AutoresetMode(given)
    except ValueError:
        known = ", ".join(repr(mode.value) for mode in AutoresetMode)
        raise ConfigError(f"there is no autoreset_mode {given!r}; known are {known}") from None

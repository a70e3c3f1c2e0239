"""GEM: the environment ``ocaml:OCamlCode-v0``, for ``gem.make`` and ``gem.make_vec``.

    import gem
    import ocaml_env.integrations.gem  # registers the environment

    env = gem.make("ocaml:OCamlCode-v0", problems="bundled:eval", max_turns=2)
    prompt, info = env.reset(seed=7)
    observation, reward, terminated, truncated, info = env.step("let rec f x = f x")
    print(info["outcome"], reward, terminated)

It is ``OCamlCodeEnv`` under GEM's names, and takes its arguments. A ``seed`` determines the drawn problems, and seeds
no generator but the environment's own.

Not scored: ``step`` raises, and leaves the episode unchanged. GEM does not tell an environment that generation was cut
off; if your caller knows, give ``step`` a ``Completion``.
"""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from ocaml_env.env import OCamlCodeEnv
from ocaml_env.errors import ConfigError
from ocaml_env.integrations.common import missing, shared_verifier

try:
    import gem
    from gem.envs.registration import ENV_REGISTRY
except ImportError as error:
    raise missing("gem", error) from error

__all__ = ["ENV_ID", "OCamlGemEnv"]

ENV_ID = "ocaml:OCamlCode-v0"


class OCamlGemEnv(gem.Env):
    """Problems as GEM episodes, one after another."""

    def __init__(self, *, seed: int | None = None, **settings: Any) -> None:
        """Made by ``gem.make``.

        Args:
            seed: seeds the draws of problems, until ``reset`` gets another seed; ``gem.make_vec`` gives one to each.
            settings: arguments of ``OCamlCodeEnv``. Without a ``verifier``, a process's environments share one.

        Raises:
            ConfigError: if a setting cannot be used.
        """
        super().__init__()
        self._settings = settings
        self._seed = seed
        sharing = {name: value for name, value in settings.items() if name not in ("workers", "sandbox")}
        if "verifier" not in settings:
            sharing["verifier"] = shared_verifier(settings.get("workers"), settings.get("sandbox", "required"))
        elif len(sharing) < len(settings):
            raise ConfigError("workers and sandbox belong to the verifier: give them to it, not to the environment")
        self._env = OCamlCodeEnv(**sharing)

    def reset(self, seed: int | None = None) -> tuple[str, dict[str, Any]]:
        """Begins an episode with a randomly drawn problem."""
        if seed is None:
            seed, self._seed = self._seed, None
        return self._env.reset(seed=seed)

    def reset_to(self, problem_id: str) -> tuple[str, dict[str, Any]]:
        """Begins an episode with this problem, since GEM's ``reset`` has no options.

        Raises:
            ConfigError: if there is none of that id.
        """
        return self._env.reset(options={"problem_id": problem_id})

    def step(self, action: str) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """Evaluates an answer.

        Raises:
            OCamlEnvError: for an infrastructure error.
        """
        return self._env.step(action)

    def sample_random_action(self) -> str:
        """Returns some text, seldom OCaml."""
        return self._env.action_space.sample()

    def spawn(self, same_state: bool = False, **settings: Any) -> OCamlGemEnv:
        """Makes another environment with the same settings, or with some of them changed.

        Args:
            same_state: True copies the current episode, too.
            settings: changed settings; not with ``same_state``.

        Raises:
            ConfigError: for both at once.
        """
        if same_state and settings:
            raise ConfigError("an environment with other settings cannot be in the same state: ask for one of the two")
        spawned = OCamlGemEnv(**{"seed": self._seed, **self._settings, **settings})
        if same_state:
            problems = self._env.problems  # shared, not copied: they are frozen, and many
            spawned._env = deepcopy(self._env, {id(problems): problems})
        return spawned


if ENV_ID not in ENV_REGISTRY:
    gem.register(ENV_ID, f"{__name__}:{OCamlGemEnv.__name__}")

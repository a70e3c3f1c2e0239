"""The GRPO agent: trains a language model on the environment, evaluates it there, and acts with it.

    python -m agents.grpo --config agents/configs/tiny.yaml
    python -m agents.grpo --config qwen-1.5b --problems 'generated:all?split=train&level=1-3&n=5000'
    accelerate launch --num_processes 2 --multi_gpu -m agents.grpo --config qwen-1.5b

A setting of ``--help`` may stand in the YAML file of ``--config``, in the environment (``GRPO_TEMPERATURE=0.9``) or on
the command line; the later overrides. To resume an interrupted run from its last checkpoint, give the same command
again. Exit codes: 0 done; 2 wrong usage; 3 an infrastructure error; 130 interrupted.
"""

# Long, because ``GRPOAgent`` is the whole interface of the agent: it acts, evaluates, checks, trains, saves and loads.

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

from agents import preflight
from agents.assembly import make_sampler, make_trainer, trainable
from agents.config import Config
from agents.config_sources import parse, read_config
from agents.evaluation import Evaluation, evaluate
from agents.health import CannotRead, Diagnosis, diagnose, find_profile, read_run
from agents.health.report import report
from agents.machine import advice_on_memory
from agents.preflight import Plan
from agents.problem_check import check_tests
from agents.processes import quiet_libraries, this_process
from agents.run_dir import (
    MODEL,
    check_resume,
    differences,
    last_checkpoint,
    note_saved,
    open_run,
    read_versions,
    saved_step,
    step_of,
    write_config,
)
from agents.trainer import OCamlGRPOTrainer
from agents.training_set import episode_spec, training_set
from agents.wrappers import unwrap
from ocaml_env import AnyVerifier, Completion, ConfigError, Problem, RewardSpec
from ocaml_env.commands import parser_of, reports_errors
from ocaml_env.engine import sources_digest
from ocaml_env.episode import EpisodeSpec
from ocaml_env.evaluation.files import FolderLock, write_whole
from ocaml_env.evaluation.models.hf import (
    LanguagePolicy,
    Sampling,
    load_policy,
    set_threads,
)
from ocaml_env.problems.sources import digest_of, read_sets, spread
from ocaml_env.verifiers.choose import open_verifier

__all__ = ["GRPOAgent", "main"]


class GRPOAgent:
    """Trains a language model on the environment by GRPO. It is an ``Agent``: it can ``act``.

    Attributes:
        config: the configuration of its runs.
        policy: its model, tokenizer and sampling settings.
        problems: its training set.
        evaluation_problems: the problems of its evaluations.
    """

    def __init__(
        self,
        env_or_problems: Any = None,
        model: str | LanguagePolicy | None = None,
        config: Config | str | Path | None = None,
        *,
        evaluation_problems: Sequence[Problem] | str | None = None,
        verifier: AnyVerifier | None = None,
    ) -> None:
        """Loads no model yet: ``train``, ``evaluate`` and ``act`` load it when they need it.

        Args:
            env_or_problems: an environment of ``gymnasium.make("OCamlCode-v0")``: training takes its problems, reward,
                prompts, turns and verifier, and keeps its reward wrappers. Or problems, or a source for
                ``load_problems``; by default ``config.problems``.
            model: a folder, a hub id, ``tiny``, or a loaded policy; by default ``config.model``.
            config: a configuration, or the file or the name of one.
            evaluation_problems: problems, or a source of them; by default ``config.eval_problems``.
            verifier: a shared verifier; the agent does not close it.

        Raises:
            ConfigError: if an argument cannot be used.
        """
        config = config if isinstance(config, Config) else read_config(path=config)
        if isinstance(model, str):
            config = replace(config, model=model)
        self.config = config
        self._policy = model if isinstance(model, LanguagePolicy) else None
        self._env, self._wrappers = unwrap(env_or_problems)
        if self._env is not None:
            self.problems: Sequence[Problem] = self._env.problems
            verifier = verifier or self._env.verifier
        elif env_or_problems is None:
            self.problems = training_set(config)
        elif isinstance(env_or_problems, str):
            self.config = config = replace(config, problems=env_or_problems)
            self.problems = training_set(config)
        else:
            self.problems = tuple(env_or_problems)
        self._named = env_or_problems is None or isinstance(env_or_problems, str)  # config.problems is the training set
        if config.holdout and not self._named:
            raise ConfigError("holdout divides `problems` of the configuration: divide your own by load_problems")
        if isinstance(evaluation_problems, str):
            self.config = config = replace(config, eval_problems=evaluation_problems)
        if evaluation_problems is None or isinstance(evaluation_problems, str):
            evaluation_problems = read_sets(config.evaluation_source)
        self.evaluation_problems: Sequence[Problem] = evaluation_problems
        self._verifier = verifier
        self._own_verifier: AnyVerifier | None = None
        self._drawn = 0
        self._trained: Path | None = None  # the model of a run that had already ended

    # --- acting -------------------------------------------------------------------------------------------------------

    @property
    def policy(self) -> LanguagePolicy:
        """The policy. The first access loads its model."""
        if self._policy is None:
            self._policy = load_policy(str(self._trained or self.config.model), dtype=_dtype(self.config))
        return self._policy.with_sampling(
            temperature=self.config.temperature,
            top_p=self.config.top_p,
            max_tokens=self.config.max_completion_length,
            seed=self.config.seed,
        )

    def act(self, observations: Sequence[str]) -> list[Completion]:
        """Draws one completion for each observation, at the configured temperature. Each call draws new ones."""
        policy = self.policy
        policy.drawn = self._drawn
        completions = policy.act(observations)
        self._drawn = policy.drawn
        return completions

    def evaluate(
        self,
        problems: Sequence[Problem] | str | None = None,
        *,
        samples: int | None = None,
        temperature: float | None = None,
        progress: str = "",
        seed: int | None = None,
    ) -> Evaluation:
        """Measures pass@1 on problems, and the final reward.

        Args:
            problems: problems, or a source of them; by default ``eval_limit`` of the evaluation's.
            samples: episodes a problem; by default ``eval_samples``.
            temperature: sampling temperature, 0 for greedy; by default the configured one.
            progress: the title of a progress bar, "" for none.
            seed: sampling seed; by default the configured one.
        """
        config = self.config
        if problems is None:
            problems = spread(self.evaluation_problems, config.eval_limit)
        elif isinstance(problems, str):
            problems = read_sets(problems)
        policy = self.policy.with_sampling(
            temperature=config.temperature if temperature is None else temperature,
            batch_size=64,
            seed=config.seed if seed is None else seed,
        )
        return evaluate(
            policy,
            problems,
            verifier=self.verifier,
            reward=self._final_reward(),
            spec=self._episodes(),
            samples=samples or config.eval_samples,
            progress=progress,
        )

    @property
    def verifier(self) -> AnyVerifier:
        """The given verifier, or one of its own. The first access makes that."""
        if self._verifier is None:
            processes = this_process().num_processes
            self._verifier = self._own_verifier = open_verifier(
                self.config.verifier, workers=self.config.workers or None, share=processes
            )
        return self._verifier

    # --- training -----------------------------------------------------------------------------------------------------

    def check(self, *, generates: bool = True) -> Plan:
        """Checks a run before its model is loaded: its settings (``preflight``), and that the tests of its problems
        compile. A resumed run with the same problems has compiled them before, and skips that.

        Args:
            generates: True if the run learns from its own completions, False if it learns from given answers.

        Raises:
            ConfigError: for the first fault that would make the run fail or worthless; the message names the remedy.
        """
        state = this_process()
        plan = preflight.check(
            self.config,
            self.problems,
            self.evaluation_problems,
            processes=state.num_processes,
            episodes=self._episodes(),
            generates=generates,
        )
        if state.is_main_process and not self._suite(plan).items() <= read_versions(self._folder).items():
            check_tests([*plan.problems, *self.evaluation_problems], self.verifier)
        return plan

    def train(self) -> Path:
        """Trains to the end of the run, from its last checkpoint if there is one. Returns the folder of the model.

        A finished run stays as it is.

        Raises:
            ConfigError: if the run cannot begin; no model is loaded then.
            TooManyFaults: if infrastructure errors pile up; the run can be resumed.
        """
        plan = self.check()
        if not this_process().is_main_process:
            return self._train(plan)
        with FolderLock(self._folder, option="output_dir"):
            return self._train(plan)

    def _train(self, plan: Plan) -> Path:
        config, folder, state = self.config, self._folder, this_process()
        set_threads(config.threads)
        check_resume(folder, config)
        changed = differences(folder, config)
        checkpoint = last_checkpoint(folder)
        step = step_of(checkpoint)
        over = 0 < plan.steps <= step and config.resume == "auto"
        saved = over and saved_step(folder) == step
        state.wait_for_everyone()  # the main process changes the folder only after all have read it
        if state.is_main_process and not saved:
            open_run(config)
            write_config(folder, config, self._suite(plan))
            _announce(config, plan, checkpoint, changed)
        state.wait_for_everyone()
        if over:
            self._policy, self._trained = None, folder / MODEL if saved else checkpoint
            if state.is_main_process:
                print(f"finished: {step} of {plan.steps} steps" + ("; nothing is touched" if saved else ""))
        else:
            step = self._run(plan, checkpoint)
        if state.is_main_process and not saved:
            self.save(folder / MODEL)
            self._report()
            note_saved(folder, step)
        state.wait_for_everyone()
        return folder / MODEL

    def _run(self, plan: Plan, checkpoint: Path | None) -> int:
        """Trains from a checkpoint, or from the beginning. Returns the number of the last optimiser step."""
        with advice_on_memory(self.config, generates=True), closing(self.make_trainer(plan)) as trainer:
            if checkpoint is not None:
                trainer.restore(checkpoint)
            trainer.train(resume_from_checkpoint=str(checkpoint) if checkpoint else None)
            return int(trainer.state.global_step)

    def diagnosis(self) -> Diagnosis:
        """Diagnoses the run in the configured folder.

        Raises:
            CannotRead: if the folder holds no run.
        """
        return diagnose(read_run(self.config.output_dir), find_profile(self.config.health_profile))

    def _report(self) -> None:
        try:
            page = report(self.diagnosis())
        except CannotRead as error:  # the run was too short to log a step
            print(f"note: there is nothing to report: {error}")
            return
        (self._folder / "report.html").write_text(page, encoding="utf-8")

    def save(self, folder: str | Path) -> None:
        """Writes the trained weights (an adapter, or all), the tokenizer and the configuration."""
        folder = Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        policy = self.policy
        policy.model.save_pretrained(folder)
        policy.tokenizer.save_pretrained(folder)
        write_whole(folder / "agent.yaml", self.config.to_yaml())

    @classmethod
    def load(cls, folder: str | Path, env_or_problems: Any = None, **arguments: Any) -> GRPOAgent:
        """Loads an agent from a folder of ``save``, or from the folder of a run.

        Raises:
            ConfigError: if the folder holds no agent.
        """
        folder = Path(folder)
        if not (folder / "agent.yaml").exists() and (folder / MODEL / "agent.yaml").exists():
            folder = folder / MODEL
        if not (folder / "agent.yaml").exists():
            raise ConfigError(f"{folder} holds no agent: GRPOAgent.save writes one, and a run that has ended holds one")
        return cls(env_or_problems, str(folder), folder / "agent.yaml", **arguments)

    def close(self) -> None:
        """Closes the verifier, unless it is shared."""
        if self._own_verifier is not None:
            self._own_verifier.close()
            self._own_verifier = self._verifier = None

    def __enter__(self) -> GRPOAgent:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def _folder(self) -> Path:
        return Path(self.config.output_dir)

    # --- the parts of a run -------------------------------------------------------------------------------------------

    def _final_reward(self) -> RewardSpec:
        """The reward of evaluations: that of the last phase, if the reward has phases."""
        if self._env is None:
            return self.config.reward_spec()
        return self._env.curriculum.final if self._env.curriculum else self._env.reward_spec

    def _episodes(self) -> EpisodeSpec:
        return self._env.episode_spec if self._env is not None else episode_spec(self.config)

    def _suite(self, plan: Plan) -> dict[str, Any]:
        return {
            "ocaml": self.verifier.ocaml_version,
            "engine": sources_digest(),
            "problems": len(plan.problems),
            "problems_digest": digest_of(plan.problems),
            "evaluation_digest": digest_of(self.evaluation_problems),
        }

    def make_trainer(self, plan: Plan) -> OCamlGRPOTrainer:
        """Makes the trainer of a run. The caller closes it."""
        config = self.config
        sampler = make_sampler(
            config,
            plan,
            evaluation=self.evaluation_problems,
            verifier=self.verifier,
            endless=self._named,
        )
        return make_trainer(
            config,
            plan,
            model=self.model_to_train(),
            sampler=sampler,
            verifier=self.verifier,
            env=self._env,
            wrappers=self._wrappers,
            evaluate=lambda: self.evaluate(progress="evaluating"),
        )

    def model_to_train(self) -> Any:
        """Returns the model, with an adapter if ``tuning`` is ``lora``, and acts with it from now on."""
        policy = self.policy
        model = trainable(policy.model, policy.tokenizer, self.config)
        self._policy = LanguagePolicy(model, policy.tokenizer, Sampling())
        return model


def _dtype(config: Config) -> str:
    """The type of the weights: float32 for full training, because 16 bits round small updates away."""
    return "float32" if config.tuning == "full" else config.dtype


def _announce(config: Config, plan: Plan, checkpoint: Path | None, changed: dict[str, tuple[Any, Any]]) -> None:
    print(f"{len(plan.problems)} problems, model {config.model}, reward {config.reward}; run in {config.output_dir}")
    if config.holdout:
        print(f"held out: {config.holdout:.0%}; to evaluate on them: --problems '{config.evaluation_source}'")
    for note in plan.notes:
        print(f"note: {note}")
    if checkpoint is not None:
        print(f"going on from {checkpoint}")
        for name, (before, now) in changed.items():
            print(f"note: {name} was {before}, and is {now} from here on")


@reports_errors(interrupted="interrupted: the same command goes on from the last checkpoint")
def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command. Returns the exit code: 0 done, 2 wrong usage, 3 an infrastructure error, 130 interrupted."""
    parser = parser_of("python -m agents.grpo", __doc__)
    parser.add_argument("--check", action="store_true", help="check the run and say what it would do; train nothing")
    quiet_libraries()
    config, options = parse(arguments, parser)
    with GRPOAgent(config=config) as agent:
        if options.check:
            _announce(config, agent.check(), None, {})
            return 0
        folder = agent.train()
    if this_process().is_main_process:
        print(f"done: the model is in {folder}; python -m agents.health {config.output_dir} reads the run")
    return 0


if __name__ == "__main__":
    sys.exit(main())

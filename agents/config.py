"""The configuration of a run: one typed dataclass, and the sources of its values.

Sources by precedence, the last overrides: the default here; a YAML file; the environment variables of the seed's run
(``TRAINING_DATASET``, ``GRPO_...``, ``LORA_...``, ``RUNAWAY_PENALTY_MULTIPLIER``, ``MIN_NON_EMPTY_LINES``); the command
line. The run keeps the resolved values as ``config.yaml``.

A field has TRL's name if TRL has a setting of the same meaning. Further settings of TRL go under ``trl``.
"""

from __future__ import annotations

import argparse
import dataclasses
import difflib
import os
import types
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import yaml

from agents.curriculum import curriculum_maker
from ocaml_env import ConfigError, RewardSpec
from ocaml_env.curriculum import EPOCHS, THIRDS, Curriculum
from ocaml_env.verifiers.choose import HELP as WHICH_VERIFIER
from ocaml_env.verifiers.choose import check_verifier

__all__ = [
    "ENVIRONMENT",
    "Config",
    "add_arguments",
    "environment_of",
    "export_name",
    "parse",
    "read_config",
    "read_yaml",
]

LORA_MODULES = ("q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj")


def _setting(default: Any, help: str, *, least: float | None = None, most: float | None = None) -> Any:
    metadata = {"help": help, "least": least, "most": most}
    if isinstance(default, dict):
        return field(default_factory=lambda: dict(default), metadata=metadata)
    return field(default=default, metadata=metadata)


@dataclass(frozen=True, kw_only=True)
class Config:
    """The settings of a run. Every field is a setting of the YAML file and of the command line; see ``--help``.

    The defaults suit a small model on one GPU: the hardened reward, eight completions a problem at temperature 1,
    on-policy, a higher upper clip, no KL term. Their limits of tokens leave out no bundled problem: with SmolLM2's
    tokenizer the longest prompt has 1,311 tokens, and the longest reference 1,544 as an answer.

    Raises:
        ConfigError: for an unusable value; the message names the setting.
    """

    # the model and its problems
    model: str = _setting("Qwen/Qwen2.5-Coder-1.5B-Instruct", "folder, hub id, or `tiny` for the embedded policy")
    problems: str = _setting("bundled:train", "what load_problems takes; several with `+` between them")
    eval_problems: str = _setting("bundled:eval", "problems of the evaluations; never trained on")
    holdout: float = _setting(
        0.0, "share of `problems` that is evaluated on and not trained on, in place of eval_problems", least=0, most=0.9
    )
    level: tuple[str, ...] = _setting((), "train on these levels only: 1 to 6, ranges such as 1-3, with commas")
    max_lines: int = _setting(0, "train only on problems whose reference has at most so many lines; 0: any", least=0)
    output_dir: str = _setting("grpo_runs", "folder of the run")
    resume: Literal["auto", "never"] = _setting("auto", "go on from the last checkpoint of output_dir, or begin anew")
    dtype: Literal["auto", "float32", "bfloat16", "float16"] = _setting("auto", "of the weights; auto: bfloat16 on GPU")

    # prompts and episodes
    prompt_style: Literal["text", "completion", "brief"] = _setting("text", "form of the prompt")
    shots: int = _setting(0, "solved problems shown before the one that is asked", least=0)
    shot_problems: str = _setting("bundled:train", "where the solved problems come from")
    instruction: str = _setting("", "a sentence at the end of each prompt")
    prompt: str = _setting("", "module:attribute of a function from a problem to its question")
    feedback: str = _setting("", "module:attribute of a function from (problem, verdict, code, reason) to a text")
    max_turns: int = _setting(1, "answers an episode takes at most; after each the model sees what failed", least=1)
    max_prompt_length: int = _setting(1536, "tokens; problems with longer prompts are left out, and counted", least=1)
    max_completion_length: int = _setting(2048, "tokens of one answer; longer ones are cut off", least=1)

    # the reward
    reward: str = _setting(
        "staged", "reward: " + ", ".join(RewardSpec.presets()) + ", or module:attribute of a function"
    )
    runaway_penalty_multiplier: float | None = _setting(
        None, "seed's preset only: share that a cut-off answer without the END marker keeps", least=0, most=1
    )
    min_non_empty_lines: int | None = _setting(None, "seed's preset only: shorter code gets 0", least=0)

    # the choice of problems
    curriculum: str = _setting(
        "none",
        "ladder: mostly problems that are solved at 20 to 80%; uniform: each family and level as often; "
        "module:attribute: a curriculum of your own; with these generated problems and repairs never end. epochs, "
        "thirds: all problems, and the seed's three phases of the reward, by epoch (0.5, 1.0) or by thirds of the run",
    )
    resample_tied: int = _setting(
        0, "times at most that groups without a difference of rewards are drawn again, of other problems", least=0
    )
    solve_rate_filter: bool = _setting(False, "leave out, for a while, what is always or never solved")
    solve_rate_attempts: int = _setting(16, "attempts after which a problem may be left out", least=2)
    solve_rate_rest: int = _setting(30, "generations for which it is left out", least=1)

    # the algorithm, by TRL's names
    num_generations: int = _setting(8, "completions of one problem: a group", least=2)
    per_device_train_batch_size: int = _setting(8, "completions in one backward pass of one process", least=1)
    gradient_accumulation_steps: int = _setting(8, "backward passes of one optimiser step", least=1)
    steps_per_generation: int | None = _setting(
        None, "backward passes of one generation; by default one step's", least=1
    )
    num_iterations: int = _setting(1, "times that each generation is trained on", least=1)
    num_train_epochs: float = _setting(1.0, "passes over the problems", least=0)
    max_steps: int = _setting(-1, "optimiser steps; -1: as num_train_epochs says", least=-1)
    learning_rate: float = _setting(1e-5, "at its highest", least=0)
    lr_scheduler_type: str = _setting("constant_with_warmup", "linear, cosine, constant, constant_with_warmup, ...")
    warmup_steps: int = _setting(0, "optimiser steps until the learning rate is at its highest", least=0)
    weight_decay: float = _setting(0.0, "of AdamW", least=0)
    adam_beta2: float = _setting(0.999, "of AdamW", least=0, most=1)
    max_grad_norm: float = _setting(1.0, "gradients are clipped to this norm", least=0)
    temperature: float = _setting(1.0, "of sampling", least=0)
    top_p: float = _setting(1.0, "of sampling", least=0, most=1)
    beta: float = _setting(0.0, "weight of the KL term", least=0)
    epsilon: float = _setting(0.2, "lower clip", least=0)
    epsilon_high: float | None = _setting(0.28, "upper clip; by default the same as epsilon", least=0)
    loss_type: str = _setting("dr_grpo", "grpo, dr_grpo, dapo, bnpo, ...")
    scale_rewards: Literal["group", "batch", "none"] = _setting(
        "group", "what advantages are divided by the deviation of"
    )
    mask_truncated_completions: bool = _setting(False, "leave cut-off answers out of the loss")
    trl: dict[str, Any] = _setting(
        {}, "further settings of trl.GRPOConfig, as YAML: '{top_k: 50}'; evaluations draw without them"
    )

    # trained weights
    tuning: Literal["lora", "full"] = _setting("lora", "an adapter, or all weights")
    lora_r: int = _setting(32, "rank", least=1)
    lora_alpha: int = _setting(64, "scale", least=1)
    lora_dropout: float = _setting(0.05, "dropout", least=0, most=1)
    lora_bias: Literal["none", "all", "lora_only"] = _setting("none", "which biases are trained")
    lora_target_modules: tuple[str, ...] = _setting(LORA_MODULES, "modules that get an adapter, with commas")
    gradient_checkpointing: bool = _setting(False, "less memory, more time")

    # processes and machines
    use_vllm: bool = _setting(False, "generate with vLLM, where it is installed")
    vllm_mode: Literal["colocate", "server"] = _setting("colocate", "vLLM in this process, or a server of its own")
    verifier: str = _setting("local", WHICH_VERIFIER)
    workers: int = _setting(
        0, "verifier workers of one process; 0: the cores of the machine or cluster, shared by the processes", least=0
    )
    threads: int = _setting(0, "torch threads; 0: one on a machine of up to 4 cores without GPU, else torch's", least=0)
    max_fault_share: float = _setting(
        0.2, "stop when more samples than this cannot be scored after infrastructure errors", least=0, most=1
    )
    seed: int = _setting(42, "of everything that is drawn", least=0)

    # logs, checkpoints and evaluations
    logging_steps: int = _setting(1, "optimiser steps between log lines", least=1)
    save_steps: int = _setting(50, "optimiser steps between checkpoints", least=1)
    save_total_limit: int = _setting(3, "checkpoints that are kept", least=1)
    eval_steps: int = _setting(0, "optimiser steps between evaluations; 0: none during training", least=0)
    eval_samples: int = _setting(1, "completions a problem in an evaluation", least=1)
    eval_limit: int = _setting(0, "problems of an evaluation, evenly chosen; 0: all", least=0)
    report_to: tuple[str, ...] = _setting((), "tensorboard, wandb, trackio; several with commas")
    run_name: str = _setting("", "name of the run in those")

    # training diagnostics
    health: Literal["off", "warn", "stop", "adapt"] = _setting(
        "warn", "what the training diagnostics do while training"
    )
    health_profile: Literal["default", "seed"] = _setting("default", "the rules of the training diagnostics")

    def __post_init__(self) -> None:
        hints = get_type_hints(Config)
        for item in dataclasses.fields(self):
            value = _checked(item.name, getattr(self, item.name), hints[item.name])
            if item.name == "report_to" and value == ("none",):  # TRL's name for no reporter
                value = ()
            _check_range(item, value)
            object.__setattr__(self, item.name, value)
        self.reward_spec()
        self.curriculum_spec()
        if curriculum_maker(self.curriculum) is not None and self.solve_rate_filter:
            raise ConfigError(
                f"curriculum {self.curriculum} and solve_rate_filter both choose problems: set "
                "solve_rate_filter to false"
            )
        check_verifier(self.verifier)
        if self.holdout and self.problems.startswith(("generated:", "repair:")):
            raise ConfigError("holdout divides a set of yours; generated problems have split=train and split=eval")
        if self.max_steps == 0:
            raise ConfigError("max_steps must be from 1, or -1: as num_train_epochs says")
        if self.temperature == 0:
            raise ConfigError("temperature must be above 0: completions of a group that are all the same teach nothing")

    def reward_spec(self) -> RewardSpec:
        """The reward; that of the last phase if the reward has phases."""
        settings = {
            name: getattr(self, name)
            for name in ("runaway_penalty_multiplier", "min_non_empty_lines")
            if getattr(self, name) is not None
        }
        return RewardSpec.of(self.reward) if ":" in self.reward else RewardSpec.preset(self.reward, **settings)

    def curriculum_spec(self) -> Curriculum | None:
        """The phases of the reward; None if it has none."""
        if self.curriculum not in ("epochs", "thirds"):
            return None
        return Curriculum(phases=EPOCHS if self.curriculum == "epochs" else THIRDS, spec=self.reward_spec())

    @property
    def training_source(self) -> str:
        """The source of the training set: ``problems``, without those held out."""
        return _held_out(self.problems, self.holdout, "train")

    @property
    def evaluation_source(self) -> str:
        """The source of the evaluations: ``eval_problems``, or the problems held out."""
        return _held_out(self.problems, self.holdout, "eval") if self.holdout else self.eval_problems

    @property
    def steps_of_a_generation(self) -> int:
        """Optimiser steps from one generation to the next. ``save_steps`` must be a multiple of them."""
        passes = (self.steps_per_generation or self.gradient_accumulation_steps) * self.num_iterations
        return max(1, passes // self.gradient_accumulation_steps)

    def to_yaml(self) -> str:
        """The configuration as YAML for ``read_config``."""
        plain = {
            name: list(value) if isinstance(value, tuple) else value for name, value in dataclasses.asdict(self).items()
        }
        return yaml.safe_dump(plain, sort_keys=False, allow_unicode=True)


def _held_out(source: str, share: float, split: str) -> str:
    """One side of a source, or of several with ``+`` between them. The same texts name it for an evaluation."""
    sources = [part.strip() for part in source.split("+")] if share else []
    sides = (f"{part}{'&' if '?' in part else '?'}split={split}&holdout={share:g}" for part in sources)
    return "+".join(sides) or source


# --- the environment --------------------------------------------------------------------------------------------------

_SEED_NAMES = {
    "TRAINING_DATASET": "problems",
    "GRPO_BATCH_SIZE": "per_device_train_batch_size",
    "GRPO_GRAD_ACCUM_STEPS": "gradient_accumulation_steps",
    "GRPO_MAX_PROMPT": "max_prompt_length",
    "GRPO_MAX_COMPLETION": "max_completion_length",
    "GRPO_NUM_EPOCHS": "num_train_epochs",
    "LORA_R": "lora_r",
    "LORA_ALPHA": "lora_alpha",
    "LORA_DROPOUT": "lora_dropout",
    "LORA_BIAS": "lora_bias",
    "LORA_TARGET_MODULES": "lora_target_modules",
    "RUNAWAY_PENALTY_MULTIPLIER": "runaway_penalty_multiplier",
    "MIN_NON_EMPTY_LINES": "min_non_empty_lines",
}

ENVIRONMENT: Mapping[str, str] = _SEED_NAMES | {
    f"GRPO_{item.name.upper()}": item.name
    for item in dataclasses.fields(Config)
    if item.name not in _SEED_NAMES.values()
}
"""Environment variable -> field: the seed's names, and ``GRPO_`` with the upper-case name of any other field."""


def export_name(setting: str) -> str:
    """The environment variable of a setting, for an ``export`` line of a shell."""
    return next(variable for variable, name in ENVIRONMENT.items() if name == setting)


# --- reading ----------------------------------------------------------------------------------------------------------


def read_config(
    *,
    path: str | os.PathLike[str] | None = None,
    environment: Mapping[str, str] | None = None,
    overrides: Mapping[str, Any] | None = None,
) -> Config:
    """Reads a configuration. Precedence: default < YAML < environment < ``overrides`` (the command line).

    Args:
        path: a YAML file, or the name of one in ``agents/configs`` without its ``.yaml``.
        environment: variables; None reads none (the command reads ``os.environ``).
        overrides: values by field name; a string is converted to the type of its field.

    Raises:
        ConfigError: for an unknown name or an unusable value; the message names the nearest known name.
    """
    values: dict[str, Any] = {}
    if path is not None:
        values |= read_yaml(path)
    values |= _from_environment(environment or {})
    names = [item.name for item in dataclasses.fields(Config)]
    for name, value in (overrides or {}).items():
        if name not in names:
            raise ConfigError(f"there is no setting {name!r}{_nearest(name, names)}")
        values[name] = value
    return Config(**values)


def read_yaml(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Reads the settings of a YAML file, or of a file in ``agents/configs`` by its name.

    Raises:
        ConfigError: if the file cannot be read, or holds an unknown setting.
    """
    folder = Path(__file__).parent / "configs"
    file = Path(path)
    if not file.exists() and (folder / f"{path}.yaml").exists():
        file = folder / f"{path}.yaml"
    try:
        values = yaml.safe_load(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        ours = ", ".join(sorted(known.stem for known in folder.glob("*.yaml")))
        raise ConfigError(
            f"there is no configuration {os.fspath(path)!r}; those that come with agents/ are {ours}"
        ) from None
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise ConfigError(f"{file}: {error}") from None
    if values is None:
        return {}
    if not isinstance(values, dict):
        raise ConfigError(f"{file}: a configuration is `name: value` lines, not a {type(values).__name__}")
    names = [item.name for item in dataclasses.fields(Config)]
    for name in values:
        if name not in names:
            raise ConfigError(f"{file}: there is no setting {name!r}{_nearest(str(name), names)}")
    return values


def _from_environment(environment: Mapping[str, str]) -> dict[str, str]:
    for name in environment:
        if name.startswith("GRPO_") and name not in ENVIRONMENT:
            raise ConfigError(f"there is no setting of the environment {name!r}{_nearest(name, ENVIRONMENT)}")
    return {setting: environment[name] for name, setting in ENVIRONMENT.items() if name in environment}


def add_arguments(parser: argparse._ActionsContainer) -> None:
    """Adds an option for each field; ``--learning-rate`` is the same as ``--learning_rate``. Values stay strings."""
    for item in dataclasses.fields(Config):
        spellings = dict.fromkeys((f"--{item.name}", f"--{item.name.replace('_', '-')}"))
        default = ",".join(item.default) if isinstance(item.default, tuple) else item.default
        shown = "" if default in ("", None, dataclasses.MISSING) else f" (default: {default})"
        parser.add_argument(
            *spellings,
            dest=item.name,
            default=argparse.SUPPRESS,
            metavar="VALUE",
            help=(item.metadata["help"] + shown).replace("%", "%%"),
        )


# --- values -----------------------------------------------------------------------------------------------------------


def _checked(name: str, value: Any, hint: Any) -> Any:
    """Converts a value to the type of its field. It may come from Python, from YAML, or as text."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):  # X | None
        if value is None or (isinstance(value, str) and value.lower() in ("none", "null")):
            return None
        return _checked(name, value, next(kind for kind in arguments if kind is not type(None)))
    if origin is Literal:
        if value is False and "off" in arguments:
            return "off"  # YAML reads a bare `off` as false
        if value not in arguments:
            choices = ", ".join(map(str, arguments))
            raise ConfigError(f"{name} must be one of {choices}, not {value!r}{_nearest(str(value), arguments)}")
        return value
    if origin is tuple:
        parts = value.split(",") if isinstance(value, str) else value
        if not isinstance(parts, Iterable):
            raise ConfigError(f"{name} must be a list of names, not {value!r}")
        return tuple(str(part).strip() for part in parts if str(part).strip())
    if origin is dict:
        try:
            read = yaml.safe_load(value) if isinstance(value, str) else value
        except yaml.YAMLError:
            read = None
        if not isinstance(read, Mapping):
            raise ConfigError(f"{name} must be a mapping, such as '{{top_k: 50}}', not {value!r}")
        return dict(read)
    return _READERS[hint](name, value)


def _read_bool(name: str, value: Any) -> bool:
    if isinstance(value, bool):
        return value
    known = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
    if str(value).lower() not in known:
        raise ConfigError(f"{name} must be true or false, not {value!r}")
    return known[str(value).lower()]


def _read_int(name: str, value: Any) -> int:
    number = _read_float(name, value)
    if not number.is_integer():
        raise ConfigError(f"{name} must be a whole number, not {value!r}")
    return int(number)


def _read_float(name: str, value: Any) -> float:
    try:
        if isinstance(value, bool):
            raise ValueError
        number = float(value)  # YAML reads 5e-6, which has no dot, as text
    except (TypeError, ValueError):
        raise ConfigError(f"{name} must be a number, not {value!r}") from None
    if number != number or number in (float("inf"), float("-inf")):
        raise ConfigError(f"{name} must be a finite number, not {value!r}")
    return number


def _read_text(name: str, value: Any) -> str:
    if not isinstance(value, str):
        raise ConfigError(f"{name} must be a text, not {value!r}")
    return value


_READERS: dict[Any, Callable[[str, Any], Any]] = {bool: _read_bool, int: _read_int, float: _read_float, str: _read_text}


def _check_range(item: dataclasses.Field[Any], value: Any) -> None:
    least, most = item.metadata["least"], item.metadata["most"]
    if value is None or not isinstance(value, int | float):
        return
    if (least is not None and value < least) or (most is not None and value > most):
        bounds = f"from {least:g}" + (f" to {most:g}" if most is not None else "")
        raise ConfigError(f"{item.name} must be {bounds}, not {value!r}")


def _nearest(name: str, known: Iterable[Any]) -> str:
    close = difflib.get_close_matches(name, [str(candidate) for candidate in known], n=1, cutoff=0.5)
    return f"; did you mean {close[0]!r}?" if close else ""


def environment_of(process: Mapping[str, str]) -> dict[str, str]:
    """Selects the variables of a run from those of a process: any of ``ENVIRONMENT`` or with the prefix ``GRPO_``."""
    return {name: value for name, value in process.items() if name in ENVIRONMENT or name.startswith("GRPO_")}


def parse(arguments: Sequence[str] | None, parser: argparse.ArgumentParser) -> tuple[Config, argparse.Namespace]:
    """Reads the configuration of a command from its ``--config``, its environment and its options."""
    parser.add_argument("--config", metavar="FILE", help="YAML file, or the name of one of agents/configs")
    add_arguments(parser.add_argument_group("settings", "override the configuration and the environment"))
    options = parser.parse_args(arguments)
    names = {item.name for item in dataclasses.fields(Config)}
    overrides = {name: value for name, value in vars(options).items() if name in names}
    config = read_config(path=options.config, environment=environment_of(os.environ), overrides=overrides)
    return config, options

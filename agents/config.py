"""The configuration of a run: one typed dataclass.

A field has TRL's name if TRL has a setting of the same meaning. Further settings of TRL go under ``trl``.
``config_sources`` reads a configuration from files, the environment and the command line.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from typing import Any, Literal, get_type_hints

import yaml

from agents.config_values import check_range, converted
from agents.curriculum import curriculum_maker
from ocaml_env import ConfigError, RewardSpec
from ocaml_env.curriculum import EPOCHS, THIRDS, Curriculum
from ocaml_env.verifiers.choose import HELP as WHICH_VERIFIER
from ocaml_env.verifiers.choose import check_verifier

__all__ = ["Config"]

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
    tokenizer the longest prompt has 1,311 tokens, and the longest reference 1,543 as an answer.

    Raises:
        ConfigError: for an unusable value; the message names the setting.
    """

    # the model and its problems
    model: str = _setting("Qwen/Qwen2.5-Coder-1.5B-Instruct", "a folder, a hub id, or tiny, the embedded policy")
    problems: str = _setting("bundled:train", "problems to train on: a source for load_problems; join several with +")
    eval_problems: str = _setting("bundled:eval", "problems of the evaluations; never trained on")
    holdout: float = _setting(
        0.0, "share of the problems to evaluate on and not train on, in place of eval_problems", least=0, most=0.9
    )
    level: tuple[str, ...] = _setting(
        (), "train on these levels only: 1 to 6, or ranges such as 1-3, separated by commas"
    )
    max_lines: int = _setting(0, "train only on problems with references of at most this many lines; 0: any", least=0)
    output_dir: str = _setting("grpo_runs", "folder of the run")
    resume: Literal["auto", "never"] = _setting(
        "auto", "auto: continue from the last checkpoint in output_dir; never: refuse a folder that holds a run"
    )
    dtype: Literal["auto", "float32", "bfloat16", "float16"] = _setting(
        "auto",
        "type of the computation, and of the weights under an adapter; auto: bfloat16 for an adapter on a GPU, else "
        "float32",
    )

    # prompts and episodes
    prompt_style: Literal["text", "completion", "brief"] = _setting("text", "form of the prompts")
    shots: int = _setting(0, "solved problems at the beginning of each prompt", least=0)
    shot_problems: str = _setting("bundled:train", "source of the solved problems")
    instruction: str = _setting("", "a sentence at the end of each prompt")
    prompt: str = _setting("", "module:attribute of a function from a problem to its question")
    feedback: str = _setting("", "module:attribute of a function from (problem, verdict, code, reason) to a text")
    max_turns: int = _setting(1, "the most answers of an episode; after each, the model sees feedback", least=1)
    max_prompt_length: int = _setting(
        1536, "the most tokens of a prompt; problems with longer prompts are left out", least=1
    )
    max_completion_length: int = _setting(2048, "the most tokens of one answer; longer answers are cut off", least=1)

    # the reward
    reward: str = _setting(
        "staged", "reward: " + ", ".join(RewardSpec.presets()) + ", or module:attribute of a function"
    )
    runaway_penalty_multiplier: float | None = _setting(
        None,
        "for the seed's preset: the share of its reward that a cut-off answer without the END marker keeps",
        least=0,
        most=1,
    )
    min_non_empty_lines: int | None = _setting(None, "for the seed's preset: code with fewer lines gets 0", least=0)

    # the choice of problems
    curriculum: str = _setting(
        "none",
        "ladder: mostly problems solved at 20 to 80%; uniform: all families and levels equally often; "
        "module:attribute: your own; with these, generated problems and repairs never run out. epochs, thirds: all "
        "problems in a shuffled order, and the seed's three phases of the reward, by epochs (0.5, 1.0) or "
        "by thirds of the run",
    )
    resample_tied: int = _setting(
        0, "the most times that a group without a difference of rewards is replaced by one of another problem", least=0
    )
    repeats: dict[str, Any] = _setting(
        {}, "for agents.sft: the times that an epoch has the answers of a source, as '{original: 6}'; others once"
    )
    solve_rate_filter: bool = _setting(False, "leave out for a while problems that are always or never solved")
    solve_rate_attempts: int = _setting(16, "attempts at a problem before it may be left out", least=2)
    solve_rate_rest: int = _setting(30, "generations for which it is left out", least=1)

    # the algorithm, by TRL's names
    num_generations: int = _setting(8, "completions of each problem, which form a group", least=2)
    per_device_train_batch_size: int = _setting(8, "completions in one backward pass of one process", least=1)
    gradient_accumulation_steps: int = _setting(8, "backward passes of one optimiser step", least=1)
    steps_per_generation: int | None = _setting(
        None, "backward passes of one generation; by default those of one optimiser step", least=1
    )
    num_iterations: int = _setting(1, "passes over each generation", least=1)
    num_train_epochs: float = _setting(1.0, "passes over the problems", least=0)
    max_steps: int = _setting(-1, "optimiser steps; -1: as many as num_train_epochs takes", least=-1)
    learning_rate: float = _setting(1e-5, "the highest learning rate", least=0)
    lr_scheduler_type: str = _setting(
        "constant_with_warmup", "schedule of the learning rate: linear, cosine, constant, constant_with_warmup, ..."
    )
    warmup_steps: int = _setting(0, "optimiser steps before the learning rate reaches its highest", least=0)
    weight_decay: float = _setting(0.0, "weight decay of AdamW", least=0)
    adam_beta2: float = _setting(0.999, "second beta of AdamW", least=0, most=1)
    max_grad_norm: float = _setting(1.0, "clip gradients to this norm", least=0)
    temperature: float = _setting(1.0, "temperature of sampling", least=0)
    top_p: float = _setting(1.0, "share of probability to sample from", least=0, most=1)
    beta: float = _setting(0.0, "weight of the KL term", least=0)
    epsilon: float = _setting(0.2, "lower clip of the probability ratio", least=0)
    epsilon_high: float | None = _setting(
        0.28, "upper clip of the probability ratio; none: the same as epsilon", least=0
    )
    loss_type: str = _setting("dr_grpo", "loss: grpo, dr_grpo, dapo, bnpo, ...")
    scale_rewards: Literal["group", "batch", "none"] = _setting(
        "group", "divide advantages by the deviation of the rewards in the group, in the batch, or by none"
    )
    mask_truncated_completions: bool = _setting(False, "leave cut-off answers out of the loss")
    trl: dict[str, Any] = _setting(
        {}, "further settings of trl.GRPOConfig as YAML, such as '{top_k: 50}'; evaluations ignore them"
    )

    # trained weights
    tuning: Literal["lora", "full"] = _setting("lora", "train an adapter, or all weights")
    lora_r: int = _setting(32, "rank of the adapter", least=1)
    lora_alpha: int = _setting(64, "scale of the adapter", least=1)
    lora_dropout: float = _setting(0.05, "dropout of the adapter", least=0, most=1)
    lora_bias: Literal["none", "all", "lora_only"] = _setting("none", "biases to train")
    lora_target_modules: tuple[str, ...] = _setting(LORA_MODULES, "modules with an adapter, separated by commas")
    gradient_checkpointing: bool = _setting(False, "compute activations twice: less memory, more time")
    compile_layers: bool = _setting(
        False, "compile the layers for training: a third faster or more, after half a minute; on a CPU it needs g++"
    )

    # processes and machines
    use_vllm: bool = _setting(False, "generate with vLLM, which must be installed")
    vllm_mode: Literal["colocate", "server"] = _setting("colocate", "vLLM in this process, or on a server of its own")
    verifier: str = _setting("local", WHICH_VERIFIER)
    workers: int = _setting(
        0, "verifier workers of one process; 0: its share of the cores of the machine or cluster", least=0
    )
    threads: int = _setting(0, "torch threads; 0: one on a CPU of up to 4 cores, else torch's own number", least=0)
    max_fault_share: float = _setting(
        0.2, "stop if infrastructure errors lose more than this share of the latest completions", least=0, most=1
    )
    seed: int = _setting(42, "seed of all random choices", least=0)

    # logs, checkpoints and evaluations
    logging_steps: int = _setting(1, "optimiser steps between two lines of the log", least=1)
    save_steps: int = _setting(50, "optimiser steps between two checkpoints", least=1)
    save_total_limit: int = _setting(3, "checkpoints to keep", least=1)
    eval_steps: int = _setting(0, "optimiser steps between two evaluations; 0: none during training", least=0)
    eval_samples: int = _setting(1, "completions of each problem in an evaluation", least=1)
    eval_limit: int = _setting(0, "problems of an evaluation, evenly chosen; 0: all", least=0)
    report_to: tuple[str, ...] = _setting((), "also log to tensorboard, wandb or trackio, separated by commas")
    run_name: str = _setting("", "name of the run there")

    # training diagnostics
    health: Literal["off", "warn", "stop", "adapt"] = _setting(
        "warn", "training diagnostics: do nothing, warn, stop the run, or raise the temperature"
    )
    health_profile: Literal["default", "seed"] = _setting("default", "rules of the training diagnostics")

    def __post_init__(self) -> None:
        hints = get_type_hints(Config)
        for item in dataclasses.fields(self):
            value = converted(item.name, getattr(self, item.name), hints[item.name])
            if item.name == "report_to" and value == ("none",):  # TRL's name for no reporter
                value = ()
            check_range(item, value)
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

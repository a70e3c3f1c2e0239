"""Makes the parts of a training and joins them: the trainable model, the sampler of problems, the trainer.

Each part has a module of its own. ``GRPOAgent`` decides when to make them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import torch
from peft import LoraConfig, PeftModel, get_peft_model
from tqdm import tqdm
from transformers import PrinterCallback
from trl import GRPOConfig

from agents.callbacks import Evaluations, Intervals, KeptMemory, Progress, report_in_one_folder
from agents.config import Config
from agents.cpu import (
    can_compile,
    compile_layers,
    compile_log_probabilities,
    keep_memory,
    leave_when_finished,
    read_prompts_once,
    use_plain_attention,
)
from agents.curriculum import curriculum_maker
from agents.endless import endless_sources
from agents.evaluation import Evaluation
from agents.health.callback import HealthCallback
from agents.logs import METRICS, RunLog
from agents.preflight import Plan
from agents.processes import this_process
from agents.rewards import Rewards
from agents.sampler import CurriculumSampler, PassSampler, ProblemSampler, SolveRates
from agents.stream import ProblemStream
from agents.trainer import OCamlGRPOTrainer
from agents.training_set import Admission
from agents.wrappers import AnyRewardWrapper
from ocaml_env import AnyVerifier, OCamlCodeEnv, Problem
from ocaml_env.evaluation.models.hf import fast_bfloat16, forget_quantization, render
from ocaml_env.problems.load import level_names

__all__ = ["make_sampler", "make_trainer", "trainable", "training_arguments"]


def make_trainer(
    config: Config,
    plan: Plan,
    *,
    model: Any,
    sampler: ProblemSampler,
    verifier: AnyVerifier,
    env: OCamlCodeEnv | None,
    wrappers: Sequence[AnyRewardWrapper],
    evaluate: Callable[[], Evaluation],
) -> OCamlGRPOTrainer:
    """Makes the trainer of a run, with its rewards, log and callbacks. The caller closes it.

    Args:
        config: the configuration.
        plan: the checked run.
        model: the model of ``trainable``.
        sampler: chooses problems; the trainer closes it.
        verifier: evaluates the completions.
        env: the environment whose reward is paid; None for that of the configuration.
        wrappers: its reward wrappers.
        evaluate: evaluates the model, every ``eval_steps`` steps.
    """
    folder, state = Path(config.output_dir), this_process()
    prompts = plan.episodes.prompts
    log = RunLog(folder, writes=state.is_main_process)
    rewards = Rewards(config, plan.problems, prompts, verifier=verifier, log=log, env=env, wrappers=wrappers)
    trainer = OCamlGRPOTrainer(
        rewards=rewards,
        episodes=plan.episodes,
        sampler=sampler,
        problems_of_an_epoch=len(plan.problems),
        render=lambda problem: render(prompts.text(problem), plan.tokenizer),
        resample_tied=config.resample_tied,
        model=model,
        args=training_arguments(config),
        processing_class=plan.tokenizer,
    )
    trainer.remove_callback(PrinterCallback)  # its lines would repeat the log files
    report_in_one_folder(trainer)
    trainer.add_callback(Intervals())
    trainer.add_callback(log)
    if not torch.cuda.is_available():
        trainer.add_callback(KeptMemory())
    if config.health != "off":
        diagnostics = HealthCallback(
            profile=config.health_profile,
            action=config.health,
            run_dir=folder,
            set_temperature=trainer.set_temperature,
            temperature=lambda: trainer.next_temperature,
            tell=tqdm.write if state.is_main_process else lambda _: None,
        )
        log.observe = diagnostics.observe
        trainer.add_callback(diagnostics)
    if state.is_main_process:
        trainer.add_callback(Progress(folder / METRICS))
    if config.eval_steps:
        trainer.add_callback(Evaluations(evaluate, every=config.eval_steps, trainer=trainer, process=state))
    return trainer


def make_sampler(
    config: Config, plan: Plan, *, evaluation: Sequence[Problem], verifier: AnyVerifier, endless: bool
) -> ProblemSampler:
    """Makes the sampler of problems.

    Args:
        config: the configuration.
        plan: the checked run.
        evaluation: the problems of evaluations; a curriculum draws none of them.
        verifier: checks that planted faults fail.
        endless: True if a curriculum draws new problems from sources without end in ``config.problems``.
    """
    make = curriculum_maker(config.curriculum)
    if make is None:
        rates = SolveRates(attempts=config.solve_rate_attempts, rest=config.solve_rate_rest)
        return PassSampler(plan.problems, seed=config.seed, rates=rates if config.solve_rate_filter else None)
    stream = ProblemStream(
        plan.problems,
        endless_sources(config.training_source, seed=config.seed, verifier=verifier) if endless else (),
        seed=config.seed,
        levels=level_names(config.level) if config.level else None,
        admits=Admission(config, plan.episodes, plan.tokenizer, evaluation),
    )
    return CurriculumSampler(stream, make(config.seed), kind=config.curriculum)


def trainable(model: Any, tokenizer: Any, config: Config) -> Any:
    """Makes a model ready to train, with an adapter if ``tuning`` is ``lora``. An existing adapter is trained further.

    On a CPU it reads each prompt once for its group, and trains with plain attention if sequences are short. The
    configuration may ask for compiled layers.

    Weights of a GGUF file, or of a base merged with its adapter, are saved to the folder ``base`` of the run first: TRL
    loads the reference model of a KL term by its name.
    """
    made = config.model.endswith(".gguf")
    if config.tuning == "full" and isinstance(model, PeftModel):
        model, made = model.merge_and_unload(), True
        model.requires_grad_(True)
    if made:
        base = Path(config.output_dir) / "base"
        forget_quantization(model)
        if this_process().is_main_process:
            model.save_pretrained(base)
            tokenizer.save_pretrained(base)
        this_process().wait_for_everyone()
        model.config._name_or_path = str(base)
    if config.tuning == "lora" and not isinstance(model, PeftModel):
        model = _with_adapter(model, config)
    on_cpu = not torch.cuda.is_available()
    if on_cpu:
        keep_memory()
        leave_when_finished(model)
        read_prompts_once(model)
    if on_cpu and not config.gradient_checkpointing:  # that computes layers again, outside of it
        use_plain_attention(model, config.max_prompt_length + config.max_completion_length)
    if config.compile_layers and can_compile():
        compile_layers(model)
        if on_cpu:
            compile_log_probabilities()
    return model


def _with_adapter(model: Any, config: Config) -> PeftModel:
    torch.manual_seed(config.seed)
    adapter = LoraConfig(
        task_type="CAUSAL_LM",
        r=config.lora_r,
        lora_alpha=config.lora_alpha,
        lora_dropout=config.lora_dropout,
        bias=config.lora_bias,
        target_modules=list(config.lora_target_modules),
    )
    return get_peft_model(model, adapter)


# TRL has these settings under the same name.
_SAME_NAME = (
    "num_generations",
    "per_device_train_batch_size",
    "gradient_accumulation_steps",
    "steps_per_generation",
    "num_iterations",
    "num_train_epochs",
    "max_steps",
    "learning_rate",
    "lr_scheduler_type",
    "warmup_steps",
    "weight_decay",
    "adam_beta2",
    "max_grad_norm",
    "temperature",
    "top_p",
    "beta",
    "epsilon",
    "epsilon_high",
    "loss_type",
    "scale_rewards",
    "mask_truncated_completions",
    "max_completion_length",
    "gradient_checkpointing",
    "use_vllm",
    "vllm_mode",
    "seed",
    "logging_steps",
    "save_steps",
    "save_total_limit",
    "output_dir",
)


def training_arguments(config: Config) -> GRPOConfig:
    """Makes TRL's arguments from a checked configuration (``preflight``).

    A GPU computes in bfloat16. A CPU with instructions for it does so if the configuration asks for it: a step of
    SmolLM2 then takes about half the time. The default on a CPU stays float32, because a run would otherwise give other
    figures on other machines.
    """
    gpu = torch.cuda.is_available()
    values = {name: getattr(config, name) for name in _SAME_NAME}
    values |= {
        "bf16": gpu or (config.dtype == "bfloat16" and fast_bfloat16()),
        "use_cpu": not gpu,
        "report_to": list(config.report_to) or "none",
        "run_name": config.run_name or None,
        "remove_unused_columns": False,
        "disable_tqdm": True,  # ours says more
        "logging_nan_inf_filter": False,  # log a loss of nan as nan
        "ddp_timeout": 4 * 3600,  # seconds; the other processes wait while the main one evaluates
        "save_strategy": "steps",
        "dataloader_num_workers": 0,
        "dataloader_pin_memory": gpu,
        "ddp_find_unused_parameters": False,
    }
    return GRPOConfig(**(values | config.trl))

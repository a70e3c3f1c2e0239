"""A warm start: supervised fine-tuning, with the prompt masked out of the loss.

    python -m agents.sft --config smollm2-warm-strong
    python -m agents.sft --problems bundled:train --level 1-2              # references, by level
    python -m agents.sft --problems 'repair:bundled:train?level=1-2&n=500' # wrong attempt + feedback -> reference
    python -m agents.sft --config grpo_runs/first/config.yaml --from-rollouts grpo_runs/first --output_dir grpo_runs/own
                                                                           # its own passing answers, in its own style
    python -m agents.grpo --config smollm2          # trains grpo_runs/smollm2-warm-strong/model further

Takes the settings of ``agents.grpo``. Of those of the algorithm, only batch, epochs, steps, learning rate and schedule
count. To continue an interrupted run from its last checkpoint, give the same command again; when the model is saved,
the checkpoint is removed. Prompts are the same as in GRPO; a target is the reference as an answer in the style of the
prompt. With ``--from-rollouts`` problems and answers come from a run of ``agents.grpo``, or from an evaluation: passing
answers, not cut off, word for word. Of answers with the same code but for comments and layout, the first is taken.
Problems of an evaluation split are refused.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from datasets import Dataset, disable_progress_bars
from transformers import PrinterCallback, TrainerCallback
from transformers.trainer_pt_utils import LengthGroupedSampler
from trl import SFTConfig, SFTTrainer

from agents.answers import Kept, distinct, read_answers
from agents.callbacks import OF_SFT, Evaluations, KeptMemory, Progress, report_in_one_folder
from agents.config import Config
from agents.config_sources import parse
from agents.grpo import GRPOAgent
from agents.lengths import answer_length, target
from agents.logs import keep_lines
from agents.machine import advice_on_memory
from agents.preflight import Plan
from agents.processes import quiet_libraries, this_process
from agents.run_dir import MODEL, STATE, last_checkpoint
from agents.training_set import training_set
from ocaml_env import ConfigError, Problem, ProblemSet
from ocaml_env.commands import parser_of, reports_errors
from ocaml_env.evaluation.files import FolderLock, write_whole
from ocaml_env.evaluation.models.hf import fast_bfloat16, render, set_threads
from ocaml_env.problem.record import nearest

__all__ = ["LOG", "Lesson", "answer_loss", "main", "own_answers", "references", "repeated", "train"]

LOG = "sft.jsonl"
"""The log of a run in its folder: a line of JSON for each logged step."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson:
    """A problem, and the answer to learn."""

    problem: Problem
    answer: str


def references(problems: Sequence[Problem], style: str) -> list[Lesson]:
    """Makes lessons of references, as answers in a style of prompt. Skips problems without a reference."""
    return [Lesson(problem=problem, answer=target(problem, style)) for problem in problems if problem.reference.strip()]


def repeated(lessons: Sequence[Lesson], times: Mapping[str, int]) -> list[Lesson]:
    """Repeats lessons by the source of their problem, so that a small source has weight beside a large one.

    Raises:
        ConfigError: if no lesson is of a named source, or a number of times is no whole number from 1.
    """
    sources = {lesson.problem.source for lesson in lessons}
    for source, count in times.items():
        if source not in sources:
            raise ConfigError(f"repeats: no problem is of the source {source!r}{nearest(source, sources)}")
        if type(count) is not int or count < 1:
            raise ConfigError(f"repeats: {source} must be a whole number from 1, not {count!r}")
    return [lesson for lesson in lessons for _ in range(times.get(lesson.problem.source, 1))]


def own_answers(kept: Kept) -> list[Lesson]:
    """Makes lessons of distinct passing answers, not cut off, word for word."""
    passed = [answer for answer in kept.answers if answer.passed and not answer.completion.truncated]
    return [Lesson(problem=answer.problem, answer=str(answer.completion)) for answer in distinct(passed)]


def train(agent: GRPOAgent, lessons: Sequence[Lesson] | None = None) -> Path:
    """Fine-tunes the agent's model. Returns the folder of the result.

    Args:
        agent: the model, its settings, and the problems to learn.
        lessons: answers to these problems; by default their references.

    Raises:
        ConfigError: if the run cannot begin, or there is no answer to learn.
    """
    plan = agent.check(generates=False)
    with FolderLock(agent.config.output_dir, option="output_dir"):
        if lessons is None:
            lessons = references(plan.problems, agent.config.prompt_style)
        with advice_on_memory(agent.config, generates=False):
            return _train(agent, plan, lessons)


# torch makes and keeps CPU kernels for each length of a batch. Padding to a multiple keeps the lengths few: an epoch of
# 175 references takes SmolLM2-135M 83 s and 3.8 GB with it, 96 s and 4.4 GB without.
_PAD = 32

_NO_LABEL = -100
"""The label of a token outside the answers, in transformers."""


class _Order(LengthGroupedSampler):  # type: ignore[misc]  # transformers is untyped here
    """An order of rows that depends on seed and epoch only, so that a resumed run goes on with the same batches."""

    def __init__(self, rows: int, lengths: list[int], seed: int) -> None:
        super().__init__(rows, lengths=lengths, generator=torch.Generator())
        self._seed = seed
        self.set_epoch(0)

    def set_epoch(self, epoch: int) -> None:
        self.generator.manual_seed(self._seed + epoch)


class _Trainer(SFTTrainer):  # type: ignore[misc]  # TRL is untyped here
    def _get_train_sampler(self, train_dataset: Any = None) -> _Order:
        found = super()._get_train_sampler(train_dataset)
        return _Order(found.batch_size, found.lengths, self.args.seed)


class _AnswersOnly(_Trainer):
    """Computes logits of answers, not of prompts.

    TRL computes all of them, in parts to save GPU memory. The parts take a CPU twice the time.
    """

    def compute_loss(
        self, model: Any, inputs: dict[str, Any], return_outputs: bool = False, num_items_in_batch: Any = None
    ) -> Any:
        loss, outputs = answer_loss(model, inputs, items=num_items_in_batch)
        return (loss, outputs) if return_outputs else loss


def answer_loss(model: Any, inputs: dict[str, Any], *, items: Any = None) -> tuple[torch.Tensor, Any]:
    """Returns the cross-entropy of labelled tokens, and the outputs of the model with logits of labelled columns.

    Args:
        model: a causal language model of transformers.
        inputs: ``input_ids``, ``attention_mask`` and ``labels``, each of shape (rows, tokens).
        items: the divisor of the sum over tokens; None for their number.
    """
    inputs = dict(inputs)
    labels = inputs.pop("labels")
    learned = labels != _NO_LABEL
    columns = learned.any(dim=0).nonzero().flatten()
    outputs = model(**inputs, use_cache=False, logits_to_keep=columns - 1)  # a place predicts the next token
    learned = learned[:, columns]
    logits, targets = outputs.logits[learned].float(), labels[:, columns][learned]
    total = torch.nn.functional.cross_entropy(logits, targets, reduction="sum")
    return total / (len(targets) if items is None else items), outputs


class _Log(TrainerCallback):  # type: ignore[misc]  # transformers is untyped here
    """Writes a line of JSON for each logged step. A resumed run first cuts off the lines after its checkpoint."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def on_train_begin(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        keep_lines(self._file, lambda record: record["step"] <= state.global_step)

    def on_log(self, args: Any, state: Any, control: Any, logs: dict[str, Any] | None = None, **kwargs: Any) -> None:
        with self._file.open("a", encoding="ascii") as file:
            file.write(json.dumps({"step": state.global_step} | (logs or {})) + "\n")


class _Complete(TrainerCallback):  # type: ignore[misc]  # transformers is untyped here
    """Writes into each checkpoint what it belongs to. It is written last: without it the checkpoint is incomplete."""

    def __init__(self, run: Mapping[str, str]) -> None:
        self._run = run

    def on_save(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        folder = Path(args.output_dir, f"checkpoint-{state.global_step}")
        write_whole(folder / STATE, json.dumps(self._run) + "\n")


def _resumed(config: Config, run: Mapping[str, str]) -> Path | None:
    """Returns the last checkpoint of this run; None to begin.

    Raises:
        ConfigError: if the folder has a checkpoint of another run, or ``resume`` is ``never``.
    """
    folder = Path(config.output_dir)
    checkpoint = last_checkpoint(folder)
    if checkpoint is None:
        return None
    other = json.loads((checkpoint / STATE).read_text(encoding="utf-8"))
    changed = [name for name in run if other.get(name) != run[name]]
    if changed or config.resume == "never":
        kind = f"a run with other {' and '.join(changed)}" if changed else "a run already"
        raise ConfigError(f"{checkpoint} is of {kind}: choose another output_dir, or remove {folder}")
    print(f"going on from {checkpoint}")
    return checkpoint


def _train(agent: GRPOAgent, plan: Plan, lessons: Sequence[Lesson]) -> Path:
    config, folder = agent.config, Path(agent.config.output_dir)
    asked = {problem.id for problem in plan.problems}  # without problems of too long prompts
    lessons = repeated([lesson for lesson in lessons if lesson.problem.id in asked], config.repeats)
    rows = [_row(lesson, plan, config) for lesson in lessons]
    fitting = [row for row in rows if row is not None]
    if not fitting:
        raise ConfigError(
            f"there is nothing to learn from: none of the {len(plan.problems)} problems has a reference, or an answer "
            f"that passed, of at most {config.max_completion_length} tokens (max_completion_length)"
        )
    set_threads(config.threads)
    print(f"{len(fitting)} answers to learn, model {config.model}; the run is in {folder}")
    for note in plan.notes:
        print(f"note: {note}")
    if len(fitting) < len(rows):
        print(
            f"note: {len(rows) - len(fitting)} of {len(rows)} answers are left out: they have more than "
            f"{config.max_completion_length} tokens (max_completion_length)"
        )
    folder.mkdir(parents=True, exist_ok=True)
    answers = hashlib.sha256(json.dumps(fitting).encode()).hexdigest()
    run = {"model": config.model, "tuning": config.tuning, "answers": answers}
    checkpoint = _resumed(config, run)
    gpu = torch.cuda.is_available()
    trainer = (_Trainer if gpu else _AnswersOnly)(
        model=agent.model_to_train(),
        args=SFTConfig(
            output_dir=config.output_dir,
            per_device_train_batch_size=config.per_device_train_batch_size,
            gradient_accumulation_steps=config.gradient_accumulation_steps,
            num_train_epochs=config.num_train_epochs,
            max_steps=config.max_steps,
            learning_rate=config.learning_rate,
            lr_scheduler_type=config.lr_scheduler_type,
            warmup_steps=config.warmup_steps,
            weight_decay=config.weight_decay,
            adam_beta2=config.adam_beta2,
            max_grad_norm=config.max_grad_norm,
            max_length=config.max_prompt_length + config.max_completion_length,
            completion_only_loss=True,
            logging_steps=config.logging_steps,
            train_sampling_strategy="group_by_length",  # batches with little padding
            pad_to_multiple_of=_PAD,
            save_steps=config.save_steps,
            save_total_limit=1,
            report_to=list(config.report_to) or "none",
            seed=config.seed,
            bf16=fast_bfloat16(),
            use_cpu=not gpu,
            dataloader_pin_memory=gpu,
            gradient_checkpointing=config.gradient_checkpointing,
            disable_tqdm=True,
        ),
        train_dataset=Dataset.from_list(fitting),
        processing_class=plan.tokenizer,
    )
    trainer.remove_callback(PrinterCallback)
    report_in_one_folder(trainer)
    trainer.add_callback(_Log(folder / LOG))
    trainer.add_callback(_Complete(run))
    if not gpu:
        trainer.add_callback(KeptMemory())
    trainer.add_callback(Progress(folder / LOG, OF_SFT))
    if config.eval_steps:
        trainer.add_callback(
            Evaluations(
                lambda: agent.evaluate(temperature=0.0, progress="evaluating"),
                every=config.eval_steps,
                trainer=trainer,
                process=this_process(),
            )
        )
    trainer.train(resume_from_checkpoint=str(checkpoint) if checkpoint else None)
    agent.save(folder / MODEL)
    for saved in folder.glob("checkpoint-*"):
        shutil.rmtree(saved)
    return folder / MODEL


def _row(lesson: Lesson, plan: Plan, config: Config) -> dict[str, Any] | None:
    """Makes a row of the data set; None if the answer is longer than ``max_completion_length``."""
    answer = lesson.answer
    if answer_length(answer, plan.tokenizer) > config.max_completion_length:
        return None
    prompt = render(plan.episodes.prompts.text(lesson.problem), plan.tokenizer)
    if isinstance(prompt, str):
        # A tokenizer may append tokens to every text. Encode the prompt apart from the answer, as generation does.
        asked = list(plan.tokenizer(prompt).input_ids)
        said = [*plan.tokenizer(answer, add_special_tokens=False).input_ids, plan.tokenizer.eos_token_id]
        return {"input_ids": asked + said, "completion_mask": [0] * len(asked) + [1] * len(said)}
    return {"prompt": prompt, "completion": [{"role": "assistant", "content": answer}]}


@reports_errors(interrupted="interrupted: the same command goes on from the last checkpoint")
def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command. Returns the exit code: 0 done, 2 wrong usage, 3 an infrastructure error, 130 interrupted."""
    parser = parser_of("python -m agents.sft", __doc__)
    parser.add_argument(
        "--from-rollouts",
        "--from_rollouts",
        type=Path,
        metavar="DIR",
        help="learn the passing answers of this run or evaluation",
    )
    quiet_libraries()
    disable_progress_bars()
    config, options = parse(arguments, parser)
    problems = lessons = None
    if options.from_rollouts is not None:
        kept = read_answers(options.from_rollouts)
        answered = {answer.problem.id: answer.problem for answer in kept.answers}
        problems = training_set(config, ProblemSet(answered.values(), name=str(options.from_rollouts)))
        lessons = own_answers(kept)
        print("".join(f"note: {note}\n" for note in kept.notes), end="")
    with GRPOAgent(problems, config=config) as agent:
        folder = train(agent, lessons)
        reached = agent.evaluate(temperature=0.0, progress="evaluating")
    print(f"done: the model is in {folder}; greedy {reached}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Makes the weights of the tiny policy: SFT on references, from nothing.

    python -m agents.tiny.make_weights --out DIR
"""

from __future__ import annotations

import argparse
import math
import random
from collections.abc import Iterator, Sequence
from pathlib import Path

import torch
from tqdm import tqdm
from transformers import PreTrainedTokenizerFast, Qwen2ForCausalLM

from agents.tiny.model import make_model, make_tokenizer, sample
from agents.tiny.tasks import PROMPTS, SEEN, Split, tiny_tasks
from ocaml_env import RewardSpec, Verifier
from ocaml_env.episode import judge_many
from ocaml_env.problem import Problem

Example = tuple[list[int], int]
"""Token ids of a prompt and its answer, and how many of them are the prompt's."""


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--out", type=Path, required=True, help="folder for the weights")
    parser.add_argument("--problems", type=int, default=6000, help="problems to learn from")
    parser.add_argument("--steps", type=int, default=1500)
    parser.add_argument("--batch", type=int, default=32, help="problems a step")
    parser.add_argument("--lr", type=float, default=2e-3, help="the highest learning rate")
    parser.add_argument("--hidden", type=int, default=128)
    parser.add_argument("--layers", type=int, default=4)
    parser.add_argument("--heads", type=int, default=4)
    parser.add_argument("--vocabulary", type=int, default=1024, help="tokens at most")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--every", type=int, default=0, help="keep the weights of each so many steps, in OUT/STEP")
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args(arguments)

    torch.set_num_threads(options.threads)
    torch.manual_seed(options.seed)
    problems = list(tiny_tasks(Split.SFT, options.problems))
    texts = [text for problem in problems for text in (PROMPTS.text(problem), problem.reference)]
    tokenizer = make_tokenizer(texts, vocabulary=options.vocabulary)
    model = make_model(tokenizer, hidden=options.hidden, layers=options.layers, heads=options.heads)
    size = sum(weight.numel() for weight in model.parameters())
    print(f"{len(problems)} problems, {len(tokenizer)} tokens, {size:,} weights")

    held_out = list(tiny_tasks(Split.HELD_OUT, 40 * len(SEEN)))
    optimizer = torch.optim.AdamW(model.parameters(), lr=options.lr, betas=(0.9, 0.95), weight_decay=0.1)
    batches = _batches([_example(tokenizer, problem) for problem in problems], options.batch, random.Random(options.seed))
    average = 0.0
    with tqdm(total=options.steps, unit="step") as bar, Verifier(workers=1) as verifier:
        for step in range(1, options.steps + 1):
            rate = options.lr * _schedule(step, options.steps)
            for group in optimizer.param_groups:
                group["lr"] = rate
            loss = _loss(model, next(batches), tokenizer.pad_token_id)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
            average += (loss.item() - average) / min(step, 50)
            bar.set_postfix(loss=f"{average:.4f}", refresh=False)
            bar.update()
            if (options.every and step % options.every == 0) or step == options.steps:
                last = step == options.steps
                _save(model, tokenizer, options.out if last else options.out / str(step))
                passed = [_pass_rate(model, tokenizer, held_out, verifier, heat) for heat in (1.0, 0.0)]
                bar.write(f"step {step}: loss {average:.4f}, held-out pass@1 {passed[0]:.1%}, greedy {passed[1]:.1%}")


def _example(tokenizer: PreTrainedTokenizerFast, problem: Problem) -> Example:
    prompt = tokenizer(PROMPTS.text(problem))["input_ids"]
    answer = tokenizer(problem.reference, add_special_tokens=False)["input_ids"]
    return [*prompt, *answer, tokenizer.eos_token_id], len(prompt)


def _batches(examples: list[Example], size: int, dice: random.Random) -> Iterator[list[Example]]:
    """Batches without end, of examples of like length so that little of a batch is padding."""
    while True:
        dice.shuffle(examples)
        stretch = 32 * size
        epoch = []
        for start in range(0, len(examples), stretch):
            alike = sorted(examples[start : start + stretch], key=lambda example: len(example[0]))
            epoch += [alike[place : place + size] for place in range(0, len(alike), size)]
        dice.shuffle(epoch)
        yield from epoch


def _loss(model: Qwen2ForCausalLM, batch: list[Example], pad: int) -> torch.Tensor:
    """Mean cross entropy of the answers' tokens. Logits are computed of those alone."""
    longest = max(len(ids) for ids, _ in batch)
    ids = torch.tensor([ids + [pad] * (longest - len(ids)) for ids, _ in batch])
    places = torch.arange(1, longest)
    starts = torch.tensor([start for _, start in batch])[:, None]
    ends = torch.tensor([len(ids) for ids, _ in batch])[:, None]
    answers = (places >= starts) & (places < ends)
    # Padding is on the right, where causal attention never looks from an answer: no mask is needed.
    states = model.model(input_ids=ids).last_hidden_state[:, :-1]
    return torch.nn.functional.cross_entropy(model.lm_head(states[answers]), ids[:, 1:][answers])


def _schedule(step: int, steps: int) -> float:
    """Linear warm-up over 5% of the steps, then a cosine down to a tenth."""
    warm = max(1, steps // 20)
    if step <= warm:
        return step / warm
    return 0.1 + 0.45 * (1 + math.cos(math.pi * (step - warm) / max(1, steps - warm)))


def _pass_rate(
    model: Qwen2ForCausalLM,
    tokenizer: PreTrainedTokenizerFast,
    problems: Sequence[Problem],
    verifier: Verifier,
    temperature: float,
) -> float:
    model.eval()
    answers = sample(model, tokenizer, [PROMPTS.text(p) for p in problems], temperature=temperature, seed=0)
    model.train()
    judged = judge_many(
        zip(problems, answers, strict=True), verifier=verifier, reward=RewardSpec.preset("binary")
    )
    return sum(judgement.verdict.passed for judgement in judged) / len(judged)


def _save(model: Qwen2ForCausalLM, tokenizer: PreTrainedTokenizerFast, folder: Path) -> None:
    """In half precision, which costs no pass rate and halves the file. The model itself stays as it is."""
    half = Qwen2ForCausalLM(model.config)
    half.load_state_dict(model.state_dict())
    half.generation_config = model.generation_config
    half.to(torch.float16).save_pretrained(folder)
    tokenizer.save_pretrained(folder)


if __name__ == "__main__":
    main()

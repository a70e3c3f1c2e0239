"""Makes the weights of the tiny policy: supervised training on references, from random weights.

The weights in the repository come from ::

    python -m agents.tiny.make_weights --out agents/tiny/weights --stop 600 --problems 2400

It takes about six minutes on one core, and as long again to draw the problems the first time. It begins with copying
random tokens, because most of a reference is copied from the statement. It stops early on purpose: the policy then
writes OCaml of the right form, but with wrong names and numbers, and can still learn from the reward. Its progress, by
120 held-out samples of ``SEEN``::

    step   loss on references   pass@1 at T = 1   greedy
     200   0.732                 3%               10%
     300   0.411                 8%               10%
     400   0.279                14%               21%
     600   0.190                17%               25%

Other machines may get other weights, because sums may differ in their last bits.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator, Sequence
from pathlib import Path

import torch
from tqdm import tqdm
from transformers import LlamaForCausalLM, PreTrainedTokenizerFast

from agents.evaluation import evaluate
from agents.tiny.model import MAX_COMPLETION_TOKENS, make_model, make_tokenizer
from agents.tiny.tasks import PROMPTS, SEEN, Split, tiny_tasks
from ocaml_env import RewardSpec, Verifier
from ocaml_env.episode import EpisodeSpec
from ocaml_env.evaluation.models.hf import LanguagePolicy, Sampling
from ocaml_env.problem import Problem

Example = tuple[list[int], int]
"""Token ids of a prompt with its answer, and the number of tokens of the prompt."""


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--out", type=Path, required=True, help="folder for the weights")
    parser.add_argument("--problems", type=int, default=6_000, help="problems to learn from")
    parser.add_argument("--copies", type=int, default=240, help="steps of copying before the problems")
    parser.add_argument("--steps", type=int, default=1500, help="steps of the learning rate's schedule")
    parser.add_argument("--stop", type=int, default=0, help="end after this many steps; 0: after all")
    parser.add_argument("--batch", type=int, default=16, help="problems a step")
    parser.add_argument("--lr", type=float, default=5e-3, help="the highest learning rate")
    parser.add_argument("--hidden", type=int, default=128)
    parser.add_argument("--layers", type=int, default=4)
    parser.add_argument("--heads", type=int, default=4)
    parser.add_argument("--vocabulary", type=int, default=1024, help="tokens at most")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--every", type=int, default=0, help="also save the weights every so many steps, in OUT/STEP; 0: never"
    )
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args(arguments)

    torch.set_num_threads(options.threads)
    torch.manual_seed(options.seed)
    problems = list(tiny_tasks(Split.SFT, options.problems, families=SEEN))
    texts = [text for problem in problems for text in (PROMPTS.text(problem), problem.reference)]
    tokenizer = make_tokenizer(texts, vocabulary=options.vocabulary)
    model = make_model(tokenizer, hidden=options.hidden, layers=options.layers, heads=options.heads)
    size = sum(weight.numel() for weight in model.parameters())
    print(f"{len(problems)} problems, {len(tokenizer)} tokens, {size:,} weights")

    held_out = list(tiny_tasks(Split.HELD_OUT, 20 * len(SEEN)))
    optimizers = _optimizers(model, options.lr)
    dice = random.Random(options.seed)
    batches = _batches([_example(tokenizer, problem) for problem in problems], options.batch, dice)
    stop = options.stop or options.steps
    steps = range(1 - options.copies, stop + 1)
    average = 0.0
    with tqdm(steps, unit="step") as bar, Verifier(workers=1) as verifier:
        for step in bar:
            batch = next(batches) if step > 0 else _copies(tokenizer, 2 * options.batch, dice)
            rate = options.lr * _schedule(step + options.copies, options.copies + options.steps)
            for group in (group for optimizer in optimizers for group in optimizer.param_groups):
                group["lr"] = rate
            loss = _loss(model, batch, tokenizer.pad_token_id)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            for optimizer in optimizers:
                optimizer.step()
            model.zero_grad(set_to_none=True)
            average += (loss.item() - average) / min(step - steps[0] + 1, 50)
            bar.set_postfix(loss=f"{average:.4f}", refresh=False)
            if step == stop or (step > 0 and options.every and step % options.every == 0):
                _save(model, tokenizer, options.out if step == stop else options.out / str(step))
                passed = [_pass_rate(model, tokenizer, held_out, verifier, heat) for heat in (1.0, 0.0)]
                bar.write(f"step {step}: loss {average:.4f}, held-out pass@1 {passed[0]:.1%}, greedy {passed[1]:.1%}")


def _optimizers(model: LlamaForCausalLM, rate: float) -> list[torch.optim.Optimizer]:
    """Muon for the matrices of the layers, and AdamW for the rest. Muon needs half as many steps as AdamW there."""
    matrices = [weight for weight in model.model.layers.parameters() if weight.ndim == 2]
    rest = [weight for weight in model.parameters() if not any(weight is matrix for matrix in matrices)]
    return [
        torch.optim.Muon(matrices, lr=rate, weight_decay=0.01, adjust_lr_fn="match_rms_adamw"),
        torch.optim.AdamW(rest, lr=rate, betas=(0.9, 0.95), weight_decay=0.01),
    ]


def _example(tokenizer: PreTrainedTokenizerFast, problem: Problem) -> Example:
    prompt = tokenizer(PROMPTS.text(problem))["input_ids"]
    answer = tokenizer(problem.reference, add_special_tokens=False)["input_ids"]
    return [*prompt, *answer, tokenizer.eos_token_id], len(prompt)


def _copies(tokenizer: PreTrainedTokenizerFast, n: int, dice: random.Random) -> list[Example]:
    """Makes examples of copying random tokens, because most of a reference stands in the statement."""
    length = dice.randint(16, 40)
    tokens = range(len(tokenizer.all_special_ids), len(tokenizer))
    drawn = [dice.choices(tokens, k=length) for _ in range(n)]
    return [
        ([tokenizer.bos_token_id, *text, tokenizer.sep_token_id, *text, tokenizer.eos_token_id], length + 2)
        for text in drawn
    ]


def _batches(examples: list[Example], size: int, dice: random.Random) -> Iterator[list[Example]]:
    """Yields batches without end, of examples of similar length, for little padding."""
    while True:
        dice.shuffle(examples)
        stretch = 32 * size
        epoch = []
        for start in range(0, len(examples), stretch):
            alike = sorted(examples[start : start + stretch], key=lambda example: len(example[0]))
            epoch += [alike[place : place + size] for place in range(0, len(alike), size)]
        dice.shuffle(epoch)
        yield from epoch


def _loss(model: LlamaForCausalLM, batch: list[Example], pad: int) -> torch.Tensor:
    """Mean cross entropy of the answers' tokens. Computes logits only for these."""
    longest = max(len(ids) for ids, _ in batch)
    ids = torch.tensor([ids + [pad] * (longest - len(ids)) for ids, _ in batch])
    places = torch.arange(1, longest)
    starts = torch.tensor([start for _, start in batch])[:, None]
    ends = torch.tensor([len(ids) for ids, _ in batch])[:, None]
    answers = (places >= starts) & (places < ends)
    # Padding is on the right, and causal attention does not look there: no mask is needed.
    states = model.model(input_ids=ids).last_hidden_state[:, :-1]
    return torch.nn.functional.cross_entropy(model.lm_head(states[answers]), ids[:, 1:][answers])


def _schedule(step: int, steps: int) -> float:
    """Linear warm-up over 30 steps; from the middle on, a linear decay to a tenth."""
    return min(1.0, step / 30, 0.1 + 1.8 * (1 - step / steps))


def _pass_rate(
    model: LlamaForCausalLM,
    tokenizer: PreTrainedTokenizerFast,
    problems: Sequence[Problem],
    verifier: Verifier,
    temperature: float,
) -> float:
    model.eval()
    policy = LanguagePolicy(model, tokenizer, Sampling(temperature=temperature, max_tokens=MAX_COMPLETION_TOKENS))
    spec = EpisodeSpec(prompts=PROMPTS)
    reached = evaluate(policy, problems, verifier=verifier, reward=RewardSpec.preset("binary"), spec=spec)
    model.train()
    return reached.pass_rate


def _save(model: LlamaForCausalLM, tokenizer: PreTrainedTokenizerFast, folder: Path) -> None:
    """Saves a copy in half precision: it halves the file and costs no pass rate. ``model`` itself stays as it is."""
    half = LlamaForCausalLM(model.config)
    half.load_state_dict(model.state_dict())
    half.generation_config = model.generation_config
    half.to(torch.float16).save_pretrained(folder)
    tokenizer.backend_tokenizer.no_padding()  # sampling switched it on, and the file would keep it
    tokenizer.save_pretrained(folder)


if __name__ == "__main__":
    main()

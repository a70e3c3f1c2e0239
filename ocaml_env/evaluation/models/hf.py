"""A causal language model as an agent: observations become prompts, prompts become tokens, tokens become completions.

Training, evaluation and ``act`` share one rendering. An observation is a chat if the tokenizer has a chat template,
with solved problems as turns of their own; else it is the beginning of a text.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import torch
from peft import PeftConfig, PeftModel
from transformers import (
    AutoConfig,
    AutoModelForCausalLM,
    AutoTokenizer,
    GenerationConfig,
    StoppingCriteriaList,
    StopStringCriteria,
)

from ocaml_env.errors import ConfigError
from ocaml_env.evaluation.models.base import NAMED
from ocaml_env.evaluation.models.generating import TokenCounter, evaluating, generate_shrinking, seeded
from ocaml_env.evaluation.models.prefix_cache import PrefixCache
from ocaml_env.extract import Completion
from ocaml_env.prompt import Message, Prompt

__all__ = [
    "LanguagePolicy",
    "Sampling",
    "base_of",
    "encode",
    "end_tokens",
    "fast_bfloat16",
    "is_adapter",
    "load_policy",
    "load_tokenizer",
    "locate",
    "render",
]


@dataclass(frozen=True, kw_only=True)
class Sampling:
    """Settings of sampling.

    Attributes:
        temperature: 0 is greedy.
        top_p: share of probability to sample from.
        max_tokens: most tokens of one completion; a longer one is truncated.
        batch_size: completions generated together.
        seed: with the same seed, observations and batch size a machine gives the same completions.
        stop: texts that end a completion; it ends before the first of them.
    """

    temperature: float = 1.0
    top_p: float = 1.0
    max_tokens: int = 512
    batch_size: int = 32
    seed: int = 0
    stop: tuple[str, ...] = ()


class LanguagePolicy:
    """A model and its tokenizer as an ``Agent``.

    Attributes:
        model: any ``transformers`` causal model, with or without an adapter.
        tokenizer: its tokenizer.
        sampling: settings of sampling; ``with_sampling`` changes them.
        prefixes: cache of the prompts' common prefix, or None.
        drawn: number of batches so far; this number and the seed decide the next one.
    """

    def __init__(
        self, model: Any, tokenizer: Any, sampling: Sampling | None = None, prefixes: PrefixCache | None = None
    ) -> None:
        self.model = model
        self.tokenizer = tokenizer
        self.sampling = sampling or Sampling()
        self.prefixes = prefixes
        self.drawn = 0

    def with_sampling(self, **changes: Any) -> LanguagePolicy:
        """Returns the same model with other settings of sampling."""
        return LanguagePolicy(self.model, self.tokenizer, replace(self.sampling, **changes), self.prefixes)

    def sharing_prefixes(self) -> LanguagePolicy:
        """Returns the same policy, faster if prompts begin alike. Use it only while the weights stay unchanged."""
        return LanguagePolicy(self.model, self.tokenizer, self.sampling, PrefixCache(self.model))

    def act(self, observations: Sequence[str]) -> list[Completion]:
        """Returns one completion for each observation, in order; equal observations get independent samples."""
        return [completion for completion, _ in self.generate(observations)]

    def generate(
        self, observations: Sequence[str], *, on_token: Callable[[int], None] | None = None
    ) -> list[tuple[Completion, int]]:
        """Generates completions, each with its number of tokens, in batches of prompts of similar length.

        Args:
            observations: the prompts.
            on_token: called after each token of a batch, with the number of tokens so far of each completion.
        """
        prompts = [encode(observation, self.tokenizer) for observation in observations]
        order = sorted(range(len(prompts)), key=lambda index: len(prompts[index]))
        made: list[tuple[Completion, int]] = [(Completion(""), 0)] * len(prompts)
        for start in range(0, len(order), self.sampling.batch_size):
            batch = order[start : start + self.sampling.batch_size]
            drawn = self._batch([prompts[index] for index in batch], on_token)
            for index, (text, ended, tokens) in zip(batch, drawn, strict=True):
                made[index] = (Completion(_prefill(observations[index]) + text, truncated=not ended), tokens)
        return made

    def _batch(self, prompts: list[list[int]], on_token: Callable[[int], None] | None) -> list[tuple[str, bool, int]]:
        sampling, ends = self.sampling, end_tokens(self.model, self.tokenizer)
        longest = max(map(len, prompts))
        pad = self.tokenizer.pad_token_id
        drawn = sampling.temperature > 0
        settings = GenerationConfig(
            max_new_tokens=sampling.max_tokens,
            do_sample=drawn,
            pad_token_id=pad,
            eos_token_id=ends,
            repetition_penalty=1.0,  # without it the model's own setting holds; training has none
            **(dict(temperature=sampling.temperature, top_p=sampling.top_p, top_k=0) if drawn else {}),
        )
        # Made once: it reads the whole vocabulary, in a third of a second.
        stopping = [StopStringCriteria(self.tokenizer, list(sampling.stop))] if sampling.stop else []
        device = self.model.device
        with evaluating(self.model), seeded(sampling.seed + self.drawn), torch.inference_mode():
            shared, cache = self.prefixes.of(prompts) if self.prefixes is not None else (0, None)
            gaps = [longest - len(ids) for ids in prompts]  # between the common prefix and the rest
            inputs = [ids[:shared] + [pad] * gap + ids[shared:] for ids, gap in zip(prompts, gaps, strict=True)]
            mask = [[1] * shared + [0] * gap + [1] * (longest - shared - gap) for gap in gaps]
            answers = generate_shrinking(
                self.model,
                torch.tensor(inputs, device=device),
                torch.tensor(mask, device=device),
                # An answer that ended at a stop text has no end token; it is padded to the length of the longest.
                ended=lambda ids: self._ended(ids, [*ends, pad]),
                past_key_values=cache,
                generation_config=settings,
                stopping_criteria=StoppingCriteriaList(stopping),
                streamer=None if on_token is None else TokenCounter(on_token),
            )
        self.drawn += 1
        return [self._read(ids, [*ends, pad]) for ids in answers]

    def _ended(self, ids: list[int], ends: list[int]) -> bool:
        """True if an answer has reached an end token or a stop text."""
        if any(end in ids for end in ends):
            return True
        return any(stop in self.tokenizer.decode(ids, skip_special_tokens=True) for stop in self.sampling.stop)

    def _read(self, ids: list[int], ends: list[int]) -> tuple[str, bool, int]:
        """The text up to its end token or stop text; True if it reached one; the number of tokens."""
        end = next((place for place, token in enumerate(ids) if token in ends), None)
        kept = ids if end is None else ids[:end]
        text = self.tokenizer.decode(kept, skip_special_tokens=True)
        places = [place for stop in self.sampling.stop if (place := text.find(stop)) >= 0]
        if places:
            return text[: min(places)], True, len(kept)
        # A stop text that began in the prompt is not in the answer, but leaves it shorter than allowed.
        return text, end is not None or len(ids) < self.sampling.max_tokens, len(kept) + (end is not None)


def render(observation: str, tokenizer: Any) -> str | list[Message]:
    """Renders an observation: as chat messages if the tokenizer has a chat template, else as text."""
    prompt = observation if isinstance(observation, Prompt) else Prompt(observation)
    return str(prompt) if tokenizer.chat_template is None else list(prompt.messages)


def encode(observation: str, tokenizer: Any) -> list[int]:
    """Returns the tokens of a prompt, as in training, and of the answer's beginning."""
    prompt = render(observation, tokenizer)
    if isinstance(prompt, str):
        return list(tokenizer(observation.begun if isinstance(observation, Prompt) else prompt)["input_ids"])
    rendered = tokenizer.apply_chat_template(prompt, add_generation_prompt=True, return_dict=True)
    begins = _prefill(observation)
    more = tokenizer(begins, add_special_tokens=False)["input_ids"] if begins else []
    return [*rendered["input_ids"], *more]


def _prefill(observation: str) -> str:
    return observation.prefill if isinstance(observation, Prompt) else ""


def end_tokens(model: Any, tokenizer: Any) -> list[int]:
    """Returns the tokens that end a completion: the tokenizer's and the model's."""
    declared = model.generation_config.eos_token_id
    declared = [] if declared is None else [declared] if isinstance(declared, int) else list(declared)
    return list(dict.fromkeys([tokenizer.eos_token_id, *declared]))


def load_policy(spec: str, *, dtype: str = "auto", sampling: Sampling | None = None) -> LanguagePolicy:
    """Loads a policy from a folder (full weights, an adapter, or a GGUF file), a hub id, or a name in ``NAMED``.

    Raises:
        ConfigError: if there is no such model; the message names the searched places.
    """
    place = locate(spec)
    tokenizer = load_tokenizer(spec)
    kind = _dtype(dtype)
    try:
        if is_adapter(place):
            # Not AutoPeftModelForCausalLM: it freezes the adapter, and cuts the embeddings to the tokenizer's length.
            model = AutoModelForCausalLM.from_pretrained(base_of(place), dtype=kind)
            model = PeftModel.from_pretrained(model, str(place), is_trainable=True)
        elif isinstance(place, Path) and place.suffix == ".gguf":
            model = AutoModelForCausalLM.from_pretrained(place.parent, gguf_file=place.name, dtype=kind)
            forget_quantization(model)
        else:
            model = AutoModelForCausalLM.from_pretrained(place, dtype=kind)
    except (OSError, ValueError) as error:
        raise ConfigError(f"the model {spec!r} cannot be loaded: {error}") from None
    if torch.cuda.is_available():
        model = model.to("cuda")
    return LanguagePolicy(model, tokenizer, sampling)


def load_tokenizer(spec: str) -> Any:
    """Loads the tokenizer of a model, with padding on the left.

    Raises:
        ConfigError: if there is none.
    """
    place = locate(spec)
    try:
        if isinstance(place, Path) and place.suffix == ".gguf":
            tokenizer = AutoTokenizer.from_pretrained(place.parent, gguf_file=place.name, padding_side="left")
        else:
            tokenizer = AutoTokenizer.from_pretrained(place, padding_side="left")
    except (OSError, ValueError) as error:
        raise ConfigError(f"the model {spec!r} has no tokenizer that can be loaded: {error}") from None
    if tokenizer.pad_token is None:
        tokenizer.pad_token = tokenizer.eos_token
    return tokenizer


def locate(spec: str) -> Path | str:
    """Finds a model: returns its folder or file, or its id on the hub.

    Raises:
        ConfigError: if there is no such folder, and the hub has no such id or is out of reach.
    """
    if spec in NAMED:
        return NAMED[spec]
    path = Path(spec).expanduser()
    if path.exists():
        if path.is_dir() and not any((path / name).exists() for name in ("config.json", "adapter_config.json")):
            raise ConfigError(f"the folder {spec!r} holds no model: neither config.json nor adapter_config.json")
        return path
    if spec == "tiny":
        raise ConfigError(
            "the tiny policy comes with a checkout: `python -m benchmarks.evaluate` takes it, and the options of "
            "`ocaml-env evaluate`"
        )
    if spec.startswith((".", "/", "~")) or spec.count("/") != 1:
        raise ConfigError(f"there is no model {spec!r}: no such folder, and a hub id is OWNER/NAME")
    try:
        AutoConfig.from_pretrained(spec)
    except (OSError, ValueError) as error:
        reason = str(error).strip().splitlines()[0]
        raise ConfigError(
            f"there is no folder {spec!r}, and the hub does not give a model of that id: {reason}"
        ) from None
    return spec


def forget_quantization(model: Any) -> None:
    """Turns a model from a GGUF file into an ordinary one, ready to save and train."""
    if hasattr(model.config, "quantization_config"):
        del model.config.quantization_config
    model.hf_quantizer = None
    model.is_quantized = False


def is_adapter(place: Path | str) -> bool:
    """True if a model of ``locate`` is only an adapter."""
    return isinstance(place, Path) and (place / "adapter_config.json").exists()


def base_of(place: Path | str) -> Path | str:
    """Returns the base model of an adapter; any other model itself."""
    return PeftConfig.from_pretrained(str(place)).base_model_name_or_path if is_adapter(place) else place


def fast_bfloat16() -> bool:
    """True if this machine multiplies bfloat16 faster than float32: a GPU, or a CPU with instructions for it.

    Intel has them as AMX, AMD since Zen 4 in AVX-512. On two cores of a Zen 5 large products took a quarter of the
    time.
    """
    has = torch.cpu.get_capabilities()
    return torch.cuda.is_available() or bool(has.get("amx_bf16") or has.get("avx512_bf16"))


def _dtype(name: str) -> torch.dtype:
    if name == "auto":
        return torch.bfloat16 if torch.cuda.is_available() else torch.float32
    return getattr(torch, name)


def set_threads(threads: int) -> None:
    """Sets torch's threads; 0 chooses a number.

    On a small CPU the spinning of OpenMP collides with the verifier's processes: for the tiny policy one thread was
    measured to be 9 times as fast as two. A model of 100 million parameters computes for minutes between two
    verifications, and is faster with all threads.
    """
    if threads:
        torch.set_num_threads(threads)
    elif not torch.cuda.is_available() and (os.cpu_count() or 1) <= 4:
        torch.set_num_threads(1)

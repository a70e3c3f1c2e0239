"""Models in this process: transformers, and vLLM if it is installed.

Both render prompts as in training: by the model's chat template if it has one.
"""

from __future__ import annotations

import importlib
import importlib.util
import time
from collections.abc import Sequence
from typing import Any

import torch
import transformers

from ocaml_env.errors import ConfigError, EngineError
from ocaml_env.evaluation.models.base import Answer, Request, Sampling, ThreadModel
from ocaml_env.evaluation.models.hf import (
    encode,
    fast_bfloat16,
    is_adapter,
    load_policy,
    load_tokenizer,
    locate,
    set_threads,
)
from ocaml_env.extract import Completion
from ocaml_env.extract.turns import after_thinking

__all__ = ["Transformers", "VLLMModel"]


class Transformers(ThreadModel):
    """A language policy, see ``LanguagePolicy``.

    The seed of its first request decides a batch, so equal batches give equal answers.

    Raises:
        ConfigError: if there is no such model.
    """

    def __init__(self, name: str, sampling: Sampling, batch: int, dtype: str, threads: int) -> None:
        super().__init__()
        transformers.logging.disable_progress_bar()
        set_threads(threads)
        self.batch, self._sampling = batch, sampling
        dtype = "bfloat16" if dtype == "auto" and fast_bfloat16() else dtype
        policy = load_policy(name, dtype=dtype).sharing_prefixes()
        if sampling.continues:
            policy.tokenizer.chat_template = None  # without a template it continues a text
        self.chats = policy.tokenizer.chat_template is not None
        self._policy = policy.with_sampling(
            temperature=sampling.temperature,
            top_p=sampling.top_p,
            max_tokens=sampling.most_tokens,
            batch_size=batch,
            stop=sampling.stops(chats=self.chats),
        )

    def answer(self, requests: Sequence[Request]) -> list[Answer]:
        start = time.perf_counter()
        policy = self._policy.with_sampling(seed=requests[0].seed)
        tell = self.on_progress
        on_token = None if tell is None else lambda count: tell(f"token {count}")
        try:
            drawn = policy.generate([request.prompt for request in requests], on_token=on_token)
        except torch.OutOfMemoryError as error:  # the prompts of another batch may be shorter
            fault = f"the batch does not fit into memory, and a smaller --batch may: {str(error).splitlines()[0]}"
            return [Answer(fault=fault)] * len(requests)
        latency = (time.perf_counter() - start) / len(requests)
        return [
            _answer(completion, tokens, self._policy.tokenizer, self._sampling, latency) for completion, tokens in drawn
        ]


class VLLMModel(ThreadModel):
    """A model in vLLM: each request has its own seed, and vLLM schedules them.

    Its engine runs in processes of its own; ``close`` ends them.

    Raises:
        ConfigError: if vLLM is not installed, or cannot load the model.
    """

    def __init__(self, name: str, sampling: Sampling, batch: int, dtype: str) -> None:
        super().__init__()
        if importlib.util.find_spec("vllm") is None:
            raise ConfigError(
                "vLLM is not installed: pip install vllm, or run `vllm serve` elsewhere and evaluate openai:NAME"
            )
        place = locate(name)
        if is_adapter(place):
            raise ConfigError(
                f"{name} is an adapter, which vLLM needs merged: python -m agents.export {name} --out FOLDER"
            )
        self.batch = batch
        self._tokenizer = load_tokenizer(name)
        if sampling.continues:
            self._tokenizer.chat_template = None
        self.chats = self._tokenizer.chat_template is not None
        vllm = importlib.import_module("vllm")
        self._sampling = sampling
        self._params = vllm.SamplingParams
        self._died = importlib.import_module("vllm.v1.engine.exceptions").EngineDeadError
        # On a CPU vLLM 0.31 dies if it reads a prompt in two parts and the request has a seed.
        on_cpu = {} if torch.cuda.is_available() else {"enable_chunked_prefill": False}
        try:
            self._llm = vllm.LLM(model=str(place), dtype=dtype, **on_cpu)
        except (OSError, ValueError, RuntimeError) as error:
            raise ConfigError(f"vLLM cannot load {name}: {error}") from None
        self._longest = self._llm.llm_engine.model_config.max_model_len - 1  # room for one token of an answer

    def answer(self, requests: Sequence[Request]) -> list[Answer]:
        prompts = [encode(request.prompt, self._tokenizer) for request in requests]
        asked = [index for index, prompt in enumerate(prompts) if len(prompt) <= self._longest]
        start = time.perf_counter()
        try:
            self._llm.enqueue(
                [{"prompt_token_ids": prompts[index]} for index in asked],
                [self._params_of(requests[index]) for index in asked],
                use_tqdm=False,
            )
            outputs = self._finish(len(asked))
        except self._died as error:
            raise EngineError(f"vLLM's engine died, and its messages above say why: {error}") from None
        latency = (time.perf_counter() - start) / len(requests)
        answers = [
            Answer(fault=f"the prompt has {len(prompt)} tokens, the model takes {self._longest}") for prompt in prompts
        ]
        for index, output in zip(asked, outputs, strict=True):
            (drawn,) = output.outputs
            completion = Completion(
                requests[index].prompt.prefill + drawn.text, truncated=drawn.finish_reason == "length"
            )
            tokens = len(drawn.token_ids)
            answers[index] = _answer(completion, tokens, self._tokenizer, self._sampling, latency)
        return answers

    def _finish(self, count: int) -> list[Any]:
        """Runs vLLM's engine until its ``count`` requests are finished, and returns their outputs in order."""
        engine = self._llm.llm_engine
        outputs: list[Any] = []
        while engine.has_unfinished_requests():
            outputs += [output for output in engine.step() if output.finished]
            if self.on_progress is not None:
                self.on_progress(f"{len(outputs)} of a batch of {count} answered")
        return sorted(outputs, key=lambda output: int(output.request_id))  # vLLM numbers the requests of a process

    def _params_of(self, request: Request) -> object:
        sampling = self._sampling
        return self._params(
            temperature=sampling.temperature,
            top_p=sampling.top_p,
            max_tokens=sampling.most_tokens,
            seed=request.seed,
            stop=list(sampling.stops(chats=self.chats)),
        )

    def close(self) -> None:
        super().close()
        self._llm.llm_engine.engine_core.shutdown()


def _answer(completion: Completion, tokens: int, tokenizer: Any, sampling: Sampling, latency: float) -> Answer:
    """The answer, with the tokens of its thinking counted: all but those of the text after it."""
    rest = after_thinking(completion)
    thinking = 0
    if len(rest) < len(completion):
        thinking = max(0, tokens - len(tokenizer(rest, add_special_tokens=False)["input_ids"]))
    cut_off = completion.truncated or sampling.is_over(tokens, thinking)
    return Answer(
        completion=Completion(completion, truncated=cut_off), tokens=tokens, thinking=thinking, latency=latency
    )

"""Keeps the weights of vLLM's build for CPUs where training can write them.

That build packs the weights of linear layers for its kernels (oneDNN, AMX) once they are loaded. It puts an empty
parameter in their place, or leaves one that is not read any more; a trainer that draws with vLLM writes the weights of
each step into that parameter. Without packing the layers multiply as torch does, from the parameter itself.

On GPUs vLLM leaves the weights of dense layers as they were loaded. Those of mixtures of experts it may rearrange for
FlashInfer's and AITER's kernels; the log's ``sampling/sampling_logp_difference`` shows if so.
"""

from __future__ import annotations

from typing import Any

import torch

from ocaml_env import ConfigError

__all__ = ["keep_weights"]


def keep_weights() -> None:
    """From now on the vLLM of this process packs no linear layer. Only its build for CPUs packs any.

    A model with a layer that has to be packed is a ``ConfigError`` when vLLM loads it.
    """
    from vllm.model_executor.layers import utils

    def dispatch(layer: Any, remove_weight: bool) -> None:
        if layer.weight.ndim != 2:
            raise ConfigError("on a CPU vLLM packs the convolutions of this model: set use_vllm to false")
        layer.cpu_linear = torch.nn.functional.linear

    utils.dispatch_cpu_unquantized_gemm = dispatch

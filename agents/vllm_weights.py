"""Lets training update the weights in vLLM's build for CPUs.

That build packs the weights of linear layers for its kernels (oneDNN, AMX) after loading. It leaves an empty parameter
in their place, or one without effect, and the trainer writes the weights of each step into that parameter. Without
packing, the layers multiply as torch does, by the parameter itself.

On GPUs vLLM leaves the weights of dense layers as loaded. It may rearrange those of mixtures of experts for the kernels
of FlashInfer and AITER; ``sampling/sampling_logp_difference`` in the log then shows it.
"""

from __future__ import annotations

from typing import Any

import torch

from ocaml_env import ConfigError

__all__ = ["keep_weights"]


def keep_weights() -> None:
    """Stops vLLM in this process from packing linear layers. Only its build for CPUs packs any.

    Loading a model with a layer that must be packed then raises ``ConfigError``.
    """
    from vllm.model_executor.layers import utils

    def dispatch(layer: Any, remove_weight: bool) -> None:
        if layer.weight.ndim != 2:
            raise ConfigError("on a CPU vLLM packs the convolutions of this model: set use_vllm to false")
        layer.cpu_linear = torch.nn.functional.linear

    utils.dispatch_cpu_unquantized_gemm = dispatch

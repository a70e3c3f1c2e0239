"""The processes of a training: the place of this one among them, and quiet libraries in it."""

from __future__ import annotations

import warnings

import torch
import transformers
from accelerate import PartialState

__all__ = ["quiet_libraries", "this_process"]


def this_process() -> PartialState:
    """Returns the state of accelerate.

    Without a GPU it needs ``cpu=True``, or each process would count as the only one.
    """
    return PartialState(cpu=not torch.cuda.is_available())


def quiet_libraries() -> None:
    """Silences messages of transformers and TRL that tell a user of a command nothing."""
    warnings.filterwarnings("ignore", category=FutureWarning, module="transformers")  # TRL causes them
    warnings.filterwarnings("ignore", message="You are using 'rollout_func'")
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()

"""The place of this process among the training processes."""

from __future__ import annotations

import torch
from accelerate import PartialState

__all__ = ["this_process"]


def this_process() -> PartialState:
    """Returns the state of accelerate.

    Without a GPU it needs ``cpu=True``, or each process would count as the only one.
    """
    return PartialState(cpu=not torch.cuda.is_available())

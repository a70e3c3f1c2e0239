"""The processes that train together: which one this is, and how many there are."""

from __future__ import annotations

import torch
from accelerate import PartialState

__all__ = ["this_process"]


def this_process() -> PartialState:
    """The state of accelerate; it must be told that there is no GPU, or it takes each process for the only one."""
    return PartialState(cpu=not torch.cuda.is_available())

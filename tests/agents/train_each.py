"""Trains with each of several configurations, one after another: ``accelerate launch -m tests.agents.train_each``."""

from __future__ import annotations

import sys

from agents.grpo import main

if __name__ == "__main__":
    for path in sys.argv[1:]:
        if code := main(["--config", path]):
            sys.exit(code)

"""The GRPO agent, its logs and the training diagnostics. They run from a checkout."""

import agents.tiny  # noqa: F401 - it registers the model and the problems called tiny

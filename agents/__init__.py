"""Things that act and learn: the GRPO agent, its logs, training diagnostics. They run from a checkout."""

import agents.tiny  # noqa: F401 - it registers the model and the problems called tiny

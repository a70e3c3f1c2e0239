"""Things that act and learn: policies, the GRPO agent, its logs and its doctor. They run from a checkout."""

import agents.tiny  # noqa: F401 - it registers the model and the problems called tiny

"""Things that act and learn: policies, the GRPO agent, its logs and its doctor. They run from a checkout."""

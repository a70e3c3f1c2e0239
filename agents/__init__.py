"""Things that act and learn: policies, the GRPO agent, its logs and its doctor.

Run from a checkout: ``python -m agents.grpo``.
"""

"""Measures the project itself: throughput, attacks, rewards, problems. Run from a checkout with ``python -m``."""

"""Things that measure: throughput, exploits, and the evaluation of models. Run from a checkout with ``python -m``."""

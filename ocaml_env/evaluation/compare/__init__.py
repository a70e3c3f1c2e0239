"""Compares two evaluations side by side, for ``ocaml-env compare``."""

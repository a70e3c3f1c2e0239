"""Ranks evaluations, for ``ocaml-env leaderboard``."""

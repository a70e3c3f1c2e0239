"""Evaluations in a row: what ``ocaml-env leaderboard`` finds and shows."""

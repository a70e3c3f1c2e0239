"""Evaluations in a row: what ``benchmarks.leaderboard`` finds and shows."""

"""Protocols of evaluation: prompts and scoring of a set, by our own rules or another benchmark's."""

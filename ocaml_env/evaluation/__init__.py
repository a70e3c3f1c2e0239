"""Evaluates models: samples are drawn, verified, kept in a directory, summarised, compared and ranked."""

"""Evaluates models: draws, verifies and stores samples, then summarises, compares and ranks the results."""

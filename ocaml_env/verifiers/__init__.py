"""Verifiers turn (problem, code) into a verdict: on this machine, on a Ray cluster, or through a service."""

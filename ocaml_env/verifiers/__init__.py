"""Verifiers, which give (problem, code) its verdict: on this machine, on a Ray cluster, or by a service."""

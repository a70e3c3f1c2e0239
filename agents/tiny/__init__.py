"""A policy small enough to be shipped and trained on a CPU, with the problems that it lives on.

Importing this package makes ``tiny`` a model and ``tiny:...`` a source of problems, for training and for evaluations.
"""

from pathlib import Path

from agents.tiny.tasks import read_tiny
from ocaml_env.evaluation.models.base import NAMED
from ocaml_env.problems.sources import register_source

NAMED["tiny"] = Path(__file__).parent / "weights"
register_source("tiny", read_tiny)

"""A policy small enough for the repository and for training on a CPU, with its problems.

Importing this package makes ``tiny`` a model and ``tiny:...`` a source of problems, for training and for evaluations.
"""

from pathlib import Path

from agents.tiny.tasks import read_tiny
from ocaml_env.evaluation.models.base import NAMED
from ocaml_env.problems.sources import register_source

NAMED["tiny"] = Path(__file__).parent / "weights"
register_source("tiny", read_tiny)

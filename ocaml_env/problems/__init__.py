"""Problem sets: their file format, and loading from the bundled suite, generators, files and data sets."""

from ocaml_env.problems.format import format_problem, parse_problem, read_problem
from ocaml_env.problems.load import ProblemSet, load_problems, to_jsonl

__all__ = ["ProblemSet", "format_problem", "load_problems", "parse_problem", "read_problem", "to_jsonl"]

"""Generated problems: every family makes fit problems of every level, the same ones for ever, and as many as wanted."""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from test_bundled import stub

from ocaml_env.errors import ConfigError
from ocaml_env.problems import format_problem, load_problems, parse_problem
from ocaml_env.problems.generators import (
    LEVELS,
    Family,
    families,
    generate,
    generate_many,
    parse_source,
    problem_of_id,
)
from ocaml_env.problems.generators.chance import Chance
from ocaml_env.problems.record import problem_to_record
from ocaml_env.verdict import Outcome, Stage

if TYPE_CHECKING:
    from ocaml_env.problem import Problem
    from ocaml_env.verifier import Verifier

every_family = pytest.mark.parametrize("family", families().values(), ids=lambda family: family.name)

TOPICS = frozenset(
    "lists strings arithmetic recursion options-results variants-records pattern-matching trees polymorphism "
    "higher-order folds maps-sets-hashtables modules-functors gadts laziness-seq exceptions mutable-arrays "
    "sorting-searching dynamic-programming graphs parsing-interpreters simulation programs".split()
)

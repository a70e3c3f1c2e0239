"""The fresh track: problems that nobody has seen before, drawn for the weights of one model.

The seed is SHA-256(secret + digest of the weights). Nobody can train on the problems: without the secret of the release
they are unknown, and other weights have other problems. Maintainers commit to a secret in the manifest, and reveal it
with a row.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from ocaml_env.errors import ConfigError
from ocaml_env.problem import Problem

__all__ = ["draw_fresh", "seed_of_weights", "weights_digest"]

_WEIGHTS = (".safetensors", ".bin", ".pt", ".pth", ".gguf")
_DIGEST = re.compile(r"[0-9a-f]{64}")


def weights_digest(place: Path) -> str:
    """SHA-256, in hexadecimal, of a model's weights: of the digest and name of each file, in the order of names.

    Args:
        place: the model's folder, or its only file.

    Raises:
        ConfigError: if no file of weights is there.
    """
    files = [place] if place.is_file() else sorted(file for file in place.iterdir() if file.suffix in _WEIGHTS)
    if not files:
        raise ConfigError(f"{place}: there is no file of weights ({', '.join(_WEIGHTS)})")
    lines = []
    for file in files:
        with file.open("rb") as stream:
            lines.append(f"{hashlib.file_digest(stream, 'sha256').hexdigest()}  {file.name}\n")
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def seed_of_weights(secret: str, weights: str) -> str:
    """SHA-256, in hexadecimal, of the secret followed by the digest of the weights.

    Args:
        secret: any text.
        weights: 64 hexadecimal digits.

    Raises:
        ConfigError: if the secret is empty, or ``weights`` is no such digest.
    """
    if not secret:
        raise ConfigError("the fresh track needs --secret: that of the release, or one of your own")
    if not _DIGEST.fullmatch(weights):
        raise ConfigError(f"--weights is a SHA-256, 64 hexadecimal digits, not {weights!r}")
    return hashlib.sha256(secret.encode() + bytes.fromhex(weights)).hexdigest()


def draw_fresh(seed: str, like: Sequence[Problem]) -> Iterator[Problem]:
    """Draws as many problems of each level as another set has, from evaluation families of generators.

    Level 6 has no generators, so none of its problems.

    Args:
        seed: 64 hexadecimal digits, see ``seed_of_weights``.
        like: the other set.

    Raises:
        ConfigError: if it is no seed.
    """
    if not _DIGEST.fullmatch(seed):
        raise ConfigError("the fresh track is named ocamlcode-1-fresh:SEED, with 64 hexadecimal digits as its seed")
    # Late imports: they take time, and most runs need no generated problems.
    from ocaml_env.problems.drawn import load_generated
    from ocaml_env.problems.generators import LEVELS, Request, families

    held_out = tuple(family for family in families().values() if family.split == "eval")
    counts = Counter(problem.level for problem in like)
    for level in LEVELS:
        if counts[level]:
            number = int(seed, 16) % 10**18  # ids of generated problems take 18 digits
            yield from load_generated(Request(families=held_out, levels=(level,), seed=number, n=counts[level]))

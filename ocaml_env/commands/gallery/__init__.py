"""``ocaml-env gallery``: problems with right and wrong answers, their rewards and feedback, on one page."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tqdm import tqdm

from ocaml_env.commands import AddParser, ExitCode, add_command, natural
from ocaml_env.commands.gallery.exhibit import Exhibit, exhibit
from ocaml_env.commands.gallery.page import page
from ocaml_env.errors import ConfigError
from ocaml_env.problem import Problem
from ocaml_env.problems import load_problems
from ocaml_env.reward import RewardSpec
from ocaml_env.verifiers.base import AuthoringVerifier
from ocaml_env.verifiers.local import Verifier

__all__ = ["add_to", "choose", "one_of_each", "run"]


def add_to(add_parser: AddParser) -> None:
    """Declares the subcommand."""
    parser = add_command(
        add_parser,
        "gallery",
        run,
        help="make a page of problems with right and wrong answers, and what each earns",
        description="Makes one HTML page of problems. Each has its prompt, its reference, the reference with one "
        "fault, the best paid of the answers that give up, the reward of each, and the feedback that a model reads. "
        "The page needs no network.",
        epilog="""\
examples:
  ocaml-env gallery                                    a generated problem of each family and level, and a bundled
                                                       one of each level, topic and kind
  ocaml-env gallery --limit 60                         fewer of them
  ocaml-env gallery 'bundled:eval?level=1-2' --out easy.html
  ocaml-env gallery mine.jsonl                         your own problems

The first gallery draws 370 problems, which takes some minutes. They are kept in the cache folder.""",
    )
    parser.add_argument(
        "sets", metavar="SET", nargs="*", help="show all problems of these sets, sources for load_problems"
    )
    parser.add_argument(
        "--out", type=Path, metavar="FILE", default=Path("gallery.html"), help="the page (default: gallery.html)"
    )
    parser.add_argument("--limit", type=natural, metavar="N", help="the most problems, spread over levels and topics")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="seed of the generated problems (default: 0)")
    parser.add_argument("--workers", type=natural, metavar="N", help="worker processes (default: one for each CPU)")


def run(arguments: argparse.Namespace) -> ExitCode:
    """Evaluates the answers, and writes the page."""
    if not arguments.out.absolute().parent.is_dir():
        raise ConfigError(f"{arguments.out}: there is no folder {arguments.out.parent}")
    chosen = choose(arguments.sets, seed=arguments.seed, limit=arguments.limit)
    reward = RewardSpec.preset("staged")
    with Verifier(workers=arguments.workers) as verifier:
        exhibits = _exhibits(chosen, verifier, reward)
        text = page(exhibits, ocaml_version=verifier.ocaml_version, reward=reward.version)
    arguments.out.write_text(text, encoding="utf-8")
    print(f"{len(exhibits)} problems in {arguments.out}")
    return ExitCode.PASSED


def choose(sets: Sequence[str], *, seed: int = 0, limit: int | None = None) -> list[tuple[str, Problem]]:
    """Returns problems by level, topic and id, each after the name of its set.

    Args:
        sets: sources for ``load_problems``; empty for the usual choice, of generated and bundled problems.
        seed: of the generated problems in the usual choice.
        limit: the most problems, evenly spread over that order; None for all.

    Raises:
        ConfigError: if a set cannot be read or is empty.
    """
    found = [(name, problem) for name in sets for problem in load_problems(name)] if sets else [*_usual(seed)]
    found.sort(key=lambda pair: (pair[1].level_name, pair[1].topics, pair[1].id))
    count = min(limit or len(found), len(found))
    return [found[place * len(found) // count] for place in range(count)]


def one_of_each(seed: int) -> str:
    """The source of one generated problem of each family and level."""
    from ocaml_env.problems.generators import families  # takes time, which other commands need not spend

    places = sum(len(family.levels) for family in families().values())
    return f"generated:all?level=1-5&seed={seed}&n={places}"


def _usual(seed: int) -> Iterator[tuple[str, Problem]]:
    """One generated problem of each family and level, one bundled problem of each level, first topic and kind."""
    for problem in load_problems(one_of_each(seed)):
        yield "generated", problem
    bundled = {(problem.level, problem.topics[0], problem.kind): problem for problem in load_problems("bundled")}
    for problem in bundled.values():
        yield "bundled", problem


def _exhibits(chosen: Sequence[tuple[str, Problem]], verifier: AuthoringVerifier, reward: RewardSpec) -> list[Exhibit]:
    """Evaluates as many problems at a time as the verifier has workers."""

    def one(pair: tuple[str, Problem]) -> Exhibit:
        return exhibit(*pair, verifier=verifier, reward=reward)

    with ThreadPoolExecutor(verifier.workers) as threads:
        try:
            done = threads.map(one, chosen)
            return list(tqdm(done, total=len(chosen), unit="problem", leave=False, disable=not sys.stderr.isatty()))
        except BaseException:
            threads.shutdown(wait=False, cancel_futures=True)
            raise

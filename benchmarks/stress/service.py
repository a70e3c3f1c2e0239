"""Measures the cost of the network: batches evaluated in this process and by a service on this machine, in turns.

    python -m benchmarks.stress.service [--rounds N] [--workers N] [--batch N]

Both evaluate the same mixture of new texts (right answers, type and syntax errors), without a cache and with the same
number of workers. The service is a process of its own (``ocaml-env serve``), and ``RemoteVerifier`` is its client.
Server, client and engine share the machine's cores; a trainer on another machine would not. A round evaluates one batch
in each way, in alternating order, and compares the verdicts; then it evaluates some one after another. CPU times are
those of this process and of the server, without the engine. The target is printed beside the figures; slowness is no
failure.

Exit codes: 0 measured; 1 a verdict differs; 2 wrong usage; 3 something is missing or broken.
"""

from __future__ import annotations

import contextlib
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import psutil
from tqdm import tqdm

from ocaml_env import AnyVerifier, OCamlEnvError, Problem, RemoteVerifier, Verdict, Verifier, load_problems
from ocaml_env.commands import natural, parser_of, reports_errors

__all__ = ["Round", "Server", "candidates", "main", "measure", "serving"]

REQUIRED = 0.90
_ALONE = 40  # candidates of a round that are evaluated one after another

Pairs = list[tuple[Problem, str]]


@dataclass(frozen=True, kw_only=True)
class Server:
    """A service started by this process.

    Attributes:
        process: its process.
        url: its address.
        log: the file with its standard error.
    """

    process: subprocess.Popen[bytes]
    url: str
    log: Path

    def end(self) -> str:
        """Ends it by SIGTERM, as a supervisor does, and returns its log."""
        self.process.terminate()
        self.process.wait()
        return self.log.read_text(encoding="utf-8")


@dataclass(frozen=True, kw_only=True)
class Round:
    """The seconds of one batch.

    Attributes:
        size: number of candidates.
        here: wall seconds in this process.
        service: wall seconds by the service.
        client_cpu: CPU seconds of this process while the service evaluated.
        server_cpu: CPU seconds of the server's process, without its workers.
        alone_here: median wall seconds of one candidate after another, in this process.
        alone_service: the same by the service, a request each.
    """

    size: int
    here: float
    service: float
    client_cpu: float
    server_cpu: float
    alone_here: float
    alone_service: float


@contextlib.contextmanager
def serving(*options: str, environment: dict[str, str] | None = None) -> Iterator[Server]:
    """Runs a service on a free port of this machine during a ``with`` block.

    Raises:
        OCamlEnvError: if it does not start; the message has its log.
    """
    command = [sys.executable, "-m", "ocaml_env", "serve", "--port", "0", *options]
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "log"
        with log.open("wb") as file:
            process = subprocess.Popen(command, stderr=file, env=os.environ | (environment or {}))
        server = Server(process=process, url=_address(process, log), log=log)
        try:
            yield server
        finally:
            server.end()


def _address(process: subprocess.Popen[bytes], log: Path) -> str:
    """Waits for a starting service to log its address, and returns it."""
    while True:
        ended = process.poll() is not None
        said = log.read_text(encoding="utf-8")
        if found := re.search(r"serving at (\S+?),.*\n", said):
            return found[1]
        if ended:
            raise OCamlEnvError(f"the service does not start: {said.strip()}")
        time.sleep(0.02)


def candidates(problems: Sequence[Problem], count: int, *, seed: int) -> Pairs:
    """Makes a mixture of candidates: of four, two are right, one is ill typed and one cut off.

    All texts differ from each other, and from those of other seeds.
    """
    rng = random.Random(seed)
    found = []
    for number in range(count):
        problem = rng.choice(problems)
        code = {2: problem.reference + "\nlet surplus : int = true", 3: problem.reference[:-1] + " ("}.get(
            number % 4, problem.reference
        )
        found.append((problem, f"{code}\n(* {seed}.{number} *)"))
    return found


def measure(problems: Sequence[Problem], *, batch: int, rounds: int, workers: int) -> list[Round]:
    """Evaluates ``rounds`` batches in both ways, after an uncounted batch with every problem.

    Raises:
        OCamlEnvError: if a verdict differs, or the engine or the service fails.
    """
    with (
        serving("--cache", "0", "--workers", str(workers)) as server,
        Verifier(workers=workers, cache_size=0) as here,
        RemoteVerifier(server.url, token="") as service,
    ):
        warm = [(problem, problem.reference) for problem in problems] * (2 * workers)
        _compare(warm, here.verify_many(warm), service.verify_many(warm))
        found = []
        for number in tqdm(range(rounds), desc="rounds", leave=False, disable=None):
            pairs = candidates(problems, batch, seed=number)
            times: dict[str, float] = {}
            verdicts: dict[str, list[Verdict]] = {}
            for way in ("here", "service") if number % 2 else ("service", "here"):
                began, client, server_cpu = time.perf_counter(), time.process_time(), _cpu(server.process.pid)
                verdicts[way] = (here if way == "here" else service).verify_many(pairs)
                times[way] = time.perf_counter() - began
                if way == "service":
                    times["client_cpu"] = time.process_time() - client
                    times["server_cpu"] = _cpu(server.process.pid) - server_cpu
            _compare(pairs, verdicts["here"], verdicts["service"])
            few = candidates(problems, _ALONE, seed=rounds + number)
            times["alone_here"], times["alone_service"] = _alone(few, here), _alone(few, service)
            found.append(Round(size=batch, **times))
    return found


def _alone(pairs: Pairs, verifier: AnyVerifier) -> float:
    """Returns the median wall seconds of one candidate after another."""
    seconds = []
    for problem, code in pairs:
        began = time.perf_counter()
        verifier.verify(problem, code)
        seconds.append(time.perf_counter() - began)
    return median(seconds)


def _compare(pairs: Pairs, here: list[Verdict], service: list[Verdict]) -> None:
    for (problem, _), one, other in zip(pairs, here, service, strict=True):
        if one != other:
            raise _Differs(f"a candidate for {problem.id} is {one.outcome} here and {other.outcome} there")


class _Differs(OCamlEnvError):
    """The verdicts of the two ways differ."""


def _cpu(pid: int) -> float:
    """Returns the CPU seconds of one process, without its children."""
    times = psutil.Process(pid).cpu_times()
    return times.user + times.system


def _print(rounds: Sequence[Round]) -> None:
    print(f"{'round':>5} {'here':>8} {'service':>8}  ratio    (verdicts a second)")
    for number, times in enumerate(rounds, start=1):
        rates = f"{times.size / times.here:>8.0f} {times.size / times.service:>8.0f}"
        print(f"{number:>5} {rates}  {times.here / times.service:.1%}")
    ratio = median(times.here / times.service for times in rounds)
    overall = sum(times.here for times in rounds) / sum(times.service for times in rounds)
    total = sum(times.size for times in rounds)
    print(f"\nmedian of the rounds {ratio:.1%}, all together {overall:.1%}", end="")
    print(f"   at least {REQUIRED:.0%}: {'met' if ratio >= REQUIRED else 'MISSED'}")
    client, server = (
        sum(times.client_cpu for times in rounds) / total,
        sum(times.server_cpu for times in rounds) / total,
    )
    print(f"CPU a candidate: client {client * 1e3:.2f} ms, server {server * 1e3:.2f} ms, beside the engine's own")
    here, service = median(times.alone_here for times in rounds), median(times.alone_service for times in rounds)
    print(f"one candidate after another: {here * 1e3:.1f} ms here, {service * 1e3:.1f} ms by the service (median)")


@reports_errors()
def main(arguments: Sequence[str] | None = None) -> int:
    """Measures, prints, and returns the exit code."""
    parser = parser_of("python -m benchmarks.stress.service", __doc__)
    parser.add_argument("--rounds", type=natural, default=12, help="batches in each way (default: 12)")
    parser.add_argument(
        "--workers", type=natural, default=os.cpu_count() or 1, help="workers of each (default: one a CPU)"
    )
    parser.add_argument("--batch", type=natural, default=256, help="candidates in a batch (default: 256)")
    options = parser.parse_args(arguments)
    problems = load_problems("bundled")
    print(f"batches of {options.batch}, {options.workers} workers, {os.cpu_count()} CPUs")
    if (load := os.getloadavg()[0]) > 0.5:
        print(f"the machine is not idle (load {load:.1f}): rates suffer, and ratios vary")
    try:
        _print(measure(problems, batch=options.batch, rounds=options.rounds, workers=options.workers))
    except _Differs as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

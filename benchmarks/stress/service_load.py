"""Checks a service under load: correct answers, bounded memory and a clean end, with good, bad and hostile requests.

    python -m benchmarks.stress.service_load [--minutes 10] [--connections 200] [--workers N]

It starts a service on this machine, without a cache, and opens many connections at once. They send right and wrong
answers alone and in batches, unusable requests, and attacks (endless loops, memory hogs, floods of output and more).
Some clients break off in the middle, and some send byte by byte. This process evaluates every candidate beforehand. The
check fails (exit code 1) if

- a verdict differs from the one known beforehand, or a status from the expected one;
- a request is not answered within two minutes, or its connection is closed instead;
- a connection that sends byte by byte is left open;
- the memory of the server or of a worker grows: the most in the last third of the time may be at most a tenth more than
  in the third before;
- the service does not end by itself, or leaves a process.

429 is no failure: it is the proper answer to overload, and the client sends the request again after ``Retry-After``.
Exit code 2 means wrong usage, 3 that something is missing or broken.
"""

# Long, because the good, the bad and the hostile clients share one load.

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import random
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import quantiles
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.exploits.attack import attacks
from benchmarks.performance.processes import Process, descendants, is_alive
from benchmarks.stress.connections import Connection, break_off, open_streams
from benchmarks.stress.service import Server, candidates, serving
from ocaml_env import Problem, Verifier, extract, load_problems
from ocaml_env.commands import parser_of, reports_errors
from ocaml_env.problems import to_jsonl
from ocaml_env.verifiers.remote import answers, wire

__all__ = ["Case", "Load", "main"]

PATIENCE = 15.0  # seconds that the service waits for the rest of a request
GROWTH, SLACK_BYTES = 1.10, 16 << 20

_HONEST, _HOSTILE = 200, 40  # numbers of candidates
_SLOW_CONNECTIONS = 4
_ROLES = {1: "server", 2: "reserves", 3: "checkers", 4: "runners"}  # by their depth below this process
_MAX_BODY = 1 << 20


@dataclass(frozen=True, kw_only=True)
class Case:
    """A candidate and its verdict, as JSON; the verdict without its time."""

    item: dict[str, Any]
    verdict: dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class Bad:
    """An unusable request and the expected status."""

    method: str
    path: str
    body: bytes
    status: int
    kind: str = "application/json"


@dataclass(kw_only=True)
class Load:
    """The requests to a service, and counts of its answers.

    Attributes:
        honest: harmless candidates.
        hostile: attacks.
        seconds: durations of answered requests, by sort.
        answers: number of answers, by sort and status.
        candidates: number of verdicts received.
        wrong: the failures found, one line each.
    """

    honest: Sequence[Case]
    hostile: Sequence[Case]
    seconds: dict[str, list[float]] = field(default_factory=dict)
    answers: Counter[tuple[str, int]] = field(default_factory=Counter)
    candidates: int = 0
    wrong: list[str] = field(default_factory=list)

    async def run(self, server: Server, *, connections: int, until: float, seed: int) -> None:
        """Sends requests over ``connections`` connections at once until the time ``until``."""
        bad = _bad(self.honest[0].item)
        async with asyncio.TaskGroup() as tasks:
            for number in range(connections):
                rng = random.Random(seed * 100_003 + number)
                if number < _SLOW_CONNECTIONS:
                    tasks.create_task(self._slowly(server, until))
                else:
                    tasks.create_task(self._ask(server, bad, until, rng))

    async def _ask(self, server: Server, bad: Sequence[Bad], until: float, rng: random.Random) -> None:
        connection = Connection(server)
        await asyncio.sleep(rng.random())
        while time.monotonic() < until:
            dice = rng.random()
            try:
                if dice < 0.45:
                    await self._evaluate(connection, "one", [rng.choice(self.honest)], until)
                elif dice < 0.70:
                    await self._evaluate(connection, "batch", rng.choices(self.honest, k=rng.randint(2, 32)), until)
                elif dice < 0.73:
                    await self._evaluate(connection, "hostile", [rng.choice(self.hostile)], until)
                elif dice < 0.76:
                    await break_off(
                        server, wire.encode({"items": [case.item for case in rng.choices(self.hostile, k=4)]})
                    )
                else:
                    await self._refused(connection, rng.choice(bad))
            except (OSError, EOFError, TimeoutError) as error:
                self.wrong.append(f"a request was not answered: {type(error).__name__} {error}")
                connection.close()
        connection.close()

    async def _evaluate(self, connection: Connection, sort: str, cases: Sequence[Case], until: float) -> None:
        one = len(cases) == 1
        body = wire.encode(cases[0].item if one else {"items": [case.item for case in cases]})
        while True:
            began = time.monotonic()
            status, rest, value = await connection.ask("POST", "/v1/verify" if one else "/v1/verify/batch", body)
            self.answers[sort, status] += 1
            if status != 429:
                break
            if rest < 1:
                self.wrong.append(f"429 says to come back after {rest} s")
            self.seconds.setdefault("429", []).append(time.monotonic() - began)
            if time.monotonic() + rest > until:
                return
            await asyncio.sleep(rest * random.uniform(1.0, 1.5))
        if status != 200:
            self.wrong.append(f"a candidate was answered with {status}: {value!r:.200}")
            return
        self.seconds.setdefault(sort, []).append(time.monotonic() - began)
        verdicts = [value] if one else value["verdicts"]
        if len(verdicts) != len(cases):
            self.wrong.append(f"{len(verdicts)} verdicts for {len(cases)} candidates")
        for case, verdict in zip(cases, verdicts, strict=False):
            if (verdict | {"cpu_seconds": 0}) != case.verdict:
                about = f"{case.item['problem']}: {case.verdict['outcome']} became {verdict['outcome']}"
                self.wrong.append(f"{about}: {case.item['code']!r:.100}")
            self.candidates += 1

    async def _refused(self, connection: Connection, bad: Bad) -> None:
        status, _, value = await connection.ask(bad.method, bad.path, bad.body, kind=bad.kind)
        self.answers["bad", status] += 1
        # A full service refuses requests without reading them.
        if status not in (bad.status, 429) or "error" not in value:
            self.wrong.append(f"{bad.method} {bad.path} {bad.body[:40]!r} was answered with {status}, not {bad.status}")

    async def _slowly(self, server: Server, until: float) -> None:
        """Sends a request byte by byte, and expects the service to close the connection."""
        while time.monotonic() < until:
            reader, writer = await open_streams(server)
            began = time.monotonic()
            writer.write(b"POST /v1/verify HTTP/1.1\r\nHost: [::1]\r\nX-Slow: ")
            with contextlib.suppress(OSError):
                while not reader.at_eof() and time.monotonic() - began < 3 * PATIENCE:
                    writer.write(b"a")
                    await writer.drain()
                    with contextlib.suppress(TimeoutError):
                        await asyncio.wait_for(reader.read(4096), 0.5)
            if time.monotonic() - began >= 3 * PATIENCE:
                self.wrong.append("a connection that sends byte by byte was left open")
            self.answers["slow", 0] += 1
            writer.close()


def _bad(item: dict[str, Any]) -> list[Bad]:
    def post(body: bytes, status: int, **more: Any) -> Bad:
        return Bad(method="POST", path="/v1/verify", body=body, status=status, **more)

    def good_but(**fields: Any) -> bytes:
        return wire.encode(item | fields)

    return [
        post(b'{"problem": "add', 400),
        post(b"\xff\xfe\x00", 400),
        post(b"[" * 100_000, 400),
        post(b"[1, 2, 3]", 422),
        post(good_but(code=7), 422),
        post(good_but(surplus=True), 422),
        post(good_but(code="(" * 300_000), 422),
        post(good_but(limits={"memory_mb": 10**9}), 422),
        post(good_but(problem="no such problem"), 404),
        post(good_but(digest="0" * 64), 409),
        post(good_but(problems=[{"id": "mine"}]), 403),
        post(b" " * (_MAX_BODY + 1), 413),
        post(good_but(), 415, kind="text/plain"),
        Bad(method="GET", path="/v1/verify", body=b"", status=405),
        Bad(method="DELETE", path="/v1/problems", body=b"", status=405),
        Bad(method="GET", path="/../../etc/passwd", body=b"", status=404),
        Bad(method="GET", path="/v1/problems?limit=-1", body=b"", status=422),
    ]


def cases(seed: int) -> tuple[list[Problem], list[Case], list[Case]]:
    """Returns the problems to serve, and honest and hostile candidates with their verdicts.

    Raises:
        OCamlEnvError: if they cannot be evaluated.
    """
    problems = list(load_problems("bundled"))
    honest = candidates(problems, _HONEST, seed=seed)
    tried = [attack for attack in attacks() if attack.filter and not attack.stable]
    rng = random.Random(seed)
    hostile = []
    for attack in rng.sample(tried, _HOSTILE):
        problem = replace(attack.target.problem, id=f"attacked/{attack.target.problem.id}")
        if (code := extract(attack.text, wanted=problem.wanted, kind=problem.kind).code) is not None:
            hostile.append((problem, code[: wire.MAX_CODE_LENGTH]))
    spinning = "let rec spin n = spin (n + 1)\nlet () = ignore (spin 0)"
    hostile.append((problems[0], spinning))
    with Verifier(workers=os.cpu_count(), cache_size=0) as verifier:
        verdicts = verifier.verify_many([*honest, *hostile], progress=sys.stderr.isatty())
    known = [
        Case(item=wire.candidate_to_json(*pair), verdict=wire.decode(wire.encode(answers.Verdict.of(verdict))))
        for pair, verdict in zip([*honest, *hostile], verdicts, strict=True)
    ]
    for case in known:
        case.verdict["cpu_seconds"] = 0
    attacked = {problem.id: problem for problem, _ in hostile if problem.id.startswith("attacked/")}
    return [*problems, *attacked.values()], known[: len(honest)], known[len(honest) :]


async def watch(memory: list[dict[str, int]], seen: dict[tuple[int, float], Process]) -> None:
    """Records once a second the largest resident memory of a process of each role, in bytes."""
    while True:
        found = descendants()
        seen |= {(process.pid, process.started): process for process in found}
        held = dict.fromkeys(_ROLES.values(), 0)
        for process in found:
            if role := _ROLES.get(process.depth):
                held[role] = max(held[role], process.rss_bytes)
        memory.append(held)
        await asyncio.sleep(1.0)


def growth(memory: Sequence[dict[str, int]]) -> list[str]:
    """Describes growth, one line for each role: the most in the last third against the most in the third before."""
    third = len(memory) // 3
    said = []
    for role in _ROLES.values():
        before = max((held[role] for held in memory[third : 2 * third]), default=0)
        after = max((held[role] for held in memory[2 * third :]), default=0)
        if after > before * GROWTH + SLACK_BYTES:
            said.append(f"the {role} grew from {before >> 20} to {after >> 20} MiB")
    return said


async def _run(load: Load, server: Server, options: argparse.Namespace) -> tuple[list[dict[str, int]], float]:
    memory: list[dict[str, int]] = []
    seen: dict[tuple[int, float], Process] = {}
    watching = asyncio.create_task(watch(memory, seen))
    began = time.monotonic()
    await load.run(server, connections=options.connections, until=began + options.minutes * 60, seed=options.seed)
    seconds = time.monotonic() - began
    watching.cancel()
    server.process.terminate()
    if code := await asyncio.to_thread(server.process.wait):
        load.wrong.append(f"the service ended with {code}")
    if said := server.log.read_text(encoding="utf-8").splitlines()[1:]:
        load.wrong.append(f"the service wrote {len(said)} lines into its log, the first of which is: {said[0]}")
    await asyncio.sleep(1.0)
    load.wrong += [f"process {process.pid} is left" for process in seen.values() if is_alive(process)]
    return memory, seconds


def _print(load: Load, memory: Sequence[dict[str, int]], seconds: float) -> None:
    total = sum(load.answers.values())
    rates = f"{total / seconds:.0f} a second, and {load.candidates} verdicts, {load.candidates / seconds:.0f} a second"
    print(f"{total} requests in {seconds:.0f} s, {rates}")
    for sort in sorted({sort for sort, _ in load.answers}):
        counts = ", ".join(
            f"{status or 'cut off'}: {n}" for (s, status), n in sorted(load.answers.items()) if s == sort
        )
        print(f"  {sort:<8} {counts}")
    print(f"\n{'seconds to an answer':<22} {'p50':>8} {'p99':>8} {'most':>8}")
    for sort, times in sorted(load.seconds.items()):
        if len(times) > 1:
            cuts = quantiles(times, n=100)
            print(f"  {sort:<20} {cuts[49]:>8.3f} {cuts[98]:>8.3f} {max(times):>8.3f}")
    print(f"\n{'most MiB of one':<22} " + " ".join(f"{role:>9}" for role in _ROLES.values()))
    for part in range(3):
        held = memory[part * len(memory) // 3 : (part + 1) * len(memory) // 3]
        row = " ".join(f"{max((look[role] for look in held), default=0) >> 20:>9}" for role in _ROLES.values())
        print(f"  third {part + 1:<14} {row}")


@reports_errors()
def main(arguments: Sequence[str] | None = None) -> int:
    """Runs, prints the failures found, and returns the exit code."""
    parser = parser_of("python -m benchmarks.stress.service_load", __doc__)
    parser.add_argument("--minutes", type=float, default=10.0, help="how long (default: 10)")
    parser.add_argument("--connections", type=int, default=200, help="connections at once (default: 200)")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="workers there (default: one a CPU)")
    parser.add_argument("--waiting", type=int, default=256, help="candidates that may wait there (default: 256)")
    parser.add_argument("--seed", type=int, default=0, help="seed of the requests (default: 0)")
    options = parser.parse_args(arguments)
    if options.minutes <= 0 or min(options.workers, options.waiting) < 1 or options.connections <= _SLOW_CONNECTIONS:
        parser.error(f"--minutes, --workers and --waiting must be positive, --connections above {_SLOW_CONNECTIONS}")
    problems, honest, hostile = cases(options.seed)
    load = Load(honest=honest, hostile=hostile)
    with TemporaryDirectory() as folder:
        file = Path(folder) / "problems.jsonl"
        to_jsonl(problems, file)
        limits = ("--max-waiting", str(options.waiting), "--max-body", str(_MAX_BODY), "--patience", str(PATIENCE))
        workers = ("--workers", str(options.workers), "--cache", "0")
        with serving("--problems", str(file), *workers, *limits, environment={"OCAML_ENV_TOKEN": ""}) as server:
            memory, seconds = asyncio.run(_run(load, server, options))
    _print(load, memory, seconds)
    wrong = [*load.wrong, *growth(memory)]
    print(f"\n{len(wrong)} things are wrong" if wrong else "\nno answer was wrong or lost, and nothing grew")
    for line, times in Counter(wrong).most_common(20):
        print(f"  {times} x {line}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

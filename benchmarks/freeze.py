"""Writes the manifest of the benchmark, or checks that it is current.

    python -m benchmarks.freeze --change "First version."
    python -m benchmarks.freeze --check
    python -m benchmarks.freeze --release 1.0 --secret FILE

A benchmark that is published never changes: freeze a changed problem under a new name (``NAME`` in
``ocaml_env.evaluation.benchmark.manifest``). The third command draws the secret of a release for the fresh track into
FILE, unless it exists, and adds its SHA-256 to the manifest. Keep FILE to yourself until its rows are published.

Exit codes: 0 done; 1 --check, and a problem differs; 2 wrong usage; 3 an infrastructure error.
"""

from __future__ import annotations

import datetime
import hashlib
import json
import re
import secrets
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ocaml_env import ConfigError, load_problems
from ocaml_env.commands import parser_of, reports_errors
from ocaml_env.evaluation.benchmark.entry import read_secret
from ocaml_env.evaluation.benchmark.manifest import NAME, PATH, digest_of_ids, frozen_digest
from ocaml_env.evaluation.benchmark.quick import draw_quick
from ocaml_env.evaluation.files import write_whole

__all__ = ["main"]

_EVALUATION = "bundled:eval"
_SECRET = re.compile(r"[0-9a-f]{64}")
_REPAIR = f"repair:{_EVALUATION}?seed=1&n=240"


@reports_errors("freeze")
def main(arguments: Sequence[str] | None = None) -> int:
    """Writes or checks the manifest, and returns the exit code."""
    parser = parser_of("python -m benchmarks.freeze", __doc__)
    parser.add_argument("--change", metavar="TEXT", help="a sentence for the changelog")
    parser.add_argument("--check", action="store_true", help="write nothing, and say if the manifest is current")
    parser.add_argument("--release", metavar="NAME", help="with --secret: the release")
    parser.add_argument("--secret", type=Path, metavar="FILE", help="its secret: 64 hexadecimal digits, drawn if new")
    options = parser.parse_args(arguments)
    if (options.release is None) != (options.secret is None):
        parser.error("--release and --secret go together")
    before: dict[str, Any] = json.loads(PATH.read_text(encoding="utf-8")) if PATH.exists() else {}
    if options.release is not None:
        return _write(_with_secret(before, options.release, options.secret))
    now = _frozen()
    if options.check:
        same = all(before.get(name) == part for name, part in now.items())
        print(f"{PATH.name} is {'current' if same else 'not current'}")
        return 0 if same else 1
    if not options.change:
        parser.error("give the reason: --change TEXT")
    today = datetime.datetime.now(datetime.UTC).date().isoformat()
    changes = [*before.get("changes", ()), {"date": today, "change": options.change}]
    return _write({"name": NAME, "changes": changes, "fresh_secrets": before.get("fresh_secrets", {}), **now})


def _with_secret(manifest: dict[str, Any], release: str, file: Path) -> dict[str, Any]:
    """Returns the manifest with the commitment to a secret; a release keeps the first one."""
    if release in manifest["fresh_secrets"]:
        raise ConfigError(f"{release} has committed to a secret before, and rows may be drawn with it")
    if not file.exists():
        file.touch(mode=0o600)
        file.write_text(secrets.token_hex(32) + "\n", encoding="utf-8")
    secret = read_secret(file)
    if not _SECRET.fullmatch(secret):
        raise ConfigError(f"{file} holds no 64 hexadecimal digits: a shorter secret could be guessed from its SHA-256")
    commitment = hashlib.sha256(secret.encode()).hexdigest()
    return {**manifest, "fresh_secrets": {**manifest["fresh_secrets"], release: commitment}}


def _frozen() -> dict[str, Any]:
    problems = load_problems(_EVALUATION)
    return {
        "quick": digest_of_ids(draw_quick(problems)),
        "problems": {problem.id: frozen_digest(problem) for problem in problems},
        "repair": {problem.id: frozen_digest(problem) for problem in load_problems(_REPAIR)},
    }


def _write(manifest: dict[str, Any]) -> int:
    write_whole(PATH, json.dumps(manifest, indent=1) + "\n")
    print(f"written: {PATH.name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

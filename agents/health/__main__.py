"""The command ``python -m agents.health``: the verdict on a run, in the terminal and as a page.

Exit codes, for scripts: 0 go on (healthy, or with warnings); 1 intervene; 2 usage; 3 unreadable, too short to judge,
or ended without a demonstrable rise; 4 stop.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from agents.health.conclude import diagnose
from agents.health.diagnosis import Decision, Diagnosis
from agents.health.files import CannotRead, read_run
from agents.health.profiles import PROFILES, find_profile
from agents.health.report import report
from agents.health.text import Style, lines_table, told
from agents.health.wording import headline, summary
from ocaml_env.display.terminal import Paint, printable, screen_width

__all__ = ["EXIT_CODES", "as_json", "main"]

EXIT_CODES = {Decision.CONTINUE: 0, Decision.INTERVENE: 1, Decision.UNKNOWN: 3, Decision.STOP: 4}

_EPILOG = """\
profiles:
  default   windows, tied groups by kind, entropy against the run's own start, shares of the run
  seed      the seed's table to the letter: each line alone, fixed ranges, epochs

examples:
  python -m agents.health                                  judge grpo_runs/, and write grpo_runs/report.html
  python -m agents.health old.log --profile seed --lines   the seed's verdict, line by line
  python -m agents.health old.log --profile seed --as-of-epoch 1.0   would the seed stop it at epoch 1.0?
  python -m agents.health run/checkpoint-200               any transformers trainer's state
  python -m agents.health grpo_runs --json | jq .decision

exit codes:
  0  go on: healthy, or with warnings     3  cannot be read, holds too little to judge by, or ended without a rise
  1  intervene: something is critical     4  stop: a red flag
  2  usage
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Judges a run by the command's arguments, and returns the exit code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    options = _parser().parse_args(arguments)
    if options.report and not options.report.absolute().parent.is_dir():
        print(f"{options.report}: there is no folder {options.report.parent}", file=sys.stderr)
        return 2
    try:
        run = read_run(options.run)
        profile = find_profile(options.profile)
        diagnosis = diagnose(run, profile, as_of=options.as_of_epoch)
        page = _page_of(options, run.source)
        if page is not None:
            page.write_text(report(diagnosis, groups=options.groups), encoding="utf-8")
        _print(diagnosis, options, page)
        sys.stdout.flush()
    except (CannotRead, OSError) as error:
        if isinstance(error, BrokenPipeError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return EXIT_CODES[diagnosis.decision]
        print(printable(str(error)), file=sys.stderr)
        return 3
    return EXIT_CODES[diagnosis.decision]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m agents.health",
        description="Training diagnostics: is a run healthy, what is wrong, what to change, and whether to go on.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "run",
        nargs="?",
        type=Path,
        default=Path("grpo_runs"),
        metavar="RUN_DIR_OR_LEARNING_LOG",
        help="a run directory, a checkpoint, a learning.log, a metrics.jsonl or a trainer_state.json "
        "(default: grpo_runs)",
    )
    parser.add_argument("--profile", choices=list(PROFILES), default="default", help="the rules (default: default)")
    parser.add_argument(
        "--as-of-epoch",
        type=_moment,
        metavar="E",
        help="judge the run as it stood at E, without later lines: in epochs for `seed`, as a share of the run for "
        "`default`; a log that ends before E is judged as if the run stood at E",
    )
    parser.add_argument("--lines", action="store_true", help="also show the level of every metric of every line")
    parser.add_argument("--json", action="store_true", help="print the verdict as JSON, and nothing else")
    parser.add_argument(
        "--report", type=Path, metavar="FILE", help="write the page there (default: report.html in a run directory)"
    )
    parser.add_argument("--no-report", action="store_true", help="write no page")
    parser.add_argument(
        "--groups", type=_count, default=40, metavar="N", help="groups of completions in the page (default: 40)"
    )
    return parser


def _moment(text: str) -> float:
    value = float(text)
    if not 0 <= value < float("inf"):
        raise argparse.ArgumentTypeError("it must be a number from 0")
    return value


def _count(text: str) -> int:
    value = int(text)
    if value < 0:
        raise argparse.ArgumentTypeError("it must be 0 or more")
    return value


def _page_of(options: argparse.Namespace, source: Path) -> Path | None:
    if options.no_report:
        return None
    if options.report is not None:
        return Path(options.report)
    return source / "report.html" if source.is_dir() else None


def _print(diagnosis: Diagnosis, options: argparse.Namespace, page: Path | None) -> None:
    if options.json:
        print(json.dumps(as_json(diagnosis), indent=1, allow_nan=False))
        return
    encoding = (getattr(sys.stdout, "encoding", "") or "").lower().replace("-", "")
    style = Style(
        paint=Paint.choose(sys.stdout),
        symbols=encoding.startswith("utf"),
        width=min(max(screen_width(sys.stdout) or 100, 60), 110),
    )
    print("\n".join(told(diagnosis, style)))
    if options.lines:
        print("\n".join(lines_table(diagnosis, style)))
    if page is not None:
        print(f"\nThe report is in {printable(str(page))}")


def as_json(diagnosis: Diagnosis) -> dict[str, Any]:
    """Returns the verdict as plain values; nan and infinity become null, because JSON has neither."""
    return {
        "source": str(diagnosis.run.source),
        "profile": diagnosis.profile.name,
        "records": len(diagnosis.run.records),
        "moment": _finite(diagnosis.moment),
        "status": diagnosis.status.value,
        "decision": diagnosis.decision.value,
        "headline": headline(diagnosis, symbols=False),
        "summary": summary(diagnosis),
        "readings": [
            {
                "rule": reading.rule.name,
                "metric": reading.rule.metric.name,
                "level": reading.level.value,
                "side": reading.side.value if reading.side else None,
                "value": _finite(reading.value),
                "unknown_because": reading.measured.why or None,
                "causes": list(reading.causes),
            }
            for reading in diagnosis.readings
        ],
        "issues": [issue.rule.name for issue in diagnosis.issues],
        "consequences": [issue.rule.name for issue in diagnosis.consequences],
        "notices": [notice.rule.name for notice in diagnosis.notices],
        "finished": diagnosis.finished,
        "risen": diagnosis.risen,
        "actions": [
            {
                "text": recommendation.action.text,
                "priority": recommendation.action.priority,
                "rules": list(recommendation.rules),
                "exports": [export.line for export in recommendation.exports],
            }
            for recommendation in diagnosis.recommendations
        ],
        "red_flags": [
            {
                "name": flag.rule.name,
                "text": flag.rule.text,
                "at": flag.rule.at,
                "raised": flag.raised,
                "stops": flag.stops,
                "value": _finite(flag.measured.value),
            }
            for flag in diagnosis.flags
        ],
        "green_lights": [
            {"text": check.criterion.text, "state": check.state.value} for check in diagnosis.green_lights
        ],
        "checkpoints": [
            {
                "at": look.checkpoint.at,
                "passed": look.passed,
                "criteria": [{"text": check.criterion.text, "state": check.state.value} for check in look.checks],
            }
            for look in diagnosis.look_backs
        ],
        "interventions": [
            {
                "step": followed.intervention.step,
                "setting": followed.intervention.setting,
                "from": followed.intervention.before,
                "to": followed.intervention.after,
                "rule": followed.intervention.rule,
                "follow_up": str(followed.follow_up),
                "state": followed.state.value,
            }
            for followed in diagnosis.followed
        ],
        "unreadable": list(diagnosis.run.notes),
    }


def _finite(value: float | None) -> float | None:
    return value if value is not None and abs(value) != float("inf") and value == value else None


if __name__ == "__main__":
    sys.exit(main())

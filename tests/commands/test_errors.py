"""The one way in which commands end with an error: a message on standard error, and an exit code."""

from __future__ import annotations

import argparse

import pytest

from ocaml_env.commands import ExitCode, count, natural, reports_errors
from ocaml_env.errors import ConfigError, EngineError, ProblemError, ToolchainError

MISSING = FileNotFoundError(2, "No such file or directory", "answer.ml")


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (ConfigError("there is no level 7"), ExitCode.USAGE, "error: there is no level 7\n"),
        (ProblemError("add: it has no tests"), ExitCode.USAGE, "error: add: it has no tests\n"),
        (MISSING, ExitCode.USAGE, "error: answer.ml: No such file or directory\n"),
        (
            OSError(28, "No space left on device"),
            ExitCode.INFRASTRUCTURE,
            "error: No space left on device\n",
        ),
        (EngineError("a worker died"), ExitCode.INFRASTRUCTURE, "error: a worker died\n"),
        (ToolchainError("escape \x1b[31m"), ExitCode.INFRASTRUCTURE, "error: escape \\x1b[31m\n"),
        (KeyboardInterrupt(), ExitCode.INTERRUPTED, "stopped\n"),
    ],
)
def test_an_error_becomes_a_message_and_an_exit_code(
    error: BaseException, code: ExitCode, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    @reports_errors(interrupted="stopped")
    def command() -> int:
        raise error

    assert command() == code
    assert capsys.readouterr() == ("", message)


def test_without_an_error_the_command_gives_its_own_code() -> None:
    assert reports_errors()(lambda: 1)() == ExitCode.NOT_PASSED


def test_errors_of_libraries_and_of_programming_keep_their_traceback() -> None:
    def fail(error: Exception) -> int:
        raise error

    for error in (OSError("the hub has no such model"), TypeError("a fault of ours")):
        with pytest.raises(type(error)):
            reports_errors()(fail)(error)


def test_the_option_debug_shows_the_traceback() -> None:
    def fail(options: argparse.Namespace) -> int:
        raise ConfigError("on purpose")

    assert reports_errors()(fail)(argparse.Namespace(debug=False)) == ExitCode.USAGE
    with pytest.raises(ConfigError, match="on purpose"):
        reports_errors()(fail)(argparse.Namespace(debug=True))


def test_options_read_whole_numbers() -> None:
    assert (count("0"), natural("1")) == (0, 1)
    for read, text in ((count, "-1"), (count, "2.5"), (natural, "0"), (natural, "many")):
        with pytest.raises(argparse.ArgumentTypeError, match="a whole number from"):
            read(text)

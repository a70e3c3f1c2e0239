"""Infrastructure errors, as exceptions. A candidate's failures are values instead (see ``verdict``).

    OCamlEnvError
    |-- ConfigError            an argument or setting cannot be used
    |-- ProblemError           a problem cannot be evaluated: names the problem and the test
    |-- ToolchainError         OCaml is missing, too old, or could not build the engine
    `-- EngineError            the engine failed, and not because of the candidate
        |-- WorkerCrashed      a worker process died or stopped answering
        |-- ProtocolError      a worker or a service broke the protocol
        |-- BatchError         some candidates of a batch could not be evaluated: it has the other verdicts
        |-- SandboxUnavailable a layer of the sandbox is missing on this machine
        `-- ServiceUnavailable an evaluation service is out of reach or accepts no more requests

An infrastructure error must never become a reward of 0: report it apart from the rewards.
"""

import importlib
import os
import sys
from collections.abc import Mapping, Sequence
from typing import Any

__all__ = [
    "BatchError",
    "ConfigError",
    "EngineError",
    "OCamlEnvError",
    "ProblemError",
    "ProtocolError",
    "SandboxUnavailable",
    "ServiceUnavailable",
    "ToolchainError",
    "WorkerCrashed",
]


class OCamlEnvError(Exception):
    """Base of every exception raised on purpose by this package."""


class ConfigError(OCamlEnvError, ValueError):
    """An argument, option or setting cannot be used as given."""


class ProblemError(OCamlEnvError, ValueError):
    """A problem cannot be evaluated: bad format, no tests, or a test that does not compile against its signature.

    Attributes:
        problem_id: the problem's id, or None if it has no readable id.
        test: the name of the test at fault, or None if the fault is not in one test.
    """

    def __init__(self, message: str, *, problem_id: str | None = None, test: str | None = None) -> None:
        super().__init__(message)
        self.problem_id = problem_id
        self.test = test


class ToolchainError(OCamlEnvError, RuntimeError):
    """OCaml is missing or unusable, or the engine does not build with it."""


class EngineError(OCamlEnvError, RuntimeError):
    """The engine failed, and not because of the candidate."""


class WorkerCrashed(EngineError):
    """A worker process died or stopped answering, and so did a fresh one."""


class ProtocolError(EngineError):
    """A worker or a service sent bytes that break the protocol."""


class BatchError(EngineError):
    """Some candidates of a batch could not be evaluated.

    Attributes:
        verdicts: of all candidates in order; None at the places without a verdict.
        errors: the error for each place that failed. Places given up untried have neither a verdict nor an error.
    """

    def __init__(
        self, message: str, *, verdicts: Sequence[Any] = (), errors: Mapping[int, OCamlEnvError] | None = None
    ) -> None:
        super().__init__(message)
        self.verdicts = list(verdicts)
        self.errors = dict(errors or {})

    def at(self, place: int) -> OCamlEnvError:
        """The error that prevented the verdict at a place."""
        return self.errors.get(place, self)

    def __reduce__(self) -> tuple[object, ...]:
        return _batch_error, (str(self), self.verdicts, self.errors)


def _batch_error(message: str, verdicts: Sequence[Any], errors: Mapping[int, OCamlEnvError]) -> BatchError:
    return BatchError(message, verdicts=verdicts, errors=errors)


class SandboxUnavailable(EngineError):
    """A layer of the sandbox cannot be installed here. ``sandbox="best-effort"`` runs without it and records that."""


class ServiceUnavailable(EngineError):
    """A service cannot be reached, is overloaded, or is stopping: try again later."""


def import_attribute(text: str) -> Any:
    """Imports the object named by ``module:attribute`` from an installed module or the current folder.

    Raises:
        ConfigError: if the name does not exist.
    """
    module, _, attribute = text.partition(":")
    if not module or not attribute:
        raise ConfigError(f"{text!r} is not of the form module:attribute")
    if os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())  # as with `python -m`
    try:
        found: Any = importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{module}.".startswith(f"{error.name}."):
            raise  # The module exists, but one of its own imports is missing.
        raise ConfigError(f"{text!r}: there is no module {error.name!r}") from None
    for name in attribute.split("."):
        try:
            found = getattr(found, name)
        except AttributeError:
            raise ConfigError(f"{text!r}: the module {module!r} has no {attribute!r}") from None
    return found

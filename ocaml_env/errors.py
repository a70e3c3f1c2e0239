"""Our own failures, as exceptions. A candidate's failures are never here: those are values (see ``verdict``).

    OCamlEnvError
    |-- ConfigError            an argument or setting that cannot be used
    |-- ProblemError           a problem that cannot be evaluated: names the problem and the test
    |-- ToolchainError         OCaml is missing, too old, or could not build the engine
    `-- EngineError            the engine failed, and not because of the candidate
        |-- WorkerCrashed      a worker process died or stopped answering
        |-- ProtocolError      a worker or a service answered something that is not of the protocol
        |-- BatchError         of a batch, some candidates could not be evaluated: it has the verdicts of the others
        |-- SandboxUnavailable a layer of the sandbox is missing here
        `-- ServiceUnavailable a service that evaluates cannot be reached, or takes nothing more

An infrastructure error never becomes a reward of 0: whoever catches one of these must report it apart from the rewards.
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
    """Base of every exception that this package raises on purpose."""


class ConfigError(OCamlEnvError, ValueError):
    """An argument, option or setting cannot be used as given."""


class ProblemError(OCamlEnvError, ValueError):
    """A problem cannot be evaluated: bad format, no tests, or a test that does not compile against its signature.

    Attributes:
        problem_id: the problem, or None where it has no readable id.
        test: the name of the test at fault, or None where the whole problem is.
    """

    def __init__(self, message: str, *, problem_id: str | None = None, test: str | None = None) -> None:
        super().__init__(message)
        self.problem_id = problem_id
        self.test = test


class ToolchainError(OCamlEnvError, RuntimeError):
    """OCaml cannot be found or used, or the engine does not build with it."""


class EngineError(OCamlEnvError, RuntimeError):
    """The engine failed for a reason that is not the candidate's."""


class WorkerCrashed(EngineError):
    """A worker process died or stopped answering, on more than one pristine worker."""


class ProtocolError(EngineError):
    """A worker, or a service, sent bytes that are not a message of the protocol."""


class BatchError(EngineError):
    """Some candidates of a batch could not be evaluated.

    Attributes:
        verdicts: of all candidates in order, None at the places of those that have none.
        errors: by their places, why; a place without a verdict is not here if nothing was tried any more.
    """

    def __init__(
        self, message: str, *, verdicts: Sequence[Any] = (), errors: Mapping[int, OCamlEnvError] | None = None
    ) -> None:
        super().__init__(message)
        self.verdicts = list(verdicts)
        self.errors = dict(errors or {})

    def at(self, place: int) -> OCamlEnvError:
        """Why there is no verdict at a place."""
        return self.errors.get(place, self)

    def __reduce__(self) -> tuple[object, ...]:
        return _batch_error, (str(self), self.verdicts, self.errors)


def _batch_error(message: str, verdicts: Sequence[Any], errors: Mapping[int, OCamlEnvError]) -> BatchError:
    return BatchError(message, verdicts=verdicts, errors=errors)


class SandboxUnavailable(EngineError):
    """A layer of the sandbox cannot be installed here. ``sandbox="best-effort"`` runs without it, and records so."""


class ServiceUnavailable(EngineError):
    """A service that evaluates cannot be reached, is overloaded, or is stopping: try again later."""


def import_attribute(text: str) -> Any:
    """What ``module:attribute`` names, in a module that is installed or stands in the current folder.

    Raises:
        ConfigError: if there is none of that name.
    """
    module, _, attribute = text.partition(":")
    if not module or not attribute:
        raise ConfigError(f"{text!r} is not of the form module:attribute")
    if os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())  # as if it were run by `python -m`
    try:
        found: Any = importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{module}.".startswith(f"{error.name}."):
            raise  # The module is there, and lacks something itself.
        raise ConfigError(f"{text!r}: there is no module {error.name!r}") from None
    for name in attribute.split("."):
        try:
            found = getattr(found, name)
        except AttributeError:
            raise ConfigError(f"{text!r}: the module {module!r} has no {attribute!r}") from None
    return found

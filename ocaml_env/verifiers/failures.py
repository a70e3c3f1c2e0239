"""Collects the errors of a batch: the batch goes on without the failed candidates, and raises at its end."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ocaml_env.errors import BatchError, EngineError, OCamlEnvError, ProblemError, SandboxUnavailable
from ocaml_env.verdict import Verdict
from ocaml_env.verifiers.giving_up import CANDIDATES_IN_A_ROW, ErrorLimit

__all__ = ["Failures"]


class Failures:
    """The errors of a batch, by the places of its candidates. Safe for threads.

    A bad problem or an engine failure affects one candidate. Any other error would affect every candidate, so it ends
    the batch.

    Attributes:
        stopped: set after five engine failures in a row, with no verdict in between.
    """

    def __init__(self) -> None:
        self._errors: dict[int, OCamlEnvError] = {}
        self._limit = ErrorLimit(CANDIDATES_IN_A_ROW)
        self.stopped = self._limit.reached

    def attempt(self, place: int, evaluate: Callable[[], Verdict]) -> Verdict | None:
        """Returns the verdict of the candidate at a place. If it fails, keeps the error and returns None."""
        try:
            verdict = evaluate()
        except SandboxUnavailable:
            raise
        except (EngineError, ProblemError) as error:
            self.add(place, error)
            return None
        self._limit.count(failed=False)
        return verdict

    def add(self, place: int, error: EngineError | ProblemError) -> None:
        """Keeps an error."""
        self._errors[place] = error
        if isinstance(error, EngineError):
            self._limit.count(failed=True)

    def settle(self, verdicts: Sequence[Verdict | None]) -> list[Verdict]:
        """Returns all verdicts of the batch, in order.

        Raises:
            BatchError: if some are missing.
        """
        whole = [verdict for verdict in verdicts if verdict is not None]
        if not self._errors:
            return whole
        first = self._errors[min(self._errors)]
        said = f"{len(self._errors)} of {len(verdicts)} candidates could not be evaluated"
        if untried := len(verdicts) - len(whole) - len(self._errors):
            said += f", and {untried} were not tried after {CANDIDATES_IN_A_ROW} such failures in a row"
        raise BatchError(f"{said}; the first because: {first}", verdicts=verdicts, errors=self._errors) from first

"""Batches: all results in order, or the first error."""

from __future__ import annotations

from typing import Any

import pytest

from ocaml_env.verifiers.batch import Batch


@pytest.mark.parametrize("threads", [0, 1, 2, 9])
def test_results_are_in_the_order_of_the_pieces(threads: int) -> None:
    pieces = [3, None, "", 0, *range(50)]
    assert Batch(pieces, lambda piece: [piece], threads=threads).run() == [[piece] for piece in pieces]


@pytest.mark.parametrize("threads", [1, 3])
def test_the_first_error_ends_a_batch(threads: int) -> None:
    begun: list[int] = []

    def work(piece: int) -> int:
        begun.append(piece)
        return 1 // (piece - 5)

    with pytest.raises(ZeroDivisionError):
        Batch(range(1000), work, threads=threads).run()
    assert len(begun) < 1000


class _BrokenBar:
    """A progress bar that cannot write to its screen."""

    def __enter__(self) -> _BrokenBar:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def update(self, _: int) -> None:
        raise OSError("the screen is gone")


@pytest.mark.parametrize("threads", [1, 2])
def test_an_error_of_the_progress_bar_is_raised(threads: int) -> None:
    bar: Any = _BrokenBar()
    with pytest.raises(OSError, match="the screen is gone"):
        Batch(range(100), lambda piece: piece, threads=threads).run(bar=bar)

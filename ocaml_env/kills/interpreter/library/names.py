"""The predefined constructors of OCaml."""

from __future__ import annotations

from ocaml_env.kills.interpreter.data import CONS, ERROR, NIL, NONE, OK, SOME, Constant, Tag
from ocaml_env.kills.interpreter.data import FAILURE as _FAILURE
from ocaml_env.kills.interpreter.data import INVALID_ARGUMENT as _INVALID_ARGUMENT

__all__ = [
    "CONSTRUCTORS",
    "DIVISION_BY_ZERO",
    "END_OF_FILE",
    "EXIT",
    "LEFT",
    "NOT_FOUND",
    "RIGHT",
    "SEQ_CONS",
    "SEQ_NIL",
]

NOT_FOUND = Constant("Not_found", 0)
DIVISION_BY_ZERO = Constant("Division_by_zero", 0)
END_OF_FILE = Constant("End_of_file", 0)
EXIT = Constant("Exit", 0)
LEFT, RIGHT = Tag("Left", 0, 1), Tag("Right", 1, 1)
SEQ_NIL, SEQ_CONS = Constant("Nil", 0), Tag("Cons", 0, 2)

CONSTRUCTORS: dict[str, Constant | Tag] = {
    "[]": NIL,
    "::": CONS,
    "None": NONE,
    "Some": SOME,
    "Ok": OK,
    "Error": ERROR,
    "Failure": _FAILURE,
    "Invalid_argument": _INVALID_ARGUMENT,
    "Not_found": NOT_FOUND,
    "Division_by_zero": DIVISION_BY_ZERO,
    "End_of_file": END_OF_FILE,
    "Exit": EXIT,
    "Stack_overflow": Constant("Stack_overflow", 0),
    "Out_of_memory": Constant("Out_of_memory", 0),
    "Match_failure": Tag("Match_failure", 0, 1),
    "Assert_failure": Tag("Assert_failure", 0, 1),
    "Sys_error": Tag("Sys_error", 0, 1),
    "Either.Left": LEFT,
    "Either.Right": RIGHT,
    "Seq.Nil": SEQ_NIL,
    "Seq.Cons": SEQ_CONS,
    "Fun.Finally_raised": Tag("Finally_raised", 0, 1),
    "Queue.Empty": Constant("Empty", 0),
    "Stack.Empty": Constant("Empty", 0),
    "Option.None": NONE,
    "Option.Some": SOME,
    "Result.Ok": OK,
    "Result.Error": ERROR,
}

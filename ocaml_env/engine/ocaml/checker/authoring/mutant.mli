(** Mutants of a program: copies of its text with one small fault each. Good tests tell most of them from the
    original.

    A fault is found on the parse tree and made in the text: the text at one location is replaced, and the rest stays
    unchanged. {!Evaluation} finds out if a mutant compiles. *)

type t = {
  operator : string;  (** the kind of fault: [arithmetic], [comparison], [constant], ... *)
  line : int;  (** from 1 *)
  column : int;  (** from 0, in bytes *)
  before : string;  (** what is replaced *)
  after : string;  (** the replacement; empty if the text was removed *)
  code : string;  (** the whole text of the mutant *)
}

(** All mutants of a text, in a fixed order. No two have the same text, and none has the text given.
    @raise Syntaxerr.Error or Lexer.Error if it does not parse. *)
val of_source : string -> t list

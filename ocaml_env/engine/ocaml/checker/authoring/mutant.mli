(** Mutants of a program: copies of its text with one small fault each. Tests that tell none of them from the original
    say little.

    A fault is found on the parse tree and made in the text: what stands at a location is replaced, and the rest stays to
    the letter. Whether a mutant compiles is for {!Evaluation} to say. *)

type t = {
  operator : string;  (** the kind of fault: [arithmetic], [comparison], [constant], ... *)
  line : int;  (** from 1 *)
  column : int;  (** from 0, in bytes *)
  before : string;  (** what is replaced *)
  after : string;  (** what stands there now; empty where it is gone *)
  code : string;  (** the whole text of the mutant *)
}

(** All mutants of a text, in a fixed order. No two have the same text, and none has the text given.
    @raise Syntaxerr.Error or Lexer.Error where it does not parse. *)
val of_source : string -> t list

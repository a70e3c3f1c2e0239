(** The size of a program, and the parts of the language that it uses. *)

type t = {
  nodes : int;  (** expressions and patterns *)
  constructs : string list;  (** such as [recursion], [functors], [mutation]: sorted, each once *)
  modules : string list;  (** of the standard library, as they are named: sorted, each once *)
}

(** @raise Syntaxerr.Error or Lexer.Error if it does not parse. *)
val of_source : string -> t

(** What a program consists of: how large it is, and which parts of the language it needs. *)

type t = {
  nodes : int;  (** expressions and patterns *)
  constructs : string list;  (** such as [recursion], [functors], [mutation]: sorted, each once *)
  modules : string list;  (** of the standard library, as they are named: sorted, each once *)
}

(** @raise Syntaxerr.Error or Lexer.Error where it does not parse. *)
val of_source : string -> t

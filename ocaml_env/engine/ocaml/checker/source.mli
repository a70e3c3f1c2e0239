(** From the text of a candidate to its parse tree, within bounds.

    One pass over the tokens, while the parser asks for them, counts them, bounds how deep brackets nest, and refuses
    what no candidate may write: [external], extension nodes, and the names of the standard library's internal units. So
    nothing that parses is large or deep enough to exhaust the passes that follow. *)

type failure =
  | Syntax of Diagnostic.t list
  | Forbidden of Diagnostic.t

val max_bytes : int
val max_tokens : int
val max_nesting : int

(** Parses trusted text with one of {!Parser}'s entry points.
    @raise Syntaxerr.Error or Lexer.Error if it does not parse. *)
val parse_trusted : ((Lexing.lexbuf -> Parser.token) -> Lexing.lexbuf -> 'a) -> string -> 'a

(** Parses a whole compilation unit. Unfiltered, only the bounds hold: see {!Checker}. *)
val implementation : filtered:bool -> string -> (Parsetree.structure, failure) result

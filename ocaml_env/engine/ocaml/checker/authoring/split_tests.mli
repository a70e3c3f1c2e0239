(** Splits texts of other data sets by parsing them: a block of assertions into single tests, and a function's header
    into a signature. *)

type tests = {
  prelude : string;  (** definitions that stand before or between the assertions *)
  expressions : string list;  (** the asserted expressions, one text for each assertion, with the [let]s around it *)
  ignored : string list;  (** statements that assert nothing, such as printing *)
  repaired : int;  (** numbers written [~1], as in other languages of the family, that were read as [-1] *)
}

(** [let () = assert a; assert b] and its relatives.
    @raise Syntaxerr.Error or Lexer.Error if it does not parse. *)
val tests : string -> tests

type header = {
  signature : string;  (** of the types and exceptions that the text defines, and of its last function *)
  name : string;  (** of that function *)
  annotated : bool;  (** is its type known without its body? *)
}

(** [header text] reads a text that ends in [let f (x : t) : u =], or in a whole function; None if it defines none. To
    be called in {!Session.isolated}.
    @raise Syntaxerr.Error, Typecore.Error and others if it does not parse or typecheck. *)
val header : string -> header option

(** Can the result of a call depend on earlier calls?

    It cannot if a text computes nothing when it is loaded: then no mutable value outlives a call. Nor can it through
    the library, if the text uses none of the few units with a memory. *)

(** [holds ~definitions ~tests] is true only if no call's result can depend on earlier calls. It is false for many
    texts that merely might have a memory.
    @raise Syntaxerr.Error or Lexer.Error if a text does not parse. *)
val holds : definitions:string list -> tests:string list -> bool

(** Can a call tell what was called before it?

    Not where a text computes nothing when it is loaded: then nothing that could change outlives a call. And not through
    the library, where it uses none of the few units that remember something. *)

(** [holds ~definitions ~tests] is true only where no call can. It is false for code that might remember something, that
    is, for many texts that do not.
    @raise Syntaxerr.Error or Lexer.Error where a text does not parse. *)
val holds : definitions:string list -> tests:string list -> bool

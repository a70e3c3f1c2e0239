(** Calls into compiler-libs on a tree that a candidate wrote.

    The compiler has bugs: on some texts it fails an assertion, or lets an exception escape that is meant for itself.
    That is about the text, and becomes a verdict. An exception of the checker's own modules is an infrastructure error,
    so it is told apart by where it is raised: only what is called through {!compiler} can raise {!Compiler_raised}. *)

(** With the exception's name. What the compiler keeps in memory may be wrong from now on: this process must not
    evaluate another candidate. *)
exception Compiler_raised of string

(** [compiler f] is [f ()]. An error that the compiler can report passes, and so do [Stack_overflow], [Out_of_memory] and
    what the call is expected to raise; any other exception becomes {!Compiler_raised}. *)
val compiler : ?expected:(exn -> bool) -> (unit -> 'a) -> 'a

(** Is it an error in the text, which the compiler can report? *)
val is_report : exn -> bool

(** Calls into compiler-libs on a tree from a candidate.

    The compiler has bugs: on some texts it fails an assertion, or lets an internal exception escape. Such an
    exception is caused by the text, and becomes a verdict. An exception of the checker's own modules is an
    infrastructure error. The place tells the two apart: only calls through {!compiler} can raise {!Compiler_raised}. *)

(** With the exception's name. What the compiler keeps in memory may be wrong from now on: this process must not
    evaluate another candidate. *)
exception Compiler_raised of string

(** [compiler f] is [f ()]. An error that the compiler can report passes, and so do [Stack_overflow], [Out_of_memory] and
    what the call is expected to raise; any other exception becomes {!Compiler_raised}. *)
val compiler : ?expected:(exn -> bool) -> (unit -> 'a) -> 'a

(** Is it an error in the text, which the compiler can report? *)
val is_report : exn -> bool

(** Messages for writing problems and for auditing other data sets. None concerns a candidate.

    They ask for the [mutants] of a program, the [stubs] of a signature, the size and constructs of a program
    ([measure]), and the parts of a text of assertions, of tests, or of a function's header ([split]). *)

(** The answer's fields: [invalid] with a reason where the text is not OCaml. *)
val answer : Bencode.t -> (string * Bencode.t) list

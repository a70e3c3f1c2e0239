(** Messages of those who write problems and of those who check other people's: nothing here concerns a candidate.

    [mutants] of a program, [stubs] of a signature, what a program consists of ([measure]), and what stands in a text of
    assertions, in tests, or at the beginning of a function ([split]). *)

(** The answer's fields: [invalid] with a reason where the text is not OCaml. *)
val answer : Bencode.t -> (string * Bencode.t) list

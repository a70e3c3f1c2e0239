(** A program run on its inputs: a fresh process for each. *)

(** [run ~runner limits inputs candidate] gives the outcomes in order, and the CPU microseconds that they took. *)
val run : runner:Child.runner -> Outcome.limits -> string list -> string -> Outcome.test array * int

(** As {!Examination.until_failure}. Whether what was printed is right is for the caller to say, so only a run that does
    not end well is known to have failed. *)
val until_failure : runner:Child.runner -> Outcome.limits -> string list -> string -> Examination.found

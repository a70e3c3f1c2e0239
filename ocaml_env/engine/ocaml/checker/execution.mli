(** A program run on its inputs: a fresh process for each. *)

(** [run ~runner limits inputs candidate] gives the outcomes in order, and the CPU microseconds that they took. *)
val run : runner:Child.runner -> Outcome.limits -> string list -> string -> Outcome.test array * int

(** As {!Test_run.until_failure}. The inputs come with what should be printed, if the caller gives it: a run that
    prints anything else to the letter is the last. Whether it is wrong is for the caller to say. *)
val until_failure :
  runner:Child.runner -> Outcome.limits -> (string * string option) list -> string -> Test_run.found

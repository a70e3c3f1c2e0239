(** Explains the failed examples of a candidate, without anything of a hidden test.

    A candidate that failed one is run again, by a runner that never received a hidden test, in a process with only
    the examples loaded. All shown text comes from there; the outcomes do not change. *)

(** [explain ~runner limits suite candidate tests] gives the outcomes [tests] of {!Test_run.run} with other details of the
    examples, and the CPU microseconds that it took. An example that passes when it is run again has no detail. *)
val explain :
  runner:Child.runner -> Outcome.limits -> Suite.t -> string -> Outcome.test array -> Outcome.test array * int

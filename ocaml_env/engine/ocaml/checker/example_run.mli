(** What is said of the examples that a candidate fails, so that nothing of a hidden test can be in it.

    Whoever failed one is run again, by a runner that never received a hidden test, in a process into which only the
    examples are loaded. What is shown comes from there alone; what was decided stays. *)

(** [explain ~runner limits suite candidate tests] gives the outcomes [tests] of {!Test_run.run} with other details of the
    examples, and the CPU microseconds that it took. An example that passes when it is run again has no detail. *)
val explain :
  runner:Child.runner -> Outcome.limits -> Suite.t -> string -> Outcome.test array -> Outcome.test array * int

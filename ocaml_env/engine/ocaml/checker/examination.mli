(** The tests of a function problem, run to their outcomes: as few children as possible, one bad test costing only
    itself. *)

(** [run ~runner limits suite candidate] gives the tests' outcomes in order, and the CPU microseconds that they took. *)
val run : runner:Child.runner -> Outcome.limits -> Suite.t -> string -> Outcome.test array * int

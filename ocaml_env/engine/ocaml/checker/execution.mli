(** A program run on its inputs: a fresh process for each. *)

(** [run ~runner limits inputs candidate] gives the outcomes in order, and the CPU microseconds that they took. *)
val run : runner:Child.runner -> Outcome.limits -> string list -> string -> Outcome.test array * int

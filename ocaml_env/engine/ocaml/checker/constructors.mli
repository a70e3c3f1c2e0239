(** The exceptions, and other extension constructors, that a signature asks for.

    Each has to be a new one. [exception Cycle = Stack_overflow] fits a signature that asks for [exception Cycle], and a
    recursion without an end would detect every cycle. What is a name for what, through includes, functors and modules
    that are made while the program runs, no look at the code tells: the jailed process compares the constructors
    themselves when the candidate is initialised, before there are any tests in it. *)

(** [of_signature env ~slot items]: the constructors of a unit with this global, as names and places (see
    {!Task.constructors}). Those that a functor returns are left out, as each application makes others. *)
val of_signature : Env.t -> slot:int -> Types.signature -> Task.constructors

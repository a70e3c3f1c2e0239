(** The exceptions, and other extension constructors, that a signature asks for.

    Each has to be a new one. [exception Cycle = Stack_overflow] fits a signature that asks for [exception Cycle], and a
    recursion without an end would detect every cycle. What is a name for what, through includes, functors and modules
    that are made while the program runs, no look at the code tells: the jailed process compares the constructors
    themselves when the candidate is initialised, before there are any tests in it. *)

(** [of_signature env ~slot items]: the constructors of a unit with this global, as names and places (see
    {!Task.constructors}). Those that a functor returns are left out, as each application makes others: see {!check}. *)
val of_signature : Env.t -> slot:int -> Types.signature -> Task.constructors

(** Where a functor's result or a module type of the signature has exceptions, no name in the candidate may stand for an
    exception that the runtime raises. It would have to be given somewhere: a module has its exceptions under their names.
    @raise Location.Error if one does *)
val check : Env.t -> Typedtree.structure -> expected:Types.signature -> unit

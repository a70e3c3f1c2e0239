(** The exceptions, and other extension constructors, that a signature asks for.

    Each has to be a new one. [exception Cycle = Stack_overflow] fits a signature with [exception Cycle], and then
    endless recursion would count as detecting a cycle. Includes, functors and modules made at run time hide such
    aliases from any check of the code. So the jailed process compares the constructors themselves when the candidate
    is initialised, before any tests are in it. *)

(** [of_signature env ~slot items]: the constructors of a unit with this global, as names and places (see
    {!Task.constructors}). Those that a functor returns are left out, as each application makes others: see {!check}. *)
val of_signature : Env.t -> slot:int -> Types.signature -> Task.constructors

(** Where a functor's result or a module type of the signature has exceptions, no name in the candidate may stand for an
    exception that the runtime raises. It would have to be given somewhere: a module has its exceptions under their names.
    @raise Location.Error if one does *)
val check : Env.t -> Typedtree.structure -> expected:Types.signature -> unit

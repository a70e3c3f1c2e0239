(** Partial evaluation: what is right in a candidate of which something is not.

    Top-level bindings with an error, and values of the signature that are missing or have another type, are lost. Where
    the code uses what is lost, it is stopped: there is a call that ends the process. A lost function is given
    to the signature as a function that does so once it has all its arguments, and any other lost value as a
    placeholder, of which the rest of the candidate can see nothing and no test may.

    The completed code goes the whole way of any other, and where anything is found on it, nothing of it runs. *)

type t = {
  structure : Parsetree.structure;  (** to be typed by {!type_structure} alone *)
  lost : string list;  (** values of the signature; tests that use one must not run *)
  placeholders : string list;  (** of these, those that are no functions: nothing that uses one may run *)
  kept : string list;  (** the others *)
}

(** [complete structure ~places ~unmet ~interface]: [places] are those of all errors, [unmet] the items of the signature that
    are not met. [None] if that is not all that is wrong, or nothing of the signature is left: an error outside the
    bindings of top-level values, a type, exception or module that is not met. *)
val complete :
  Parsetree.structure ->
  places:Location.t list ->
  unmet:Types.signature ->
  interface:Types.signature ->
  t option

(** As {!Compiler.type_structure}; what is lost is gone from the result.
    @raise Beyond where it cannot be taken out. *)
val type_structure : Env.t -> Parsetree.structure -> Typedtree.structure * Types.signature * Env.t

exception Beyond

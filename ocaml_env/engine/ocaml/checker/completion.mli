(** Partial evaluation: tests the right part of a candidate with type errors.

    Top-level bindings with an error, and values of the signature that are missing or have another type, are lost. A
    use of a lost value becomes a call that ends the process. To the signature, a lost function is given as a
    function that makes this call once it has all its arguments. Any other lost value is given as a placeholder: the
    rest of the candidate cannot see it, and no test may use it.

    The completed code passes all checks like any other code. If they find anything, nothing of it runs. *)

type t = {
  structure : Parsetree.structure;  (** to be typed by {!type_structure} alone *)
  lost : string list;  (** values of the signature; tests that use one must not run *)
  placeholders : string list;  (** of these, those that are no functions: nothing that uses one may run *)
  kept : string list;  (** the others *)
}

(** [complete structure ~places ~unmet ~interface]: [places] are the locations of all errors, [unmet] the unmet items
    of the signature. [None] if nothing of the signature is left, or if anything else is wrong: an error outside the
    bindings of top-level values, or an unmet type, exception or module. *)
val complete :
  Parsetree.structure ->
  places:Location.t list ->
  unmet:Types.signature ->
  interface:Types.signature ->
  t option

(** As {!Compiler.type_structure}; what is lost is gone from the result.
    @raise Beyond if it cannot be taken out. *)
val type_structure : Env.t -> Parsetree.structure -> Typedtree.structure * Types.signature * Env.t

exception Beyond

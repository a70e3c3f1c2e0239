(** A test split as C[P(e1 .. en)]: a part for the candidate's process, and a part computed elsewhere from its
    results.

    C are the [let]s, sequences, local modules and opens around. The leaves e1 .. en are plain data, computed
    whenever the test is true. P is made of [&& || not if], comparisons, [compare], [abs], [abs_float], [-], [-.],
    matches on leaves, handlers of a leaf's exceptions, and constants: expressions that need neither the candidate
    nor a name of C, and read nothing mutable.

    A leaf that is a boolean must be the candidate's own answer. A predicate of the prelude applied to the
    candidate's answer is no leaf: in the candidate's process, the candidate could have changed its result. *)

(** The names of a unit of tests. *)
type scope

(** [scope ~unit_name ~tainted items] of the tests whose structure begins with [items]; [tainted] are the names that
    {!Dependence.purify} found. *)
val scope : unit_name:string -> tainted:Dependence.Names.t -> Typedtree.structure_item list -> scope

(** {1 Parts of expressions} *)

(** What is applied, by the name of its primitive if it is one, and its arguments; [("", [])] of anything else. *)
val applied : Typedtree.expression -> string * Typedtree.expression list

(** [call like primitive arguments] at the place of [like]; its type is [unit]. *)
val call : Typedtree.expression -> string -> Typedtree.expression list -> Typedtree.expression

val number : Typedtree.expression -> int -> Typedtree.expression

(** {1 The split} *)

val needs_candidate : scope -> Typedtree.expression -> bool

type split = {
  predicate : Predicate.t;
  code : Typedtree.expression;  (** reports the leaves, atom by atom, as [Data.outcome]s *)
  constants : Typedtree.expression;  (** likewise what P takes as constants, each an atom; needs no candidate *)
  has_constants : bool;
}

(** The split of a typed test, or the clause that forbids it. *)
val split : scope -> Typedtree.expression -> (split, string) result

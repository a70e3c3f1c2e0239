(** A test taken apart, as C[P(e1 .. en)]: what a candidate's process computes, and what is computed over that elsewhere.

    C are the [let]s, sequences, local modules and opens around. e1 .. en, the leaves, are plain data that is computed
    whenever the test is true. P is made of [&& || not if], comparisons, [compare], [abs], [abs_float], [-], [-.], matches on leaves,
    what is caught of a leaf's exceptions, and constants: expressions that need neither the candidate nor a name of C, and
    read nothing that changes.

    A leaf that is true or false by itself is the candidate's own answer, or it is none: what a predicate of the prelude
    says of the candidate's answer would be believed where the candidate could have changed it. *)

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

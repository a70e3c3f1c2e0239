(** The text shown about a failed example, a public test: the values of its parts.

    All of this happens in a child with only examples loaded (see {!Example_run}), and decides nothing. *)

type t

(** [make table ~unit_name scope ~text e] takes a typed test and its text. It returns the claims to show, and code
    that computes the same and reports the values of its parts on the way. *)
val make :
  Value_shape.table -> unit_name:string -> Leaves.scope -> text:string -> Typedtree.expression -> t * Typedtree.expression

(** [explain known t frame] says in one line why an example failed, as far as its parts tell: [""] if they do not. *)
val explain : Value_shape.known -> t -> Report.frame -> string

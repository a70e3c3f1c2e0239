(** What is shown of an example: a test that everybody may see, and the values that its parts had.

    All of this happens in a child into which only examples were loaded (see {!Example_run}), and decides nothing. *)

type t

(** [make table ~unit_name scope ~text e] of a typed test and its text: what is shown of it, and code that computes the same
    and tells on the way what its parts come to. *)
val make :
  Value_shape.table -> unit_name:string -> Leaves.scope -> text:string -> Typedtree.expression -> t * Typedtree.expression

(** [explain known t frame] says in one line why an example failed, as far as its parts tell: [""] where they do not. *)
val explain : Value_shape.known -> t -> Report.frame -> string

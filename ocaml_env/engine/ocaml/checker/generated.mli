(** Names for units and modules without one. They contain a [#], so that no code can write them. *)

(** The name of a candidate's unit, as if it stood in a file of this name. *)
val solution : string

(** The same of a problem whose answers are programs. *)
val program : string

(** The unit of a problem's tests, and that of its examples alone. *)
val tests : string

val examples : string

(** The interface of the [n]th problem that is installed: for its tests the candidate is a unit of this name. *)
val unit_name : int -> string

(** The name by which the tables of globals know a unit: {!solution} for each of the interfaces, as candidates and tests are
    linked with tables of their problem's own. *)
val linked_name : string -> string

(** The [n]th module of a candidate that is included or opened without having a name. *)
val module_name : int -> string

(** How OCaml calls what is defined in a module without a name: [Solution.module#2.Empty] is [Empty], since nothing can be
    named through such a module. Any other text is itself. *)
val named_by_ocaml : string -> string

(** A text for people without such names: [Solution#17.Empty] is [Empty]. *)
val hide : string -> string

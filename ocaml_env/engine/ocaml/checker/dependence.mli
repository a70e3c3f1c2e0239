(** What in the typed code of a problem's tests can be computed without the candidate?

    Not what uses a value, module or extension constructor of the candidate's unit, directly or through another name; and
    not what makes exceptions, which are different ones in each process. Types and constructors are no values: a test's
    right side may use those of the candidate. *)

module Names : Set.S with type elt = Ident.t

(** The items that do not need the candidate, and the names that the others define. *)
val purify : unit_name:string -> Typedtree.structure_item list -> Typedtree.structure_item list * Names.t

val expression_needs_candidate : unit_name:string -> tainted:Names.t -> Typedtree.expression -> bool

(** The paths that an expression or an item evaluates: of values, extension constructors, modules and classes. *)
val paths_of_expression : Typedtree.expression -> Path.t list

val paths_of_item : Typedtree.structure_item -> Path.t list

(** What code uses of the candidate's unit, directly or through other names: items by their names, or it has the unit in
    its hands as a whole. *)
type uses = Items of string list | Everything

(** [uses ~unit_name items expressions] of each item, and of each expression, before which the items stand. *)
val uses :
  unit_name:string -> Typedtree.structure_item list -> Typedtree.expression list -> uses list * uses list

(** Do they overlap with these items? *)
val overlap : uses -> string list -> bool

(** The values, modules, classes and extension constructors that an item defines. *)
val defined_idents : Typedtree.structure_item -> Ident.t list

(** Which parts of the typed code of a problem's tests can be computed without the candidate?

    All except those that use a value, module or extension constructor of the candidate's unit, directly or through
    another name, and those that make exceptions, which differ in each process. Types and constructors are not
    values: the right side of a test may use those of the candidate. *)

module Names : Set.S with type elt = Ident.t

(** The items that do not need the candidate, and the names that the others define. *)
val purify : unit_name:string -> Typedtree.structure_item list -> Typedtree.structure_item list * Names.t

val expression_needs_candidate : unit_name:string -> tainted:Names.t -> Typedtree.expression -> bool

(** The paths that an expression or an item evaluates: of values, extension constructors, modules and classes. *)
val paths_of_expression : Typedtree.expression -> Path.t list

val paths_of_item : Typedtree.structure_item -> Path.t list

(** The parts of the candidate's unit that code uses, directly or through other names: items by their names, or the
    unit as a whole. *)
type uses = Items of string list | Everything

(** [uses ~unit_name items expressions] of each item, and of each expression, before which the items stand. *)
val uses :
  unit_name:string -> Typedtree.structure_item list -> Typedtree.expression list -> uses list * uses list

(** Do they overlap with these items? *)
val overlap : uses -> string list -> bool

(** The values, modules, classes and extension constructors that an item defines. *)
val defined_idents : Typedtree.structure_item -> Ident.t list

(** From a typed unit to bytecode that the runner can load. *)

(** @raise Translmod.Error and others if the unit typechecks but cannot be compiled. *)
val compile : unit_name:string -> Typedtree.structure -> Typedtree.module_coercion -> Compiler.bytecode

(** The tables of globals, to build on and to go back to. *)
type tables

val tables : unit -> tables

(** Puts tables into force: what was linked since they were taken is forgotten. *)
val restore : tables -> unit

(** Resolves a unit's references against the tables in force, and marshals the {!Task.image}. Slots for its constants are
    taken after those of the units linked before it, so the order of calls matters. *)
val link : Compiler.bytecode -> string

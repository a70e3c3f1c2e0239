(** The parts of the standard library with a memory of earlier calls. *)

(** Does a unit's value of this name read or write what lives longer than a call? [unit_] without ["Stdlib__"]. *)
val remembers : unit_:string -> string -> bool

(** Does it do no more than draw at random? Each test draws from a seed of its own. *)
val only_draws : unit_:string -> string -> bool

(** Is a module a unit of the library at all? *)
val is_library : string -> bool

(** Units whose functions remember nothing but what their arguments hold. *)
val is_forgetful : string -> bool

(** Names that remember wherever they stand. *)
val is_remembering_name : string -> bool

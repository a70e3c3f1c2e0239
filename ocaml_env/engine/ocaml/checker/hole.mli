(** A placeholder in a tree for code with an error: it typechecks anywhere, and never runs. *)

(** Not an identifier that can be written, so no candidate captures it; and another one in each process, so that none can
    have the compiler say it. *)
val name : string

(** Does a text contain {!name}? *)
val is_in : string -> bool

val expression : Location.t -> Parsetree.expression

(** The description of an unknown value: its type is a variable. *)
val fits_everything : unit -> Types.value_description

(** The environment with a value of this name that fits everything. *)
val bind : string -> Env.t -> Ident.t * Env.t

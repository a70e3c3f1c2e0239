(** What stands in a tree in place of code with an error: it typechecks wherever it stands, and never runs. *)

(** Not an identifier that can be written, so no candidate captures it; and another one in each process, so that none can
    have the compiler say it. *)
val name : string

val expression : Location.t -> Parsetree.expression

(** What is known of a value of which nothing is known: its type is a variable. *)
val fits_everything : unit -> Types.value_description

(** The environment with a value of this name that fits everything. *)
val bind : string -> Env.t -> Ident.t * Env.t

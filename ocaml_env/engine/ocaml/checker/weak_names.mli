(** Names of type variables that are not generalised, such as ['_weak7].

    The compiler numbers them from its start on, so it would tell each candidate of other numbers. *)

(** A message with such names numbered from 1, in the order in which they appear in it. *)
val renumber : string -> string

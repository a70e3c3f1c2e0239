(** Removes numbers that the compiler counts up from its start, because they would tell a candidate about others: of
    type variables that are not generalised (['_weak7]), and of identifiers printed with their stamps ([t/4071]). *)

(** A message with such numbers counted from 1, in the order in which they appear in it. *)
val hide : string -> string

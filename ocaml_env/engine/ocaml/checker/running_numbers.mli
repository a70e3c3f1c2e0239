(** Numbers in messages that the compiler counts from its start on, so that it would tell each candidate of others: of type
    variables that are not generalised (['_weak7]), and of identifiers that it prints with their stamps ([t/4071]). *)

(** A message with such numbers counted from 1, in the order in which they appear in it. *)
val hide : string -> string

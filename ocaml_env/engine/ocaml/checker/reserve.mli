(** Pristine checkers at the price of a fork.

    The process that was started keeps the compiler as it was before any candidate, and does nothing but fork: its child
    serves, and when that one leaves, another child takes its place on the same pipes. *)

(** [keep serve] has children serve, and ends as the last one did. [serve ~first] runs in each; it ends when it returns. *)
val keep : (first:bool -> unit) -> unit

(** Called in a child: ends it, for another one to take its place. *)
val leave : unit -> 'a

(** Fresh checkers for the price of a fork.

    The first process keeps the compiler in its state before any candidate, and does nothing but fork. Its child
    serves; when that one ends, another child takes its place on the same pipes. *)

(** [keep serve] has children serve, and ends as the last one did. [serve ~first] runs in each; it ends when it returns. *)
val keep : (first:bool -> unit) -> unit

(** Called in a child: ends it, for another one to take its place. *)
val leave : unit -> 'a

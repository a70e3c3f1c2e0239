(** Forked copies of this process. *)

(** [child f] runs [f] in a child, which ends when it returns, and no later than this process. Returns its pid here. *)
val child : (unit -> unit) -> int

val wait : int -> Unix.process_status

(** Ends this process in the same way as a child killed by a signal: the process that started it checks this. *)
val end_by : int -> unit

(** Forked copies of this process. *)

(** [child f] runs [f] in a child, which ends when it returns, and no later than this process. Returns its pid here. *)
val child : (unit -> unit) -> int

val wait : int -> Unix.process_status

(** Ends this process as a child ended that a signal killed: whoever started it asks. *)
val end_by : int -> unit

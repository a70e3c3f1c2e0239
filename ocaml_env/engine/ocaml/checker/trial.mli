(** A computation in a forked process, which leaves the compiler's state unchanged. *)

(** [run f ~ran_out] is what [f ()] returns, which must be plain data, or [ran_out "stack"] or [ran_out "memory"] where
    it needs more than there is. The process ends as the child does that a signal killed. *)
val run : (unit -> 'a) -> ran_out:(string -> 'a) -> 'a

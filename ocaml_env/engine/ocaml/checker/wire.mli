(** Frames over a pipe: four bytes of length, little-endian, then the bytes. *)

(** [None] at end of file: the other side has ended. *)
val receive : Unix.file_descr -> string option

(** @raise Unix.Unix_error with [EPIPE] when the other side is gone. *)
val send : Unix.file_descr -> string -> unit

(** One frame of several parts, each with its own four bytes of length before it. *)
val send_parts : Unix.file_descr -> string list -> unit

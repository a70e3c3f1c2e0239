(** Prints values as OCaml's toplevel does, from a child's report (see [ocaml_env_show] in [canonical.c]).

    The text is bounded, and any bytes give one. A part that was cut off, or exceeds a bound, is [...]; bytes that do
    not fit their shape are [<ill-typed>]. *)

(** [to_string shapes shape bytes ~from] of the value that begins at [from]. *)
val to_string : Value_shape.known -> Value_shape.t -> string -> from:int -> string

(** Values as OCaml's toplevel writes them, from what a child reported (see [ocaml_env_show] in [canonical.c]).

    The text is bounded, and whatever the bytes are there is one: what was cut off, or is over a bound, is [...], and what
    does not fit its shape is [<ill-typed>]. *)

(** [to_string shapes shape bytes ~from] of the value that begins at [from]. *)
val to_string : Value_shape.known -> Value_shape.t -> string -> from:int -> string

(** Names that nobody can write, for what has none: they hold a [#]. *)

(** The unit that a problem's [n]th installation takes a candidate for. *)
val unit_name : int -> string

(** The [n]th module of a candidate that is included or opened without having a name. *)
val module_name : int -> string

(** A text for people without such names: [Solution#17.Empty] is [Empty]. *)
val hide : string -> string

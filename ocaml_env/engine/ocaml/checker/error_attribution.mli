(** Attributes errors to mistakes: finds the common name of all errors caused by one mistake. *)

(** Names and other words of a message. *)
val words : string -> string list

val contains : Location.t -> Location.t -> bool
val same : Location.t -> Location.t -> bool
val size : Location.t -> int

(** Names that a pattern binds. *)
val variables_of : Parsetree.pattern -> string list

(** [names_around item loc] are the names that the part of [item] around an error defines. That they do not fit the
    signature either is no second mistake. *)
val names_around : Parsetree.structure_item -> Location.t -> string list

(** [named_after_culprit ~source item loc d] renames the diagnostic of an error at [loc] of [item], so that all errors of
    one mistake have one name: they are counted once. *)
val named_after_culprit : source:string -> Parsetree.structure_item -> Location.t -> Diagnostic.t -> Diagnostic.t

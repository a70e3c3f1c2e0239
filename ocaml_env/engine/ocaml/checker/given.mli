(** Definitions that an interface gives in full, types and exceptions: an answer need not repeat them. *)

type t

(** The given definitions of an interface. A definition is not given if it needs one that the answer must define,
    such as an abstract type or a module. *)
val of_interface : Parsetree.signature -> t

(** The answer with the missing given definitions put in front, and their names. An answer that includes a module may
    define anything, and is left unchanged. *)
val add : t -> Parsetree.structure -> Parsetree.structure * string list

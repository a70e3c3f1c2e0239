(** Definitions that an interface gives in full, types and exceptions: an answer need not repeat them. *)

type t

(** What an interface gives. A definition that needs what the answer is to define (an abstract type, a module) is not given. *)
val of_interface : Parsetree.signature -> t

(** The answer with what it does not define put in front, and the names of that. An answer that includes a module may define
    anything, and is left as it is. *)
val add : t -> Parsetree.structure -> Parsetree.structure * string list

(** What a slip of the pen puts in the place of what: the tables that {!Mutant} goes by, of names alone. *)

(** How tightly infix operators bind, the loosest first. *)
type level = Disjunction | Conjunction | Comparison | Sum | Product | Power

(** An infix operator's level, the name of the fault, and what stands in for it. *)
val infix : string -> (level * string * string list) option

(** The function that a name is confused with: by its whole name, or, in a module made by a functor, by its last part. *)
val confused : string -> string option

(** The number of arguments of a function whose last one has the type of its result, so that its call may be dropped. *)
val droppable : string -> int option

(** Is the order of two arguments nothing to a function? *)
val is_symmetric : string -> bool

(** Does a call guess a size with its argument, so that another guess is no fault? The size may be a constant. *)
val guesses_size : string -> constant:bool -> bool

(** Is it a function or an exception that takes a text which is seldom specified? *)
val says_why : string -> bool

(** Tables of names that {!Mutant} confuses with each other, as in a slip of the pen. *)

(** How tightly infix operators bind, the loosest first. *)
type level = Disjunction | Conjunction | Comparison | Sum | Product | Power

(** An infix operator's level, the name of its fault, and its replacements. *)
val infix : string -> (level * string * string list) option

(** The function that a name is confused with: by its whole name, or, in a module made by a functor, by its last part. *)
val confused : string -> string option

(** The number of arguments of a function whose last one has the type of its result, so that its call may be dropped. *)
val droppable : string -> int option

(** Does the order of a function's two arguments make no difference? *)
val is_symmetric : string -> bool

(** Is the argument of a call only a guess of a size, so that another value is no fault? The size may be a constant. *)
val guesses_size : string -> constant:bool -> bool

(** Is it a function or an exception with a text argument that problems seldom specify? *)
val says_why : string -> bool

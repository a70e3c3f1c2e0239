(** Typing that goes on after errors, so that independent errors are counted in one pass.

    Items are typed one after another. On an error the smallest expression, pattern or type around it is replaced by a
    hole that fits everything, and the item is typed again. An item that stays wrong leaves its names behind, bound to
    a type that fits everything, so that their uses are no errors.

    With [apart] an item on which the compiler raises is one error of kind [compiler], and the other items are typed
    without it; otherwise {!Guard.Compiler_raised} passes. *)

type t = {
  diagnostics : Diagnostic.t list;  (** in source order of items *)
  signature : Types.signature;  (** what could be typed; names of broken items fit everything *)
  environment : Env.t;
  broken : string list;  (** names whose definitions have errors *)
  places : Location.t list;  (** of the errors *)
}

val structure : apart:bool -> source:string -> Env.t -> Parsetree.structure -> t

(** Typed patterns as conditions on a value's bytes. *)

(** A pattern that bytes cannot answer: the clause. *)
exception Unsupported of string

type variables = (Ident.t * int) list
(** The number by which the predicate knows a variable. *)

(** [pattern ~fresh p] is the pattern and what it binds; [fresh ()] numbers a variable. *)
val pattern : fresh:(unit -> int) -> Typedtree.pattern -> Predicate.pattern * variables

type handled = {
  pattern : Predicate.handled;
  variables : variables;
  exceptions : variables;  (** names for the exception as a whole, which is no data: see {!Predicate.handled} *)
}

(** [handled ~fresh ~slot p] is the pattern of an exception; [slot path] numbers a constructor. *)
val handled : fresh:(unit -> int) -> slot:(Path.t -> int) -> Typedtree.pattern -> handled

(** What the checker says about a piece of code. *)

type t = {
  kind : string;  (** a short stable word: [syntax], [unbound-value], [type-clash], [forbidden], ... *)
  name : string;  (** the identifier that it is about, or ["line:column"] if there is none *)
  message : string;  (** on one line, of bounded length *)
  line : int;  (** from 1; 0 if there is none *)
  column : int;  (** from 0, in bytes *)
  cascade : bool;  (** only follows from an earlier error: shown, not counted *)
}

val forbidden : source:string -> Location.t -> string -> t

(** An item on which the compiler raises: see {!Guard}. *)
val compiler : source:string -> Location.t -> string -> t

val is_compiler : t -> bool

(** Is it about the placeholder of code with an error ({!Hole}), and so about nothing that the candidate wrote? *)
val is_about_hole : t -> bool

(** [of_exn ~source exn] describes an exception of the compiler; [None] if it is not one of its reports. Naming what
    the capability filter withholds is told apart here: see {!Filter.withheld}. *)
val of_exn : source:string -> exn -> t option

(** Where an exception of the compiler points to. *)
val location_of_exn : exn -> Location.t option

(** Position in [source] of a location's start, as (line, column): computed from the offset in bytes, which a candidate's
    line directives do not touch. *)
val position : source:string -> Location.t -> int * int

(** Number of errors to count: distinct (kind, name) pairs, cascades left out. *)
val count : t list -> int

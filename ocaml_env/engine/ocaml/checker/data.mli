(** A value of a candidate, as bytes that never become an OCaml value.

    The bytes are the exact encoding of [canonical.c], each node before its children. They are read in place, so that
    their depth costs no stack. A forger of bytes can only write another value. *)

type t

(** The bytes are no encoding: no honest process writes them. *)
exception Malformed

val of_int : int -> t
val of_float : float -> t
val of_string : string -> t
val of_char_code : char -> int64 -> t
(** A boxed integer, by the letter of its kind: [l] for int32, [L] for int64, [N] for nativeint. *)

val to_int : t -> int
val to_float : t -> float

(** {1 Looking into a value} *)

(** The fields of a block with this tag; [None] if it is something else. *)
val fields : tag:int -> t -> t array option

(** The numbers of a flat record or array of floats. *)
val floats : t -> float array option

(** {1 OCaml's comparisons}

    As those of the runtime on values of one type. *)

(** [=] *)
val equal : t -> t -> bool

(** [<], [<=], [>], [>=]: by the order of the two, [None] if a nan prevents it. *)
val order : t -> t -> int option

(** [compare] *)
val compare : t -> t -> int

(** {1 Reports} *)

(** What one atom of a test came to. *)
type outcome =
  | Returned of t  (** a block of its leaves *)
  | Raised of { which : int; text : string; arguments : t }  (** one of the exceptions that the test knows, or -1 *)
  | Unreadable of string  (** what a leaf was, if it cannot be encoded *)

(** The number of an atom and its outcome, from the payload of a leaf frame. *)
val atom : string -> int * outcome

(** Bencode: the notation of the messages between Python and the checker. Integers are [i42e], byte strings [4:spam],
    lists [l...e], dictionaries [d...e] with byte strings as keys. *)

type t = Int of int | String of string | List of t list | Dict of (string * t) list

exception Malformed of string

val to_string : t -> string

(** @raise Malformed on anything but one whole value. *)
val of_string : string -> t

(** {1 Reading fields of a message}

    Each raises {!Malformed}, naming the key, if it is absent or of another type. *)

val int : string -> t -> int
val string : string -> t -> string
val strings : string -> t -> string list

(** A field of any type, if it is there: the only reader that takes absence for an answer. *)
val optional : string -> t -> t option

(** A test's condition on its leaves: computed by the checker over bytes, out of the candidate's reach.

    A leaf is a value that the test's code computed in the jail. Leaves needed together form an atom, and are
    reported together. *)

type relation = Equal | Different | Less | Less_equal | Greater | Greater_equal

(** Patterns look at values as the compiler lays them out. *)
type pattern =
  | Any
  | Bind of pattern * int  (** the number of a variable *)
  | Same of Data.t
  | Between of int * int
  | Block of { tag : int; size : int option; fields : (int * pattern) list }
  | Floats of { size : int option; fields : (int * pattern) list }
  | Either of pattern * pattern

(** Of an exception: one of those that the atom knows, with patterns for its arguments. *)
type handled =
  | Anything
  | Known of { which : int; arguments : (int * pattern) list }
  | One_of of handled * handled
  | Named of handled * int  (** binds this variable to which it is, and the next one to the block of its arguments *)

type t =
  | Literal of bool
  | Leaf of { atom : int; place : int }
  | Constant of int
  | Variable of int
  | And of t * t
  | Or of t * t
  | Not of t
  | If of t * t * t
  | Relation of relation * t * t
  | Compare of t * t
  | Negate of t  (** and so on: of integers *)
  | Absolute of t
  | Subtract of t * t
  | Negate_float of t
  | Absolute_float of t
  | Subtract_float of t * t
  | Match of { on : t; cases : pattern case list; failure : string }
  | Guarded of { atom : int; body : t; handlers : handled case list }
      (** [body], unless the atom raised: then what handles it *)

and 'pattern case = { pattern : 'pattern; guard : t option; result : t }

type verdict =
  | Holds
  | Fails
  | Unknown  (** a leaf is missing that it needs *)
  | Raises of string
  | Unreadable of string  (** it needs a leaf that has no encoding: what it is *)

(** [evaluate predicate ~constants ~atoms] computes as OCaml does, from left to right and no more than it needs.
    @raise Data.Malformed if the leaves are not of the types that the test has. *)
val evaluate : t -> constants:Data.outcome array -> atoms:(int * Data.outcome) list -> verdict

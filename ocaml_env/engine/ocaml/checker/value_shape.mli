(** The form of a type's values, as plain data: with it bytes can be printed without a compiler. *)

type t =
  | Int
  | Char
  | Float
  | String
  | Bytes
  | Int32
  | Int64
  | Nativeint
  | Tuple of t list
  | List of t
  | Array of t
  | Tags of (string * int * t option) list  (** of a polymorphic variant, with their hashes *)
  | Exception
  | Declared of int * t list  (** a declaration's number, and its arguments *)
  | Parameter of int  (** of the declaration around *)
  | Mark of string  (** stands for what is not shown: [<fun>], [<abstr>], [<poly>], [<lazy>], ... *)

(** Names are as they have to be written where the tests stand. *)
type declaration =
  | Variant of { constants : string array; blocks : (string * arguments) array }
  | Record of (string * t) list
  | Floats of string list  (** a record that is flat *)
  | Unboxed_constructor of string * arguments
  | Unboxed_record of string * t
  | Same_as of t

and arguments = Plain of t list | Inline of (string * t) list

(** What the shapes of a suite refer to. *)
type known = { declarations : declaration array; exceptions : (string * arguments) list  (** whose arguments have known types *) }

(** The same while it is collected. *)
type table

val table : unit -> table

(** [known table ~unit_name env names] has those of [names] that are exceptions in [env]. *)
val known : table -> unit_name:string -> Env.t -> string list -> known

(** [of_type table ~unit_name env ty]; [unit_name] is that of the candidate's interface, which no name shows. *)
val of_type : table -> unit_name:string -> Env.t -> Types.type_expr -> t

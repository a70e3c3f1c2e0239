(** The tests of a problem, compiled once and used for every candidate.

    What decides is data wherever that can be. A test [left = right] whose right side does not use the candidate is split:
    a candidate's process computes [left] alone, and [right] was computed beforehand in a runner that never sees a
    candidate. Of other tests the leaves are computed there, and what is said of them here (see {!Leaves}). What cannot be
    split so runs inside: it comes in four versions [if test then a else b], one for each [a] and [b]: two of them tell
    whether it holds, two are decoys that run it and answer the same whatever it says. Decoys that run nothing stand
    beside them. Which version is called is the secret of {!Child}, so that nobody inside the jail can tell which answer
    would please. *)

type test =
  | Value of { closure : int; expected : string }  (** the canonical encoding of the right answer *)
  | Leaves of { closure : int; predicate : Predicate.t; constants : Data.outcome array }
  | Inside of { closure : if_true:bool -> if_false:bool -> int; clause : string  (** what forbids the split *) }
  | Shown of { closure : int; example : Example.t }  (** only in {!examples} *)

type t = {
  unit_name : string;  (** the interface's name in the compiler's tables *)
  interface : Types.signature;
  given : Given.t;
  constructors : Task.constructors;  (** of the interface *)
  image : string;  (** of the compiled tests, marshalled *)
  slot : int;  (** of the tests' global *)
  tests : test array;
  uses : Dependence.uses array;  (** what each test uses of the candidate *)
  prelude_uses : Dependence.uses list;  (** what each item before them uses *)
  seeds : int array;  (** for what each test draws at random; empty if they draw nothing *)
  decoys : (int * bool) array;  (** closures that run nothing, with their answers *)
  tables : Lowering.tables;  (** tables to link a candidate against *)
  examples : (t * Value_shape.known) option;
      (** the public tests, which come first: a suite whose image has nothing of the others *)
}

(** What a test by leaves returns when all of them are reported. *)
val no_encoding : string

(** The canonical encoding of a boolean. *)
val encoding : bool -> string

type error = {
  test : int option;  (** index of the test at fault; [None]: the signature or the prelude *)
  message : string;
}

(** [install ~oracle ~base ~signature ~prelude ~public tests] compiles a problem, of whose tests the first [public] are
    examples. [oracle] executes trusted work and never a
    candidate; [base] are the runner's own tables. *)
val install :
  oracle:(Task.request -> tests:string -> Task.answer) ->
  base:Lowering.tables ->
  signature:string ->
  prelude:string ->
  public:int ->
  string list ->
  (t, error) result

val remove : t -> unit

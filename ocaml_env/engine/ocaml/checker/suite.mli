(** The tests of a problem, compiled once and used for every candidate.

    If possible, data decide. If the right side of a test [left = right] does not use the candidate, the test is
    split: a candidate's process computes only [left], and a runner that never sees a candidate has computed [right]
    beforehand. Of other tests, a candidate's process computes the leaves, and the checker computes the result from
    them (see {!Leaves}). A test that cannot be split runs inside. It has four versions [if test then a else b], one
    for each [a] and [b]: two show the result, and two are decoys that run the test and always give the same answer.
    There are also decoys that run nothing. {!Child} keeps the chosen version secret, so that code inside the jail
    cannot tell which answer passes. *)

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

(** The value of a test by leaves after reporting all of them. *)
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

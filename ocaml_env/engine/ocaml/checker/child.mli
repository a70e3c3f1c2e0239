(** Calls a suite's closures in one jailed child, and interprets its report.

    A candidate that takes over its whole process cannot forge a value, because it does not know the expected one.
    But it could guess the result of a test that runs inside. So such a test is called in one of four versions (see
    {!Suite}), chosen anew for each child, with decoys that run nothing among the calls. *)

(** How the answer of a call is read. *)
type reading =
  | Equal of string  (** the test holds when it is this *)
  | Satisfies of { predicate : Predicate.t; constants : Data.outcome array }  (** when its leaves do *)
  | Holds of string  (** as {!Equal}, for a test that runs inside *)
  | Always of string  (** a decoy that runs the test: this, whatever the test says *)
  | Decoy of string  (** a decoy that runs nothing *)
  | Tells  (** an example that reports the values of its parts: it decides nothing *)

type call = { closure : int; test : int;  (** -1 for a decoy that runs nothing *) reading : reading }

val is_inside : Suite.t -> int -> bool

(** The call that asks for a test's answer. *)
val ask : Suite.t -> int -> call

(** A call that runs the test; of one inside it asks nothing. *)
val ask_for_nothing : Suite.t -> int -> call

(** What happened to a child. *)
type t =
  | Complete of (call * Report.frame) list  (** every call with its frame, decoys included *)
  | Stopped of (call * Report.frame) list * Outcome.test
      (** the calls that were answered; the one after them ended the process *)
  | Not_started of Outcome.test  (** the candidate's own initialisation failed *)
  | Tampered  (** a report that no honest child writes *)

type runner = Task.request -> candidate:string -> tests:string -> Task.answer

(** [run ~runner ~limits ~budget suite candidate calls] executes calls in order, and takes the CPU time from [budget]. *)
val run : runner:runner -> limits:Outcome.limits -> budget:Budget.t -> Suite.t -> string -> call list -> t

(** The outcome of one call's answer, apart from CPU time. *)
val assess : call -> Report.frame -> Outcome.test

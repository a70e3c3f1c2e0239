(** Evaluates one candidate: from its text to the result of each stage. *)

(** What a candidate is evaluated against. *)
type problem = Functions of Suite.t | Program of { inputs : string list; public : int  (** the first so many are examples *) }

type t =
  | Syntax_error of Diagnostic.t list
  | No_binding of Diagnostic.t list  (** it parses, and defines nothing *)
  | Forbidden of Diagnostic.t list
  | Type_error of Diagnostic.t list * int  (** with the number of errors to count *)
  | Partly of {
      diagnostics : Diagnostic.t list;
      errors : int;
      kept : string list;  (** values of the signature that were evaluated *)
      tests : Outcome.test array;
      cpu_us : int;
    }  (** type errors, and what became of the rest: see {!Completion} *)
  | Compile_error of Diagnostic.t list
  | Tested of { tests : Outcome.test array; cpu_us : int }
  | Probed of { found : Test_run.found; image : string }
      (** with a digest of the bytecode: candidates that share it cannot be told apart *)

(** How to find out only whether a candidate passes: see {!Test_run.until_failure} and {!Execution.until_failure}. *)
type probe = {
  first : int;  (** tests of the first child *)
  arrangement : Test_run.arrangement;
  outputs : string list;  (** what a program should print for each input; empty if that is not known *)
}

(** The result for a candidate on which the checker ran out of [what]. *)
val ran_out_of : string -> t

(** [evaluate ~filtered ~second ~runner ~example_runner ~base limits problem source]. [base] are the runner's own
    tables. Unfiltered is only for tests of the layers behind the capability filter.
    With [probe] the result is [Probed]: tests after the first failure are not run, and errors are not explained.
    [second] is for a candidate on which the compiler has raised: now that is a type error, one for each item on
    which it raises. Its effects on the compiler's state happen in a forked process.
    The names are those of definitions given by the interface and missing in the code (see {!Given}).
    [example_runner] never receives anything of a hidden test: all shown values come from it.
    With [partly] the right part of a candidate with type errors is tested.
    @raise Guard.Compiler_raised if the compiler raises, unless it is the second time.
    @raise Outcome.Fault if an infrastructure error leaves no answer. *)
val evaluate :
  filtered:bool ->
  second:bool ->
  partly:bool ->
  runner:Child.runner ->
  example_runner:Child.runner ->
  base:Lowering.tables ->
  probe:probe option ->
  Outcome.limits ->
  problem ->
  string ->
  t * string list

(** One candidate: from its text to what happened at each stage. *)

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
  outputs : string list;  (** what a program should print for each input; empty where that is not known *)
}

(** What a candidate gets on which the checker ran out of [what]. *)
val ran_out_of : string -> t

(** [evaluate ~filtered ~second ~runner ~example_runner ~base limits problem source]: [base] are the runner's own tables. Unfiltered is only for tests
    of what stands behind the capability filter. 
    With [probe] the result is [Probed]: tests after the first that does not pass are not run, and errors are not
    explained.
    [second] is for a candidate on which the compiler raised: now that is a type error, one for each item on which it
    raises. What it does to the compiler's state happens in a forked process.
    The names are those of definitions that the interface gives and the code does not define (see {!Given}).
    [example_runner] never receives anything of a hidden test: what is shown comes from there.
    With [partly] what is right in a candidate with type errors is tested.
    @raise Guard.Compiler_raised where the compiler raises, unless it is the second time.
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

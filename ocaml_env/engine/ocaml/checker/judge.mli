(** One candidate: from its text to what happened at each stage. *)

(** What a candidate is judged against. *)
type problem = Functions of Suite.t | Program of string list  (** the inputs *)

type t =
  | Syntax_error of Diagnostic.t list
  | No_binding of Diagnostic.t list  (** it parses, and defines nothing *)
  | Forbidden of Diagnostic.t list
  | Type_error of Diagnostic.t list * int  (** with the number of errors to count *)
  | Compile_error of Diagnostic.t list
  | Tested of { tests : Outcome.test array; cpu_us : int }

(** Is it an error in the text, which the compiler can report, and not a fault of ours? *)
val is_report : exn -> bool

(** [judge ~filtered ~runner ~base limits problem source]: [base] are the runner's own tables. Unfiltered is only for tests
    of what stands behind the capability filter.
    @raise Outcome.Fault where it is our fault that there is no answer. *)
val judge :
  filtered:bool -> runner:Child.runner -> base:Lowering.tables -> Outcome.limits -> problem -> string -> t

(** The tests of a function problem, run to their outcomes: as few children as possible, one bad test costing only
    itself. *)

(** [run ~runner ~without limits suite candidate] gives the tests' outcomes in order, and the CPU microseconds that they took.
    Tests that use one of the items [without] fail without being run. *)
val run : runner:Child.runner -> without:string list -> Outcome.limits -> Suite.t -> string -> Outcome.test array * int

(** What {!until_failure} found. *)
type found = {
  tests : Outcome.test array;  (** those after the first that did not pass are [Not_run] *)
  cpu_us : int;
  slowest_us : int;  (** of the test that took longest *)
}

(** The order in which tests run, or each in a child of its own. *)
type arrangement = In_order | Reversed | Alone

(** [until_failure ~runner ~first ~arrangement limits suite candidate] only finds out if all tests pass. The first
    child runs [first] of them, and each further one twice as many as the one before, until a test fails. Nothing is
    confirmed or run again, and limits hold for measured times: for code trusted not to cheat. *)
val until_failure :
  runner:Child.runner -> first:int -> arrangement:arrangement -> Outcome.limits -> Suite.t -> string -> found

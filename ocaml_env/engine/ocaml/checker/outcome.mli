(** How a test ended, within which limits, and why. *)

type limits = {
  test_cpu_us : int;
  total_cpu_us : int;
  memory_bytes : int;
  output_bytes : int;  (** of a program *)
}

type status =
  | Passed
  | Wrong
  | Raised
  | Overflow  (** it raised [Stack_overflow], by itself or where the stack was full *)
  | Crashed  (** killed by a signal, or its report was not what an honest process writes *)
  | Timeout
  | Out_of_memory
  | Output_limit
  | Ran of string  (** a program that ended well, with what it printed; the caller compares *)
  | Not_run  (** a test before it failed, and that was all to find out *)

type test = { status : status; detail : string }

val test : status -> string -> test

(** The name of an exception as the problem calls it, from that which OCaml gives it. *)
val exception_name : string -> string

(** A call that raised; [context] stands before the exception. *)
val raised : Report.frame -> context:string -> test

val too_slow : test
val out_of_memory : test
val tampered : test
val not_run : test

(** A test that uses a value that is missing or has an error, or comes upon one. *)
val unrun : test

(** A jailed child was killed by the machine, or its jail could not be installed: an infrastructure error. *)
exception Fault of string

(** A child reports that this layer of its jail could not be installed. It may be true, or a lie of a candidate that
    took the child over. *)
exception Refused of string

(** A candidate gives an exception that was there before the name of one that the signature asks for. *)
exception Shared of { constructor : string; other : string }

(** Is this the operating system's number of a signal that ends a process for its CPU time, or for its output? *)
val is_for_time : int -> bool

(** The signal of a test whose time is over. *)
val sigprof : int

val is_for_output : int -> bool

(** Why a child ended before it had answered everything.
    @raise Fault if neither the candidate nor a limit is the cause. *)
val of_ending : Task.request -> Task.answer -> test

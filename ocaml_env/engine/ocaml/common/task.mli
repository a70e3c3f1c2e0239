(** The messages between checker and runner.

    These values cross pipes between two trusted processes: the checker, which has typed and linked the code, and the
    runner, which forks a child for each request and never executes a candidate itself. Nothing written by a
    candidate is ever unmarshalled: [answer.report] is a string of bytes that the checker reads with {!Report}. *)

(** A linked compilation unit: bytecode whose references are resolved against the runner's own tables. *)
type image = {
  code : string;  (** bytecode, patched *)
  literals : (int * Obj.t) array;  (** slots of the global table with the constants that go there *)
  globals : int;  (** size that the global table must have *)
}

(** Exceptions that a candidate has to define: their names and places, as the slot of a global and then fields in
    blocks. *)
type constructors = (string * int list) array

(** What a jailed child does with the candidate's image, and with the tests' if there are any. *)
type work =
  | Calls of {
      constructors : constructors;  (** each must be new: see {!Constructors} *)
      suite : int;  (** slot of the tests' global; the last field of that block is the array of closures *)
      schedule : int array;  (** closures to call, in order *)
      seeds : int array;  (** of what each call draws at random; empty if the tests draw nothing *)
      has_inside : bool;  (** does one of them say true or false by itself? *)
      nonce : string;  (** written at the end of a complete report *)
    }
  | Main  (** run a program: its toplevel, then its exit handlers *)

(** More time for a call that is over its time when the process has used much of something else. *)
type cpu_grace = {
  more_cpu_us : int;
  most_words : int;  (** allocated since the call began, at which there is no more of it *)
  from_memory_bytes : int;  (** the most memory that was in use at a time, from which on there is more time *)
  from_output_bytes : int;  (** bytes printed, likewise *)
}

(** Beside a request travel two images, marshalled: strings that only the child unmarshals. An empty string stands for
    nothing to load. The C side of the runner knows the fields of this record and of {!cpu_grace} by their places. *)
type request = {
  work : work;
  stdin : string option;  (** what a program reads; [None] gives it an empty input *)
  keep_stdout : bool;  (** return what is printed, or throw it away *)
  output_bytes : int;  (** bytes that may be printed when [keep_stdout] *)
  memory_bytes : int;  (** address space above that of the idle child *)
  test_cpu_us : int;  (** the process is killed when its initialisation or one call takes longer *)
  total_cpu_us : int;  (** CPU time after which the child is killed, whatever it does *)
  cpu_grace : cpu_grace option;  (** for the first call that is over its time; none after it is made *)
}

(** How a child ended. *)
type ending =
  | Exited of int
  | Signaled of int  (** a signal number of the operating system, not OCaml's *)
  | Killed  (** the runner killed it: CPU, wall clock or report size *)

(** All that the runner itself learns about a child. A child's report goes straight to the checker: the next child is
    a copy of the runner, and would otherwise find the answers of earlier ones in it. *)
type death = { ending : ending; cpu_us : int; late_us : int option }

(** A child's answer, put together by the checker. *)
type answer = {
  report : string;  (** the bytes that the child wrote to its report descriptor *)
  stdout : string;
  ending : ending;
  cpu_us : int;
  late_us : int option;  (** CPU time at which it was given more: what it answered since is not in the report *)
}

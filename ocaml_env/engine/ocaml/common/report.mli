(** The report that a jailed child writes, frame by frame, and that only the checker reads.

    A frame is a tag, the CPU time since the frame before (microseconds), a length and a payload:
    [tag:1 cpu:4 length:4 payload], numbers little-endian. A complete report is [Ready], one frame for each
    scheduled call, [Done] with the nonce, and nothing more. The leaves of a test come in frames of their own before that
    of its call, of which they become a part. *)

type tag =
  | Ready  (** the candidate and the tests are initialised *)
  | Value  (** the canonical encoding of what a call returned *)
  | Opaque  (** a call returned what equality cannot compare (a closure, a cycle, nan, ...); the payload says what *)
  | Raised  (** a call, or before [Ready] the initialisation, raised; the payload is the exception's text *)
  | Exhausted  (** the runtime was refused memory, and ended the process *)
  | Refused  (** a layer of the jail could not be installed; the payload names it *)
  | Shared  (** an exception of the signature is not a new one; the payload is its name and, on the next line, the other's *)
  | Missing  (** a call, or the initialisation, came upon what was taken out of the candidate, and ended the process *)
  | Done

type frame = {
  tag : tag;
  cpu_us : int;
  payload : string;
  leaves : string list;  (** what was reported since the frame before (see {!Data.atom}) *)
}

type t = {
  frames : frame list;
  clean : bool;  (** the bytes are whole frames; False if one is torn, unknown or over-long *)
}

(** Reads any bytes whatever: a hostile report gives [clean = false], never an exception. *)
val parse : string -> t

(** Did a call raise [Stack_overflow]? The runtime or the candidate itself: nothing tells the two apart. *)
val is_stack_overflow : frame -> bool

(** Tag bytes as the C side writes them. *)
val tag_of_char : char -> tag option

(** Code that fits a signature and solves nothing: a problem's tests must reject it.

    It is made as text from the parsed signature. A few things cannot be filled in, such as classes or a constant of
    a type from elsewhere: such a stub raises while it is initialised, or does not typecheck. *)

type t = {
  name : string;  (** [raising], [constant 1], [identity first], [table of the examples], [common answer 1], ... *)
  what : string;  (** what it does, for people: [always 0], or [f: always 0; g: always None] *)
  code : string;
}

(** A test of the form [f x y = z] or [z = f x y], where [f x y] alone expects [true] and [not (f x y)] [false]: the
    function's name, its arguments with their labels, and the answer, as texts. *)
type known = { f : string; arguments : (Asttypes.arg_label * string) list; expected : string }

val known_answer : string -> known option

(** [all ~signature ~examples ~tests] is the raising stub, followed by stubs that always give the same answer, give
    an argument back, look answers up in the examples, and give the most common expected answer. Equal texts occur
    once.
    @raise Syntaxerr.Error or Lexer.Error if the signature does not parse; tests that do not parse are skipped. *)
val all : signature:string -> examples:string list -> tests:string list -> t list

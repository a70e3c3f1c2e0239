(** Code that fits a signature and solves nothing: what a problem's tests must refuse.

    It is made as text from the parsed signature, so a few things cannot be filled in (classes, a constant of a type that
    is defined elsewhere): such a stub raises while it is initialised, or does not typecheck. *)

type t = {
  name : string;  (** [raising], [constant 1], [identity first], [table of the examples], [common answer 1], ... *)
  code : string;
}

(** A test of the form [f x y = z]: the function's name, its arguments with their labels, and the answer, as texts. *)
type known = { f : string; arguments : (Asttypes.arg_label * string) list; expected : string }

val known_answer : string -> known option

(** [all ~signature ~examples ~tests] is the raising stub, and then code that answers the same whatever it is asked, that
    gives an argument back, that knows the examples by heart, and that gives the answer which the tests expect most often.
    Texts that are equal come once.
    @raise Syntaxerr.Error or Lexer.Error where the signature does not parse; a test that does not is passed over. *)
val all : signature:string -> examples:string list -> tests:string list -> t list

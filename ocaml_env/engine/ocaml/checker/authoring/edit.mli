(** Replacements in a program's text, and the parentheses that they need. *)

(** One replacement: from an offset up to another, in bytes. *)
type t = { from : int; upto : int; text : string }

(** The text after replacements, which are in order and do not overlap. *)
val apply : string -> t list -> string

(** Is it a character of a name? *)
val is_word_char : char -> bool

(** Does a word occur in a text? *)
val mentions : string -> string -> bool

(** A text as an operand or an argument: in parentheses, unless it is one token or one bracketed expression. A text
    with quotes always gets parentheses. *)
val as_operand : string -> string

val in_parentheses : string -> string

(** A text without the parentheses around all of it. *)
val bare : string -> string

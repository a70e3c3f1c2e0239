(** The names that a candidate may use: an allow-list of every value of the standard library and of [Str], as data.

    {!Filter} asks about each value when it loads a compiled interface. The lists hold for every OCaml version at
    once; a name that a version lacks is simply never asked about. A value in no list is withheld, so an unknown
    version fails closed. A test enumerates the interfaces of the installed version and reports unclassified values.

    A value inside a submodule, a module type or a functor's result has a dotted path: ["Scanning.open_in"],
    ["S.find"], ["Make.create"]. Safety belongs to a name with its type, not to a primitive alone: [%identity] is
    harmless as [Char.code] and deadly as [Obj.magic]. So a value declared [external] has to pass twice, by its path
    and by its primitive.

    This is one layer of several. It does not stop a candidate that exploits a bug of the compiler, or of an allowed
    function such as [Printf.sprintf "%.*f"] before OCaml 5; the jail and values compared outside do. *)

(** Which kind of problem a candidate answers. Programs also read their standard input and exit. *)
type profile = Function | Program

(** {1 What the filter asks} *)

(** May the value at this path be named at all, whatever its primitive? *)
val allows : profile -> unit:string -> string -> bool

(** Units whose values candidates use; the module alias of any other is hidden as a whole. *)
val offers_unit : string -> bool

(** Units that may be loaded: those offered, and those that are there for the sake of types or of the compiler. Any
    other is refused as if it did not exist. *)
val knows_unit : string -> bool

(** No argument of the types under which {!units} expose this primitive makes it unsafe. *)
val is_safe_primitive : string -> bool

(** The primitive that checks what the given one trusts, or that ignores what it would change. *)
val checked_primitive : string -> string option

(** The primitive that replaces a function of one argument for candidates. The function's slot in the block of its
    module stays, under a name that cannot be written. An [external] of the same type, which takes no slot, gets the
    name. *)
val stand_in : unit:string -> string -> string option

(** Units outside the standard library whose mere mention is reported as forbidden rather than as unbound. *)
val foreign_units : string list

(** {1 The data} *)

type rules = {
  allowed : string list;
  program_only : string list;  (** reads the input or ends the process *)
  stand_ins : (string * string) list;  (** see {!stand_in} *)
  withheld : (string * string list) list;  (** a reason, in words that complete "it ...", and the paths it applies to *)
}

(** The units offered, by name of compilation unit. *)
val units : (string * rules) list

(** The units loaded for their types, with the reason why every value is withheld. *)
val types_only : (string * string) list

(** What the compiler's own translation looks up by name in units that no source may name. *)
val compiler_only : (string * string list) list

val safe_primitives : string list
val checked_primitives : (string * string) list

type status =
  | Everywhere
  | In_programs
  | Stands_for of string
  | For_the_compiler
  | Withheld of string  (** the reason *)
  | Unclassified  (** unclassified: withheld *)

val status : unit:string -> string -> status

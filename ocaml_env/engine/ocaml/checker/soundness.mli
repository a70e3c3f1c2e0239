(** Closes holes of the type system itself: programs that the compiler accepts and that convert any type to any other
    without naming anything withheld.

    The compiler's authors know each of them (numbers are of ocaml/ocaml's issues); each is open in some supported
    version. Honest programs keep their meaning; the few refused forms have no known honest use. *)

(** 14982, all versions. An abstract parametrised type that comes out of [include] or [open] of anything but a path is
    taken for injective. Here the module gets a name first, a name that cannot be written: the types that come out of a
    path are equal to those of the named module, about which nothing is assumed. *)
val name_modules : Parsetree.structure -> Parsetree.structure

(** Refuses:
    - below 5.3, 13579 and 12878: a constructor of a GADT whose result type, with abbreviations expanded, applies an
      abstract type or private abbreviation that is not injective; a private abbreviation declared injective;
    - below 5.3, 7241: an or-pattern that forces a lazy value and looks at something mutable, wherever it stands
      (between the cases of a match {!Compiler.reread_in_matches} reads anew instead);
    - below 5.2, 12910: a pattern of a type that is applied to objects with a polymorphic method that has a first-class
      module in its type;
    - 13765: a module type with a functor applied to what no longer has the type that it asks for;
    - 13928: types that are unboxed more deeply than the compiler looks.

    Two more are refused later, on the compiler's code for them: {!Compiler.check_recursive_values}.

    Each has a program that confuses types and its nearest honest one in [tests/engine/soundness].
    @raise Location.Error if the unit has one. *)
val check : Typedtree.structure -> unit

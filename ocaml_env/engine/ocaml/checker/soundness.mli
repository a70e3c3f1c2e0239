(** Closes holes of the type system itself: programs that the compiler accepts and that convert any type to any other
    without naming anything withheld.

    Each is known to the compiler's authors (numbers are of ocaml/ocaml's issues) and open in some version that we run.
    Honest programs keep their meaning; the few refused forms have no honest use that we know. *)

(** 14982, all versions. An abstract parametrised type that comes out of [include] or [open] of anything but a path is
    taken for injective. Here the module gets a name first, a name that cannot be written: the types that come out of a
    path are equal to those of the named module, about which nothing is assumed. *)
val name_modules : Parsetree.structure -> Parsetree.structure

(** 13579 and 12878, below 5.3: a constructor of a GADT whose result type applies an abstract type that is not injective,
    and a private abbreviation declared injective.
    @raise Location.Error where the unit has one. *)
val check : Typedtree.structure -> unit

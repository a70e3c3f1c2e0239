(** Makes matches safe against scrutinees that change while they are matched.

    Before OCaml 5.3 the match compiler tests a mutable field once and relies on the answer in later cases, also when a
    guard or the forcing of a lazy pattern has changed the field in between. The code then takes a value of one
    constructor for one of another: a way to convert any type to any other without naming anything forbidden. Every
    match that tests mutable, array or lazy sub-patterns and has a guard or a lazy pattern is therefore turned into a
    chain of one-case matches, each of which reads its scrutinee from scratch. *)

val structure : Typedtree.structure -> Typedtree.structure

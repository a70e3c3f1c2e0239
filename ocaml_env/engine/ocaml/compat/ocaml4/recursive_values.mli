(** Values that [let rec] defines by themselves and that are no functions.

    The compiler decides twice whether it can build such a value: on typed trees, and again on what it has made of them.
    Where the two disagree, code gets 0 or an unfinished block in place of the value (12727: arguments before an omitted
    one; 12059: blocks behind patterns, variables and lazy values of variables). OCaml 5.2 decides once. *)

(** [check typed ~translated ~simplified] refuses a unit in which a recursive definition does more with the values of
    its [let rec] than to store them in the block or closure that it builds. [translated] is the translation of
    [typed], and [simplified] is the code to emit: simplification may inline a computation and so hide it, or make a
    definition unfit that was fit before.
    @raise Location.Error there *)
val check : Typedtree.structure -> translated:Lambda.lambda -> simplified:Lambda.lambda -> unit

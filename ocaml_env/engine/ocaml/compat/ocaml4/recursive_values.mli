(** Values that [let rec] defines by themselves and that are no functions.

    The compiler decides twice whether it can build such a value: on typed trees, and again on what it has made of them.
    Where the two disagree, code gets 0 or an unfinished block in place of the value (12727: arguments before an omitted
    one; 12059: blocks behind patterns, variables and lazy values of variables). OCaml 5.2 decides once. *)

(** [check typed ~translated ~simplified] refuses a unit in which a definition does more with what [let rec] defines than
    to store it in the block or closure that it builds. [translated] is what became of [typed], and [simplified] is what
    will be emitted: what a definition computes may be inlined and so disappear, and what was fit to be built may not stay
    so.
    @raise Location.Error there *)
val check : Typedtree.structure -> translated:Lambda.lambda -> simplified:Lambda.lambda -> unit

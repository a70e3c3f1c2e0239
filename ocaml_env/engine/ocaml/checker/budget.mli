(** What the tests of one candidate may cost together.

    No run takes the same CPU time twice, so a sum of measured times would let chance decide which test is the first
    after the budget. A test that meets a limit costs a fixed price instead, twice what one test may take, which is when
    it is killed; an overflow of the stack, which comes sooner, costs a quarter of that, and a test that answers nothing.
    Measured time ends a candidate only at {!backstop} times the total, where few honest ones come near. *)

type t

val backstop : int
val create : Outcome.limits -> t

(** Measured time alone counts, up to the total and no further: for code that we trust. *)
val to_the_letter : Outcome.limits -> t

(** Takes a child's CPU microseconds. *)
val spend : t -> int -> unit

(** CPU microseconds that were taken. *)
val spent : t -> int

(** CPU microseconds that a child may still take. *)
val left : t -> int

(** What a child costs that ended in this way, or a test. *)
val price : t -> Outcome.test -> int

(** Takes a price. *)
val charge : t -> int -> unit

val is_used_up : t -> bool

(** The outcomes of tests in order, those after the one whose price used the budget up being {!Outcome.too_slow}: what ran
    before what makes no difference. *)
val cut : Outcome.limits -> Outcome.test array -> prices:int array -> Outcome.test array
